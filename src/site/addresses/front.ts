import type { EntryRow } from '#projections/entries/row.ts';
import type { Model, ShownSite } from '#projections/reading/model.ts';

/** What the settings show at the address of the site, and where they show the list of posts. */

/** Whether a page is shown at the address of the site. */
export function isFront({ id, kind, status }: EntryRow, { showOnFront, pageOnFront }: ShownSite): boolean {
  return id === pageOnFront && showOnFront === 'page' && kind === 'page' && status === 'publish';
}

/** The page that is shown at the address of the site; undefined: the list of posts is. */
export function frontPage(model: Model): EntryRow | undefined {
  const site = model.site();
  const row = site.showOnFront === 'page' ? model.entry(site.pageOnFront) : undefined;
  return row !== undefined && isFront(row, site) ? row : undefined;
}

/** The page that shows the list of posts instead of what it says; undefined: there is none. */
export function postsPage(model: Model): EntryRow | undefined {
  const { showOnFront, pageOnFront, pageForPosts } = model.site();
  if (showOnFront !== 'page' || pageForPosts === pageOnFront) return undefined;
  const row = model.entry(pageForPosts);
  return row?.kind === 'page' && row.status === 'publish' ? row : undefined;
}
