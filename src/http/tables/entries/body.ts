import type { EntryFields } from '#domain/entry/commands.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import type { RevisionTexts } from '#domain/entry/texts.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import { termKinds } from '#domain/term/kinds.ts';
import { resolveDate } from '#domain/time/local.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import { textWorks } from '#projections/entries/render.ts';
import type { Model } from '#projections/reading/model.ts';
import { isSlow, type PreparedTexts, resultOf, type TextWork } from '#text/prepared-texts.ts';
import { idFrom, oncePerRequest } from '../../engine/call.ts';
import type { Call } from '../../engine/types.ts';
import { noText } from './checks.ts';
import { partMetaOf } from './parts.ts';

/** Reads a member of a command's input from a parameter; empty if it was not sent. */
export type Write<T> = (call: Call<Model>, name: string) => Partial<T>;

export const entryTexts = oncePerRequest(({ sent, viewer, params }) => {
  const trusted = may(viewer, 'unfiltered_html');
  return withoutAbsent({
    title: apply(text(sent('title'), true), trusted ? undefined : filteredTitle),
    content: apply(text(sent('content')), storedMarkup(viewer, idFrom(params['id']) !== 0)),
    excerpt: apply(text(sent('excerpt')), trusted ? undefined : filteredMarkup),
    footnotes: footnotes(sent('meta'), trusted),
  });
});

/** Filters and renders the texts of a write, if they are long. */
export function prepareTexts(call: Call<Model>, texts: PreparedTexts): Promise<void> | undefined {
  const filters = filterWorks(call);
  return filters.some(isSlow) ? renderLong(call, texts, filters) : undefined;
}

async function renderLong(call: Call<Model>, texts: PreparedTexts, filters: readonly TextWork[]): Promise<void> {
  await texts.prepare(filters);
  const set = texts.during(() => entryTexts(call));
  const row = call.model.entry(idFrom(call.params['id']));
  const before = row && { ...row, ...(call.model.texts(row.id) ?? { content: '', excerpt: '' }) };
  await texts.prepare(textWorks(set, before));
}

/** The jobs by which the texts of a write get their stored form. */
function filterWorks({ sent, viewer, params }: Call<Model>): readonly TextWork[] {
  const isTrusted = may(viewer, 'unfiltered_html');
  const markup = markupJob(viewer, idFrom(params['id']) !== 0);
  const jobs = [
    ['filterTitle', isTrusted ? undefined : text(sent('title'), true)],
    [markup, text(sent('content'))],
    ['filterMarkup', isTrusted ? undefined : text(sent('excerpt'))],
  ] as const;
  return jobs.flatMap(([job, given]) => (given === undefined ? [] : { job, texts: [given] }));
}

export const filteredTitle = (text: string): string => resultOf('filterTitle', text);
export const filteredMarkup = (text: string): string => resultOf('filterMarkup', text);

export function storable(texts: RevisionTexts, viewer: Viewer): RevisionTexts {
  if (may(viewer, 'unfiltered_html')) return texts;
  return {
    title: filteredTitle(texts.title),
    content: storedMarkup(viewer)(texts.content),
    excerpt: filteredMarkup(texts.excerpt),
    footnotes: resultOf('filterFootnotes', texts.footnotes),
  };
}

/**
 * Refuses invalid values in `meta`. As in the reference system, they are reported only if nothing else is wrong; but then nothing
 * is stored either.
 */
export function entryMetaRefusal(call: Call<Model>, kind: EntryKind): Refusal | null {
  if (!kind.features.has('meta')) return null;
  const meta = call.sent('meta');
  const value = metaValue(meta);
  const fits = value === undefined || value === null || typeof value === 'string';
  return fits ? (partMetaOf(kind)?.refusal?.(meta) ?? null) : noText('meta.footnotes');
}

/** Returns a function that converts a content to its stored form; `isUpdate`: for an existing entry. */
export function storedMarkup(viewer: Viewer, isUpdate = true): (text: string) => string {
  return (text) => resultOf(markupJob(viewer, isUpdate), text);
}

export function markupJob(viewer: Viewer, isUpdate: boolean) {
  if (may(viewer, 'unfiltered_html')) return 'normaliseBlocks';
  return isUpdate ? 'filterNormalised' : 'filterAndNormalise';
}

/** A text sent as a string or as `{raw}`. `keepsWhenEmpty`: an empty raw text counts as not sent. */
export function text(sent: unknown, keepsWhenEmpty = false): string | undefined {
  if (typeof sent === 'string') return sent;
  const raw = isMap(sent) ? sent['raw'] : undefined;
  return typeof raw !== 'string' || (raw === '' && keepsWhenEmpty) ? undefined : raw;
}

function footnotes(meta: unknown, trusted: boolean): string | undefined {
  const value = metaValue(meta);
  if (value === null) return '';
  if (typeof value !== 'string') return undefined;
  return trusted ? value : resultOf('filterFootnotes', value);
}

/** Whether footnotes are to be removed where there are none. */
export function removesNothing({ sent, model, params }: Call<Model>): boolean {
  return metaValue(sent('meta')) === null && (model.entry(idFrom(params['id']))?.footnotes ?? '') === '';
}

function metaValue(meta: unknown): unknown {
  return isMap(meta) ? meta['footnotes'] : undefined;
}

/** `date` takes precedence over `date_gmt`; null in either removes the date. */
export function moment({ sent, model }: Call<Model>): EntryFields['date'] {
  const [date, dateGmt] = [sent('date'), sent('date_gmt')];
  if (date === null || dateGmt === null) return null;
  const zone = model.site().timezone;
  if (typeof date === 'string') return resolveDate(date, 'date', zone) ?? undefined;
  const found = typeof dateGmt === 'string' ? resolveDate(dateGmt, 'date_gmt', zone) : null;
  return found === null ? undefined : { ...found, isGmt: true };
}

export function apply(value: string | undefined, change: ((text: string) => string) | undefined): string | undefined {
  return value === undefined || change === undefined ? value : change(value);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Omits what was not sent: absent is not the same as empty. */
export function withoutAbsent<T extends Record<string, unknown>>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** For a field with an empty value: null clears it. */
export function cleared<T>(member: keyof T): Write<T> {
  return (call, name) => only(member, sentValue(call, name));
}

/** For a field without an empty value: null counts as not sent. */
export function named<T>(member: keyof T): Write<T> {
  return (call, name) => only(member, call.sent(name) === null ? undefined : sentValue(call, name));
}

/** Limits numbers to the range that the reference system can store. */
export function clamped(member: 'menuOrder'): Write<EntryFields> {
  return (call, name) => {
    const value = sentValue<number>(call, name);
    return value === undefined ? {} : { [member]: Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, value)) };
  };
}

/** Ids of the existing terms of a taxonomy, each once. */
export function writtenTerms(
  taxonomy: Taxonomy,
): (call: Call<Model>, name: string, kind: EntryKind) => Partial<EntryFields> {
  if (taxonomy === 'category') return (call) => only('categories', sentTerms(call, taxonomy));
  if (taxonomy === 'post_tag') return (call) => only('tags', sentTerms(call, taxonomy));
  // All other taxonomies share one member of the input, so each of them gives all of it.
  return (call, _, { taxonomies }) => {
    const sent = taxonomies.map((name) => [name, sentTerms(call, name)] as const);
    return { otherTerms: Object.fromEntries(sent.filter(([, ids]) => ids !== undefined)) };
  };
}

function sentTerms(call: Call<Model>, taxonomy: Taxonomy): readonly number[] | undefined {
  const ids = sentValue<readonly number[]>(call, termKinds[taxonomy].base);
  return ids && [...new Set(ids)].filter((id) => call.model.namedTerm(id)?.taxonomy === taxonomy);
}

/** The member unless its value is undefined: absent is not the same as empty. */
export function only<T, N extends keyof T>(member: N, value: unknown): Partial<T> {
  return value === undefined ? {} : ({ [member]: value } as unknown as Partial<T>);
}

function sentValue<V>({ params, sent }: Call<Model>, name: string): V | undefined {
  return sent(name) === undefined ? undefined : (params[name] as V);
}
