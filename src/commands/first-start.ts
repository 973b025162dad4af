import { configureSite, type SiteSettings, siteStream } from '#domain/site/state.ts';
import { termStream } from '#domain/term/state.ts';
import type { Session } from './session.ts';

/**
 * Records the settings the site is opened with, and the first time the default category. `keep`: settings that are
 * there already stay.
 */
export function prepareSite(session: Session, site: SiteSettings, { keep }: { keep: boolean }): void {
  const present = session.configuredSite();
  if (present === null || !keep) session.stage(siteStream, configureSite(present, site));
  const id = site.defaultCategory;
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
