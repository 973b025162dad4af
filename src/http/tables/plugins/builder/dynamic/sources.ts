import { kindOf } from '#domain/entry/kinds.ts';
import { extensions, hasShop } from '#domain/plugins/extensions/area.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { canReadEntry } from '#site/rights.ts';

/** Sources of dynamic content. */
export const sourceNames = ['current-page', 'site', 'other-posts', 'latest-post'] as const;
export type SourceName = (typeof sourceNames)[number];

const input = { with_input_box: true, with_search: true };
export const sources: Readonly<Record<SourceName, unknown>> = {
  'current-page': { title: 'Current Page' },
  site: { title: 'Site' },
  'other-posts': {
    ...{ title: 'Other Posts', ...input },
    input_label: 'Posts and pages',
    input_placeholder: 'Search for posts and pages',
  },
  'latest-post': {
    ...{ title: 'Latest Post', ...input },
    input_label: 'Nth latest post',
    input_placeholder: 'Choose the latest post',
  },
};

export function isSource(name: string): name is SourceName {
  return (sourceNames as readonly string[]).includes(name);
}

/** How many of the newest entries can be named by their rank. */
export const maxLatest = 10;

export interface Asking {
  readonly model: Model;
  readonly viewer: Viewer;
}

/** The entry that a source names by an id; null if there is none or the viewer may not read it. */
export function entryOf(source: SourceName, id: string, { model, viewer }: Asking): EntryRow | null {
  const row = source === 'latest-post' ? latest(id, model) : model.entry(/^\d{1,15}$/.test(id) ? Number(id) : 0);
  return row !== undefined && canReadEntry(viewer, row) ? row : null;
}

export function kindNames(model: Model): readonly (readonly [string, string])[] {
  const common = [['post', 'Post'] as const, ['page', 'Page'] as const];
  return hasShop(model.plugin(extensions)) ? [...common, ['product', 'Product'] as const] : common;
}

/** Parses the id of a latest entry, `post-3`; null for anything else. */
export function placeIn(id: string): { readonly kind: string; readonly place: number } | null {
  const [, kind = '', place = ''] = /^(post|page|product)-(\d{1,2})$/.exec(id) ?? [];
  const number = Number(place);
  return kind === '' || number < 1 || number > maxLatest ? null : { kind, place: number };
}

function latest(id: string, model: Model): EntryRow | undefined {
  const named = placeIn(id);
  if (named === null) return undefined;
  const order = { orderBy: 'date', order: 'desc', offset: named.place - 1, limit: 1 } as const;
  const [found = 0] = model
    .present()
    .find({ kind: kindOf(named.kind).name, statuses: [{ status: 'publish' }], ...order }).ids;
  return model.entry(found);
}
