import { DYNAMIC } from '#blocks/dynamic.ts';
import { stripTags } from '#blocks/strip.ts';
import { type EntryKind, kindOf } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { momentExamples, momentNamed } from '#domain/time/local.ts';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import type { EntryRow, Texts } from '#projections/entries/row.ts';
import type { CollectionQuery, Found } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import type { MakeView } from '#projections/views/views.ts';
import { collectionUrl, permalink } from '#site/addresses/items.ts';
import { publicRendering } from '#site/post-lists/in-contents.ts';
import { canEditEntry, canReadEntry } from '#site/rights.ts';
import { LONG, resultOf } from '#text/prepared-texts.ts';
import { idFrom } from '../../engine/call.ts';
import type { Answer, Call, Context, Ready, ReadyBytes, Rec } from '../../engine/types.ts';
import { tooManyAttempts } from '../../message/attempts.ts';
import type { FieldRecord } from '../records/field.ts';
import { pagingHeaders } from '../records/listing.ts';
import { renderingOf } from '../rendering.ts';
import { collectionQuery } from './collection.ts';
import { type PageCursor, pageCursorIn } from './cursor.ts';
import { entryRecord } from './fields.ts';
import { BY_SOURCE, findEntry, passwordSent } from './permissions.ts';
import type { EntryShowing } from './showing.ts';

type Query = (call: Call<Model>) => Answer | Refusal;

export const showEntry =
  (kind: EntryKind): Query =>
  (call) => {
    const found = findEntry(call, kind);
    if (isRefusal(found)) return found;
    const isOfSource = call.sent('by') === BY_SOURCE && call.sent('as_of') !== undefined;
    const then = isOfSource ? atSource(found, call) : { row: found };
    if (isRefusal(then)) return then;
    const { row } = then;
    const how = { ...showing(call), ...('texts' in then ? { texts: then.texts } : {}) };
    return {
      body: { kind: 'record', record: entryRecord(row, how) },
      version: String(row.version),
      dependsOnMore: () => how.rendering.dependsOn,
      ...pageLink(kind, permalink(row, call.model)),
    };
  };

/** The entry with the texts that it had by the times of its revisions, which may be those of the site that it was imported from. */
function atSource(
  row: EntryRow,
  { model, sent }: Call<Model>,
): { row: EntryRow; texts: Texts } | { row: EntryRow } | Refusal {
  const moment = momentNamed(String(sent('as_of') ?? ''), 'end', model.site().timezone);
  if (moment === null) {
    return refuse(
      'rest_invalid_as_of',
      `With by=${BY_SOURCE}, as_of has to be a day or a time such as ${momentExamples}.`,
    );
  }
  const gmt = moment.slice(0, 19);
  if (row.modifiedGmt <= gmt) return { row };
  const revision = model
    .revisions(row.id)
    .all()
    .find(({ isAutosave, dateGmt }) => !isAutosave && dateGmt <= gmt);
  if (revision === undefined) return refuse('rest_post_invalid_id', 'There is no version of it of that time.');
  const { title, content, excerpt, footnotes } = model.revisionTexts(revision);
  const texts = { title, footnotes, titleJson: resultOf('title', title), contentJson: DYNAMIC, excerptJson: DYNAMIC };
  const saved = { modified: revision.date, modifiedGmt: revision.dateGmt };
  return { row: { ...row, ...texts, ...saved }, texts: { content, excerpt } };
}

export const listEntries = (kind: EntryKind): Query => listRecords(kind, entryRecord);

/** How the records of a list are found, and who may see each of them. */
export interface FindRecords {
  readonly find: (query: CollectionQuery, model: Model, viewer: Viewer) => Found;
  readonly isShown: (viewer: Viewer, row: EntryRow, model: Model) => boolean;
}

const readable: FindRecords = {
  find: (query, model) => model.find(query),
  isShown: (viewer, row) => canReadEntry(viewer, row),
};

export const listRecords =
  (kind: EntryKind, toRecord: typeof entryRecord, records = readable): Query =>
  (call) => {
    const refusal = impossible(call.params);
    if (refusal !== null) return refusal;
    const refused = passwordSent(call.params['password']) === undefined ? null : slowedDown(call);
    if (refused !== null) return refused;
    const cursor = pageCursorIn(call);
    if (isRefusal(cursor)) return cursor;
    const query = collectionQuery(call, kind);
    const found = records.find(query, cursor?.model ?? call.model, call.viewer);
    return pageOf(call, { kind, query, found, toRecord, isShown: records.isShown, cursor });
  };

interface Listed {
  readonly kind: EntryKind;
  readonly query: CollectionQuery;
  readonly found: Found;
  readonly toRecord: typeof entryRecord;
  readonly isShown: FindRecords['isShown'];
  readonly cursor: PageCursor | null;
}

function pageOf(call: Call<Model>, { kind, query, found, toRecord, isShown, cursor }: Listed): Answer | Refusal {
  const { params, model, viewer } = call;
  const paging = pagingOf(call, query, found);
  if (isRefusal(paging)) return paging;
  const how = showing(call);
  if (how.password !== undefined) noteFailure(call, found.ids, how.password);
  const shown = params['context'] === 'edit' ? (_: Viewer, row: EntryRow) => canEditEntry(viewer, row) : isShown;
  const record = (id: number): FieldRecord | null => {
    const row = model.entry(id);
    return row !== undefined && shown(viewer, row, model) ? toRecord(row, how) : null;
  };
  const records = () => found.ids.map(record).filter((one) => one !== null);
  const text = (id: number) => record(id)?.text() ?? null;
  const ready = servesViews(call, query) ? model.viewList(found.ids, text) : undefined;
  return {
    body: ready === undefined ? { kind: 'list', records: records() } : readyList(ready, records),
    headers: pagingHeaders(withParams(call, cursor?.params), {
      ...paging,
      url: collectionUrl(kind, model),
      prefix: model.site().names.headers,
    }),
    dependsOnMore: () => how.rendering.dependsOn,
  };
}

function withParams(
  { query, params }: Call<Model>,
  more: PageCursor['params'] = {},
): Pick<Call<Model>, 'query' | 'params'> {
  return { query: { ...query, ...more }, params: { ...params, ...more } };
}

/** Whether an entry has to be rendered for each answer. */
export function isDynamicRow({ contentJson, excerptJson }: EntryRow): boolean {
  return contentJson === DYNAMIC || excerptJson === DYNAMIC;
}

/** Whether rendering or comparing the texts of an entry takes long. */
export function isLongRow(row: EntryRow): boolean {
  return isDynamicRow(row) || row.contentJson.length >= LONG;
}

function slowedDown({ request }: Call<Model>): Refusal | null {
  const wait = request.attempt?.(null).wait ?? 0;
  return wait > 0 ? tooManyAttempts(wait) : null;
}

function noteFailure({ request, model }: Call<Model>, ids: readonly number[], password: string): void {
  const locks = ids.map((id) => model.entry(id)?.password ?? '').filter((own) => own !== '');
  if (locks.length > 0 && !locks.includes(password)) request.attempt?.(null).failed();
}

/** The ready answer for a public entry, if there is one: for anonymous requests without parameters. */
export const readyEntry =
  (kind: EntryKind) =>
  (model: Model, params: Readonly<Record<string, unknown>>): Ready | null => {
    const id = idFrom(params['id']);
    const view = model.view(id);
    if (view === undefined || view.kind !== kind.name) return null;
    return {
      bytes: view.bytes,
      release: view.release,
      version: String(view.version),
      digest: view.digest,
      headers: pageLink(kind, view.link).headers ?? {},
      depends: [`entry:${id}`, 'terms', 'site'],
      allow: 'GET',
    };
  };

function pageLink({ type }: EntryKind, link: string): Pick<Answer, 'headers'> {
  return type.viewable ? { headers: { Link: alternate(link) } } : {};
}

/** The `Link` header of an item: the address of its page. */
export const alternate = (link: string): string => `<${link}>; rel="alternate"; type=text/html`;

function readyList(ready: ReadyBytes, records: () => Rec[]): Answer['body'] {
  return {
    kind: 'list',
    ready,
    get records() {
      return records();
    },
  };
}

/** Views are what anonymous requests see in context view; everything else is made from the row. */
function servesViews({ params, viewer, sent }: Call<Model>, { statuses }: CollectionQuery): boolean {
  if (viewer.id !== 0 || params['context'] !== 'view') return false;
  if (sent('password') !== undefined || sent('excerpt_length') !== undefined || sent('_fields') !== undefined)
    return false;
  return statuses.every(({ status }) => status === 'publish');
}

export function pagingOf(
  { params, sent }: Call<Model>,
  { offset }: CollectionQuery,
  found: Found,
): { readonly page: number; readonly pages: number; readonly total: number } | Refusal {
  const page = Number(params['page']);
  // An offset beyond the end gives no items and a total of 0 (interface behaviour, section 16).
  const total = sent('offset') !== undefined && offset >= found.total ? 0 : found.total;
  const pages = Math.ceil(total / Number(params['per_page']));
  if (page <= pages || total === 0) return { page, pages, total };
  return refuse(
    'rest_post_invalid_page_number',
    'The page number requested is larger than the number of pages available.',
  );
}

export function impossible(params: Readonly<Record<string, unknown>>): Refusal | null {
  const orderby = params['orderby'];
  // What is nothing but markup is no term, either.
  if (orderby === 'relevance' && stripTags(String(params['search'] ?? '')).trim() === '') {
    return refuse('rest_no_search_term_defined', 'You need to define a search term to order by relevance.');
  }
  const include = params['include'];
  if (orderby === 'include' && !(Array.isArray(include) && include.length > 0)) {
    return refuse(
      'rest_orderby_include_missing_include',
      'You need to define an include parameter to order by include.',
    );
  }
  return null;
}

export function showing(call: Call<Model>): EntryShowing {
  const { params, viewer, model, sent } = call;
  const password = passwordSent(params['password']);
  const length = sent('excerpt_length') === undefined ? undefined : idFrom(params['excerpt_length']);
  return {
    context: params['context'] as Context,
    viewer,
    model,
    rendering: renderingOf(call),
    ...(password === undefined ? {} : { password }),
    ...(length === undefined ? {} : { excerptLength: length }),
    ...askedIn(call),
  };
}

/** Answers of writes have neither: their texts are made after the commit. */
function askedIn({ method, model, viewer, path, query, asksFor }: Call<Model>): Pick<EntryShowing, 'asked'> {
  const [blocks, styles] = [asksFor('blocks'), asksFor('content.styles')];
  if (method !== 'GET' || !(blocks || styles)) return {};
  return { asked: { blocks, styles, reading: { model, viewer, path, query } } };
}

/**
 * Makes the public record of an entry in context view. Null for entries with a parent, whose address depends on it; for protected
 * ones, which a password opens; for texts that depend on other data; and for kinds that not everyone may read.
 */
export function viewMaker(model: Model): MakeView {
  return (row) => {
    if (row.status !== 'publish' || row.password !== '' || row.parent !== 0) return null;
    if (kindOf(row.kind).rights.read !== null) return null;
    if (row.contentJson === DYNAMIC || row.excerptJson === DYNAMIC) return null;
    const rendering = publicRendering(model);
    const record = entryRecord(row, { context: 'view', viewer: anonymous, model, rendering });
    return { text: record.text(), link: permalink(row, model) };
  };
}
