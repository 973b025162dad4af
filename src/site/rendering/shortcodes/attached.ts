import type { Shortcode } from '#blocks/shortcode.ts';
import { readWhole } from '#blocks/shortcodes/run.ts';
import { mainType } from '#domain/media/types.ts';
import type { MediaRow } from '#projections/media/row.ts';
import { prices } from '#text/cost.ts';
import { showsMedia } from '../../rights.ts';
import { readableHost } from '../posts.ts';
import type { Here } from '../types.ts';

export interface Attached {
  readonly host: number;
  readonly items: readonly MediaRow[];
  readonly isNamed: boolean;
}

/**
 * The items named by a shortcode, or those attached to its entry; none if the viewer may not read the entry or it is protected
 * (interface behaviour, section 25).
 */
export function attachedBy({ attributes }: Shortcode, type: string, here: Here): Attached {
  const given = attributes.get('id');
  const host = given === undefined ? here.post.id : readWhole(given);
  const ids = idsIn(attributes.get('ids'));
  const named = ids.length > 0 ? ids : idsIn(attributes.get('include'));
  const order = attributes.get('orderby') || (ids.length > 0 ? 'post__in' : 'menu_order ID');
  const found = named.length > 0 ? named : attachedTo(host, idsIn(attributes.get('exclude')), here);
  const isAffordable = here.rendering.cost.takes(found.length * prices.row);
  const items = !isAffordable ? [] : found.flatMap((id) => itemOf(id, type, here) ?? []);
  return { host, isNamed: named.length > 0, items: sorted(items, order, attributes.get('order') ?? 'ASC') };
}

export function firstAttached(type: string, here: Here): MediaRow | undefined {
  const { model } = here.rendering;
  return model
    .attached(here.post.id)
    .map((id) => itemOf(id, type, here))
    .find((item) => item !== undefined);
}

function attachedTo(host: number, excluded: readonly number[], here: Here): readonly number[] {
  if (!readableHost(host, here)) return [];
  return here.rendering.model.attached(host).filter((id) => !excluded.includes(id));
}

function itemOf(id: number, type: string, { rendering: { model, viewer } }: Here): MediaRow | undefined {
  const row = model.media(id);
  if (row === undefined || mainType(row.type) !== type) return undefined;
  return showsMedia(viewer, row, model) ? row : undefined;
}

function idsIn(list: string | undefined): readonly number[] {
  const ids = (list ?? '').split(/[\s,]+/).map(readWhole);
  return [...new Set(ids.map(Math.abs))].filter((id) => id > 0).slice(0, 1000);
}

type Key = (row: MediaRow) => number | string;

const keys: ReadonlyMap<string, Key> = new Map<string, Key>([
  ['id', ({ id }) => id],
  ['menu_order', () => 0],
  ['title', ({ title }) => title.toLowerCase()],
  ['post_title', ({ title }) => title.toLowerCase()],
  ['name', ({ slug }) => slug],
  ['post_name', ({ slug }) => slug],
  ['date', ({ date }) => date],
  ['post_date', ({ date }) => date],
  ['modified', ({ modified }) => modified],
  ['author', ({ author }) => author],
]);

function sorted(items: readonly MediaRow[], orderBy: string, order: string): readonly MediaRow[] {
  if (orderBy === 'post__in') return items;
  const known = orderBy
    .toLowerCase()
    .split(/[\s,]+/)
    .flatMap((name) => keys.get(name) ?? []);
  const sign = order.toUpperCase() === 'ASC' ? 1 : -1;
  const by = known.length > 0 ? known : [({ date }: MediaRow) => date];
  return items.toSorted((a, b) => sign * (by.map((key) => compared(key(a), key(b))).find((one) => one !== 0) ?? 0));
}

function compared(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
