import { inOrder } from './in-order.ts';
import { countOf, type LiveQuery, type LiveReading, livePages, livePart, note, rowsWithIds } from './live-lists.ts';
import { commentOf, type LiveType, type LoginOf, liveItemOf, revisionOf } from './live-records.ts';
import { type LiveRow, liveNumber, liveText, row, rows } from './live-rows.ts';
import type { KnownThing, ReadHow, SourcePart } from './records.ts';

/** How things are read. */
export interface LiveWay {
  readonly loginOf: LoginOf;
  readonly heads: boolean;
  readonly isKnown: (what: KnownThing) => boolean;
  readonly wants: NonNullable<ReadHow['wants']>;
  /** Told how many things have been dealt with. */
  readonly count: (things: number) => void;
}

/** A list of comments to ask for. */
export interface CommentList {
  readonly query: LiveQuery;
}

/** What tells and connects items, without their texts. */
const headFields = [
  ...['id', 'slug', 'link', 'guid', 'type', 'status', 'title', 'author', 'parent', 'post', 'menu_order'],
  ...['date', 'date_gmt', 'modified', 'modified_gmt', 'featured_media', 'sticky', 'template', 'format'],
  ...['comment_status', 'ping_status', 'source_url', 'media_details', 'mime_type', 'alt_text'],
  ...['url', 'object', 'object_id', 'target', 'classes', 'xfn', 'wp_pattern_sync_status'],
];
/** What tells comments apart. */
const commentHeads = 'id,post,parent,type,status,author,date,date_gmt';
/** Items asked for in full at once: with long texts, a hundred are much for some servers. */
const group = 25;

/** The query for all items of a type that may be seen, also those that are not published. */
export async function statusQuery(reading: LiveReading, { name, path }: LiveType): Promise<LiveQuery | null> {
  const all = { status: name === 'attachment' ? 'inherit,private,trash' : 'any,trash' };
  if (reading.hasAccount && (await countOf(reading, path, all)) !== null) return all;
  if ((await countOf(reading, path, {})) === null) return null;
  if (reading.hasAccount)
    note(
      reading,
      path,
      'gives this account only what is published, and as the site shows it what the account may not change.',
    );
  return {};
}

/** All items of a type, each followed by its revisions. */
export async function* itemsOf(
  reading: LiveReading,
  type: LiveType,
  query: LiveQuery,
  way: LiveWay,
): AsyncGenerator<SourcePart> {
  const fields = [...headFields, ...type.taxonomies.keys()].join(',');
  for await (const page of livePages(reading, type.path, { ...query, _fields: fields })) {
    // Lists of plugins may have things that are no items.
    const heads = page.filter(({ id }) => liveNumber(id) > 0);
    const unknown = heads.filter((head) => {
      const modifiedGmt = liveText(head['modified_gmt']) || null;
      return !way.isKnown({ kind: 'item', id: liveNumber(head['id']), modifiedGmt });
    });
    way.count(heads.length - unknown.length);
    if (way.heads) {
      for (const head of unknown) yield* oneItem(reading, type, head, true, way);
      continue;
    }
    const groups = Array.from({ length: Math.ceil(unknown.length / group) }, (_, i) =>
      unknown.slice(i * group, (i + 1) * group).map(({ id }) => liveNumber(id)),
    );
    for await (const full of inOrder(groups, reading.concurrency, (ids) => inFull(reading, type, query, ids))) {
      const withRevisions = inOrder(full, reading.concurrency, async (one) => ({
        ...one,
        revisions: one.isRaw ? await revisionsOf(reading, type, one.item, way.loginOf) : [],
      }));
      for await (const { item, isRaw, revisions } of withRevisions) {
        yield* oneItem(reading, type, item, isRaw, way);
        yield* revisions;
      }
    }
  }
}

function* oneItem(
  reading: LiveReading,
  type: LiveType,
  item: LiveRow,
  isRaw: boolean,
  way: LiveWay,
): Generator<SourcePart> {
  if (row(item['content'])['protected'] === true && !isRaw) {
    note(reading, type.path, 'has texts behind passwords, which are not given away.', 'behind_password');
  }
  way.count(1);
  yield livePart(reading, `${type.path}/${item['id']}`, liveItemOf(item, type, way.loginOf, isRaw));
}

/** Items in full: as written where the account may change them, as shown otherwise. */
async function inFull(reading: LiveReading, type: LiveType, query: LiveQuery, ids: readonly number[]) {
  const written = reading.hasAccount
    ? await rowsWithIds(reading, type.path, { ...query, context: 'edit' }, ids, true)
    : [];
  const got = new Set((written ?? []).map(({ id }) => id));
  const others = ids.filter((id) => !got.has(id));
  const shown = others.length > 0 ? await rowsWithIds(reading, type.path, query, others, false) : [];
  if (reading.hasAccount && shown && shown.length > 0) {
    note(reading, type.path, 'has items that this account may not change: they are read as the site shows them.');
  }
  const all = [
    ...(written ?? []).map((item) => ({ item, isRaw: true })),
    ...(shown ?? []).map((item) => ({ item, isRaw: false })),
  ];
  return all.sort((one, other) => liveNumber(one.item['id']) - liveNumber(other.item['id']));
}

/** The revisions and autosaves of an item. Where a type has revisions, autosaves are among them. */
async function revisionsOf(
  reading: LiveReading,
  type: LiveType,
  item: LiveRow,
  loginOf: LoginOf,
): Promise<readonly SourcePart[]> {
  const has = (what: string) =>
    [...reading.site.routes].some((route) => route.startsWith(`${type.path}/(`) && route.endsWith(`)/${what}`));
  const what = has('revisions') ? 'revisions' : has('autosaves') && type.name !== 'nav_menu_item' ? 'autosaves' : null;
  const counted = rows(row(item['_links'])['version-history'])[0]?.['count'];
  if (what === null || counted === 0) return [];
  const path = `${type.path}/${item['id']}/${what}`;
  const found: SourcePart[] = [];
  for await (const page of livePages(reading, path, { context: 'edit' })) {
    for (const one of page) {
      const revision = revisionOf(one, liveNumber(item['id']), loginOf);
      found.push(livePart(reading, `${path}/${revision.id}`, revision));
    }
  }
  return found;
}

/** The lists that together have all comments that may be seen. */
export async function commentLists(reading: LiveReading, path: string): Promise<readonly CommentList[]> {
  if (!reading.hasAccount || (await countOf(reading, path, { context: 'edit', status: 'all' })) === null) {
    return (await countOf(reading, path, {})) === null ? [] : [{ query: {} }];
  }
  const statuses = ['all', 'spam', 'trash', 'post-trashed'];
  return ['all', 'note'].flatMap((type) =>
    statuses.map((status) => ({ query: { context: 'edit', status, type } satisfies LiveQuery })),
  );
}

export async function* commentsOf(
  reading: LiveReading,
  path: string,
  lists: readonly CommentList[],
  way: LiveWay,
): AsyncGenerator<SourcePart> {
  if (reading.hasAccount && lists.every(({ query }) => query['context'] !== 'edit')) {
    note(reading, path, 'gives this account only approved comments, as the site shows them.');
  }
  let hasNotes = false;
  for (const { query } of lists) {
    // Servers differ in whether notes are among comments of all types.
    if (query['type'] === 'note' && hasNotes) continue;
    const fields: LiveQuery = way.heads ? { _fields: commentHeads } : {};
    for await (const page of livePages(reading, path, { ...query, ...fields })) {
      for (const one of page) {
        const comment = commentOf(one, way.loginOf);
        if (query['type'] !== 'note' && comment.type === 'note') hasNotes = true;
        way.count(1);
        const known = way.isKnown({ kind: 'comment', id: comment.id, modifiedGmt: null });
        if (!known) yield livePart(reading, `${path}/${comment.id}`, comment);
      }
    }
  }
}
