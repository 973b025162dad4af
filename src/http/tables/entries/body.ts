import type { EntryFields, Moment } from '#domain/entry/commands.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import type { RevisionTexts } from '#domain/entry/texts.ts';
import type { Format, WritableStatus } from '#domain/entry/vocabulary.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import { resolveDate } from '#domain/time/local.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import { worked } from '#text/elsewhere.ts';
import { oncePerRequest } from '../../engine/once.ts';
import type { Call } from '../../engine/types.ts';
import { productFields } from './product.ts';

/** Makes a command's fields of what a request sent (interface behaviour, sections 3, 8 and 9). */
export function entryFields(call: Call<Model>, kind: EntryKind): EntryFields {
  const { params, sent, model } = call;
  // A null counts as not sent where there is no empty value to take.
  const named = <T>(name: string): T | undefined =>
    sent(name) === undefined || sent(name) === null ? undefined : (params[name] as T);
  const cleared = <T>(name: string): T | undefined => (sent(name) === undefined ? undefined : (params[name] as T));
  const terms = (name: string, taxonomy: Taxonomy) => existing(cleared<number[]>(name), taxonomy, model);

  return given({
    ...entryTexts(call),
    status: named<WritableStatus>('status'),
    slug: cleared<string>('slug'),
    date: moment(call),
    author: named<number>('author'),
    password: cleared<string>('password'),
    commentStatus: named<'open' | 'closed'>('comment_status'),
    pingStatus: named<'open' | 'closed'>('ping_status'),
    template: cleared<string>('template'),
    featuredMedia: cleared<number>('featured_media'),
    ...(kind.hierarchical
      ? { parent: cleared<number>('parent'), menuOrder: clamped(cleared<number>('menu_order')) }
      : {}),
    ...(kind.styled ? { format: named<Format>('format'), sticky: cleared<boolean>('sticky') } : {}),
    ...(kind.classified ? { categories: terms('categories', 'category'), tags: terms('tags', 'post_tag') } : {}),
    ...(kind.sold ? { product: productFields(sent('meta')) } : {}),
  });
}

/** What is stored of the texts that a request sent. */
export const entryTexts = oncePerRequest(({ sent, viewer }) => {
  const trusted = may(viewer, 'unfiltered_html');
  return given({
    title: apply(text(sent('title'), true), trusted ? undefined : filterTitle),
    content: apply(text(sent('content')), storedMarkup(viewer)),
    excerpt: apply(text(sent('excerpt')), trusted ? undefined : filterMarkup),
    footnotes: footnotes(sent('meta'), trusted),
  });
});

export const filterTitle = (text: string): string => worked('filterTitle', text);
export const filterMarkup = (text: string): string => worked('filterMarkup', text);

/** What the viewer may store of texts that others have written. */
export function storable(texts: RevisionTexts, viewer: Viewer): RevisionTexts {
  if (may(viewer, 'unfiltered_html')) return texts;
  return {
    title: filterTitle(texts.title),
    content: storedMarkup(viewer)(texts.content),
    excerpt: filterMarkup(texts.excerpt),
    footnotes: worked('filterFootnotes', texts.footnotes),
  };
}

/** What is wrong with `meta`; found only after everything else, as in the reference system, but nothing is stored then. */
export function metaRefusal(call: Call<Model>): Refusal | null {
  const value = metaValue(call.sent('meta'));
  if (value === undefined || value === null || typeof value === 'string') return null;
  const refusal = refuse('rest_invalid_type', 'meta.footnotes is not of type string.');
  return { ...refusal, about: 'input', extra: { additional_data: [{ param: 'meta.footnotes' }] } };
}

export function storedMarkup(viewer: Viewer): (text: string) => string {
  const trusted = may(viewer, 'unfiltered_html');
  return (text) => worked(trusted ? 'normaliseBlocks' : 'filterAndNormalise', text);
}

/** A text sent as a string or as `{raw}`; an empty raw title counts as none. */
export function text(sent: unknown, keepsWhenEmpty = false): string | undefined {
  if (typeof sent === 'string') return sent;
  const raw = isMap(sent) ? sent['raw'] : undefined;
  return typeof raw !== 'string' || (raw === '' && keepsWhenEmpty) ? undefined : raw;
}

function footnotes(meta: unknown, trusted: boolean): string | undefined {
  const value = metaValue(meta);
  if (value === null) return '';
  if (typeof value !== 'string') return undefined;
  return trusted ? value : worked('filterFootnotes', value);
}

function metaValue(meta: unknown): unknown {
  return isMap(meta) ? meta['footnotes'] : undefined;
}

/** `date` wins over `date_gmt`; a null in either lets the date go. */
export function moment({ sent, model }: Call<Model>): Moment | null | undefined {
  const [date, dateGmt] = [sent('date'), sent('date_gmt')];
  if (date === null || dateGmt === null) return null;
  const zone = model.site().timezone;
  if (typeof date === 'string') return resolveDate(date, 'date', zone) ?? undefined;
  return typeof dateGmt === 'string' ? (resolveDate(dateGmt, 'date_gmt', zone) ?? undefined) : undefined;
}

function existing(ids: readonly number[] | undefined, taxonomy: Taxonomy, model: Model): number[] | undefined {
  return ids === undefined ? undefined : [...new Set(ids)].filter((id) => model.term(id)?.taxonomy === taxonomy);
}

export function apply(value: string | undefined, change: ((text: string) => string) | undefined): string | undefined {
  return value === undefined || change === undefined ? value : change(value);
}

/** Larger numbers than the reference system can store become the largest that it can. */
function clamped(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, value));
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Leaves out what was not sent: absent is not the same as empty. */
export function given<T extends Record<string, unknown>>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
