import type { PluginCall, PluginReader } from 'palimpsest/plugin';

/** Sources of dynamic content. */
export const sourceNames = ['current-page', 'site', 'other-posts', 'latest-post'] as const;
export type SourceName = (typeof sourceNames)[number];

const input = { with_input_box: true, with_search: true };
export const sources: Readonly<Record<SourceName, unknown>> = {
  'current-page': { title: 'Current Page' },
  site: { title: 'Site' },
  'other-posts': {
    title: 'Other Posts',
    ...input,
    input_label: 'Posts and pages',
    input_placeholder: 'Search for posts and pages',
  },
  'latest-post': {
    title: 'Latest Post',
    ...input,
    input_label: 'Nth latest post',
    input_placeholder: 'Choose the latest post',
  },
};

export function isSource(name: string): name is SourceName {
  return (sourceNames as readonly string[]).includes(name);
}

/** How many of the newest entries can be named by their rank. */
export const maxLatest = 10;

/** The entry that a source names by an id; null if there is none or the caller may not read it. */
export function entryOf(source: SourceName, id: string, call: PluginCall<PluginReader>): number | null {
  const named = source === 'latest-post' ? latest(id, call) : /^\d{1,15}$/.test(id) ? Number(id) : 0;
  return call.model.entry(named) !== undefined && call.mayRead(named) ? named : null;
}

export function kindNames({ plugins }: PluginCall<PluginReader>): readonly (readonly [string, string])[] {
  const common = [['post', 'Post'] as const, ['page', 'Page'] as const];
  const hasShop = plugins().some(({ slug, active }) => slug === 'shop' && active);
  return hasShop ? [...common, ['product', 'Product'] as const] : common;
}

/** Parses the id of a latest entry, `post-3`; null for anything else. */
export function placeIn(id: string): { readonly kind: string; readonly place: number } | null {
  const [, kind = '', place = ''] = /^(post|page|product)-(\d{1,2})$/.exec(id) ?? [];
  const number = Number(place);
  return kind === '' || number < 1 || number > maxLatest ? null : { kind, place: number };
}

function latest(id: string, { model }: PluginCall<PluginReader>): number {
  const named = placeIn(id);
  if (named === null) return 0;
  const [found = 0] = model.find({ kind: named.kind, offset: named.place - 1, limit: 1 }).ids;
  return found;
}
