import {
  type ChangedSetting,
  changedSettings,
  configureSite,
  type GivenSettings,
  settingsOf,
  siteStream,
} from '#domain/site/state.ts';
import { termStream } from '#domain/term/state.ts';
import { site } from '#projections/site/definition.ts';
import type { Session } from './session.ts';

export interface Start {
  readonly given: GivenSettings;
  readonly ownUrl: string;
  readonly keep: boolean;
}

/**
 * Records the settings that the site is opened with and, the first time, the default category. Returns the settings whose values have
 * changed.
 */
export function prepareSite(session: Session, { given, ownUrl, keep }: Start): readonly ChangedSetting[] {
  const present = session.of(site).get() ?? null;
  const wanted = settingsOf(present, given, ownUrl);
  const changed = present === null || keep ? [] : changedSettings(present, wanted);
  if (present === null || !keep) session.stage(siteStream, configureSite(present, wanted));
  if (present === null) prepareCategory(session, wanted.defaultCategory);
  return changed;
}

function prepareCategory(session: Session, id: number): void {
  if (session.next.nextTerm > id) return;
  const data = {
    id,
    taxonomy: 'category' as const,
    name: 'Uncategorized',
    slug: 'uncategorized',
    description: '',
    parent: 0,
  };
  session.stage(termStream(id), [{ type: 'TermCreated', data }]);
}
