import { configureSite, type Site, siteStream } from '#domain/site/state.ts';
import { termStream } from '#domain/term/state.ts';
import type { Session } from './session.ts';

/** Records the settings the server was started with, and on the first start the default category. */
export function prepareSite(session: Session, site: Site): void {
  session.stage(siteStream, configureSite(session.configuredSite(), site));
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
