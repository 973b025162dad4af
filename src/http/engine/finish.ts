import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import { Cost } from '#text/cost.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { parseQuery } from '#text/query-string.ts';
import type { ReadLimit } from '#text/read-time.ts';
import { isRecord, listOf } from '#text/shapes.ts';
import type { Watch } from './cache.ts';
import { type Dispatched, dispatchRead } from './dispatch.ts';
import { envelope, envelopeHeaders, JSONP_TYPE, jsonpText } from './envelope.ts';
import { headersTag } from './etag.ts';
import type { HeaderNames } from './headers.ts';
import { type Input, innerInput } from './input.ts';
import {
  contentTypeOf,
  JSON_TYPE,
  type ListBounds,
  lengthIn,
  listFault,
  type Piece,
  recordLength,
  recordText,
  recordTexts,
  type ShownAnswer,
} from './present.ts';
import { bytesInTurns, type Digested, isLongReply, type Reply, replyOf, streamReply } from './reply.ts';
import { type RunOutcome, refusedOutcome } from './run.ts';
import type { Runtime } from './runtime.ts';

export interface Finish {
  readonly viewer: Viewer;
  readonly watch: Watch;
  readonly rootLink: string;
  readonly jsonp: string | null;
  readonly bounds: ListBounds;
  readonly isGone: () => boolean;
  readonly time: ReadLimit | null;
}

/** Resolves a link to the JSON of its target without a network request; null if it leads elsewhere. */
type Follow = (href: string) => Promise<JsonText | null>;

const NOTHING: JsonText = '[]';
const EMPTY = new Set(['[]', '{}']);

/** Turns an outcome into the bytes of a response: embedded records, envelope, wrapping, headers. */
export function finish<M, S extends M>(
  runtime: Runtime<M, S>,
  { input, dispatched }: { readonly input: Input; readonly dispatched: Dispatched<M> },
  to: Finish,
): Reply | Promise<Reply> {
  const { outcome, model, isPast = false } = dispatched;
  const embed = input.query['_embed'];
  const { names } = runtime;
  if (embed === undefined || outcome.refused) return bytesInTime(input, dispatched, { ...to, names });
  const { viewer, watch, time, isGone } = to;
  const cost = new Cost(outcome.cost);
  const follow = follower(runtime, { viewer, model, isPast, watch, cost, time, isGone });
  const { bounds } = to;
  return embedInto(outcome.shown, relationsIn(embed), { follow, time, bounds }).then((shown) => {
    const whole = isRefusal(shown)
      ? refusedOutcome(shown, to.viewer, outcome.allow)
      : { ...outcome, shown, cost: cost.standing };
    return bytesInTime(input, { outcome: whole, position: dispatched.position }, { ...to, names });
  });
}

type Dressed = Omit<Finish, 'bounds' | 'isGone' | 'time'> & { readonly names: HeaderNames };

interface Completed {
  readonly outcome: RunOutcome;
  readonly position: number | null;
}

/** The response to an outcome; a long one is encoded over several turns of the event loop. */
function bytesInTime(
  input: Pick<Input, 'method' | 'query'>,
  completed: Completed,
  to: Dressed,
): Reply | Promise<Reply> {
  const { shown } = completed.outcome;
  if (contentTypeOf(shown) !== JSON_TYPE || !isLongReply(recordLength(shown))) return bytesOf(input, completed, to);
  const headers = headersOf(completed.outcome, to.names);
  const texts = textsIn(
    { ...completed.outcome, headers },
    { isEnveloped: input.query['_envelope'] !== undefined, jsonp: to.jsonp },
  );
  return bytesInTurns(texts, 'latin1').then((content) => bytesOf(input, completed, { ...to, content }));
}

/** The headers of an outcome, and whether something was left out because it had cost too much. */
function headersOf({ headers, cost }: RunOutcome, names: HeaderNames): RunOutcome['headers'] {
  return cost?.isCut === true ? { ...headers, [names.truncated]: 'true' } : headers;
}

/** The JSON to send, as consecutive texts. */
function textsIn(
  { shown, status, headers, allow }: RunOutcome,
  { isEnveloped, jsonp }: { readonly isEnveloped: boolean; readonly jsonp: string | null },
): readonly string[] {
  if (!isEnveloped && jsonp === null) return recordTexts(shown);
  const text = isEnveloped ? envelope(jsonOf(shown), status, envelopeHeaders(headers, allow)) : recordText(shown);
  return [jsonp === null ? text : jsonpText(jsonp, text)];
}

/** The response to an outcome, without embedding records. */
export function bytesOf(
  { method, query }: Pick<Input, 'method' | 'query'>,
  { outcome, position }: Completed,
  { viewer, rootLink, jsonp, names, content }: Dressed & { readonly content?: Digested },
): Reply {
  const { status, allow, shown } = outcome;
  const headers = headersOf(outcome, names);
  if (shown.kind === 'stream') {
    return streamReply(status, shown.pieces, { names, type: shown.type, viewer, rootLink, position, headers, allow });
  }
  const enveloped = query['_envelope'] !== undefined;
  const type = enveloped ? JSON_TYPE : contentTypeOf(shown);
  const wrapped = jsonp !== null && type === JSON_TYPE;
  const isRead = (method === 'GET' || method === 'HEAD') && status === 200;
  const ready = enveloped || wrapped || shown.kind !== 'list' ? undefined : shown.ready;
  const parts = {
    names,
    type: wrapped ? JSONP_TYPE : type,
    viewer,
    rootLink,
    position,
    ...(enveloped ? {} : { headers, allow }),
    ...(isRead
      ? { tagged: { version: outcome.version ?? headersTag(headers), digest: content?.digest ?? ready?.digest } }
      : {}),
  };
  if (content !== undefined) return replyOf(enveloped ? 200 : status, content.bytes, parts);
  if (ready !== undefined) return { ...replyOf(status, ready.bytes, parts), release: ready.release };
  if (!enveloped && shown.kind === 'bytes') return replyOf(status, shown.bytes, parts);
  const text = enveloped ? envelope(jsonOf(shown), status, envelopeHeaders(headers, allow)) : recordText(shown);
  return replyOf(enveloped ? 200 : status, wrapped ? jsonpText(jsonp, text) : text, parts);
}

/** Resolves links below the route root internally, in context `embed` and with as many items as the collection allows for embedding. */
function follower<M, S extends M>(runtime: Runtime<M, S>, asker: Parameters<typeof dispatchRead<M, S>>[2]): Follow {
  // A past model links to the address that the site had then.
  const base = `${runtime.base(asker.model)}/`;
  return async (href) => {
    if (!href.startsWith(base)) return null;
    // The model has changed: cache versions taken now would not match what was read before.
    if (runtime.host.model() !== asker.model) asker.watch.add(null);
    const target = href.slice(base.length - 1);
    const mark = target.indexOf('?');
    const path = mark === -1 ? target : target.slice(0, mark);
    const query = parseQuery(mark === -1 ? '' : target.slice(mark + 1));
    if (!query['context']) query['context'] = 'embed';
    const max = runtime.table.find('GET', path, asker.model)?.endpoint.args.byName.get('per_page')?.embedded;
    if (!query['per_page'] && max !== undefined) query['per_page'] = String(max);
    const { shown } = await dispatchRead(runtime, innerInput({ method: 'GET', path, query }), asker);
    return jsonOf(shown);
  };
}

function jsonOf(shown: ShownAnswer): JsonText {
  const text = recordText(shown);
  return contentTypeOf(shown) !== JSON_TYPE ? asciiJson(text) : text;
}

/** The relations named by `_embed`; null for all of them. Only the query string may name them. */
function relationsIn(value: unknown): readonly unknown[] | null {
  if (value === '' || value === '0' || value === '1' || value === 'true') return null;
  const names = listOf(value) ?? [];
  return names.length === 0 ? null : names;
}

interface Embedding {
  readonly follow: Follow;
  readonly time: ReadLimit | null;
  readonly bounds: ListBounds;
}

/**
 * Embeds the records behind embeddable links: one list per relation, in the order of the links, with an empty list for a link that
 * is not embeddable. Each address is resolved once.
 */
async function embedInto(
  shown: ShownAnswer,
  relations: readonly unknown[] | null,
  { follow, time, bounds }: Embedding,
): Promise<ShownAnswer | Refusal> {
  const known = new Map<string, JsonText>();
  const once: Follow = async (href) => {
    const text = known.get(href) ?? (await follow(href)) ?? NOTHING;
    known.set(href, text);
    return text;
  };
  const embed = (piece: Piece) => embedInPiece(piece, relations, once);
  if (shown.kind === 'item') return { kind: 'item', piece: await embed(shown.piece) };
  if (shown.kind !== 'list') return shown;
  const pieces: Piece[] = [];
  let length = 0;
  for (const piece of shown.pieces) {
    time?.check();
    const whole = await embed(piece);
    length += lengthIn(whole);
    pieces.push(whole);
    const fault = listFault(bounds, { length, count: pieces.length });
    if (fault !== null) return fault;
  }
  return { kind: 'list', pieces };
}

async function embedInPiece(piece: Piece, relations: readonly unknown[] | null, follow: Follow): Promise<Piece> {
  const members: string[] = [];
  for (const [relation, links] of linksIn(piece)) {
    if (relations !== null && !relations.includes(relation)) continue;
    const texts: JsonText[] = [];
    for (const link of links) texts.push(await textFor(link, follow));
    if (texts.some((text) => !EMPTY.has(text))) members.push(`${JSON.stringify(relation)}:[${texts.join(',')}]`);
  }
  if (members.length === 0) return piece;
  return { ...piece, texts: [...piece.texts, ',"_embedded":{', members.join(','), '}'] };
}

async function textFor(link: unknown, follow: Follow): Promise<JsonText> {
  if (!isRecord(link) || link['embeddable'] !== true || typeof link['href'] !== 'string') return NOTHING;
  return (await follow(link['href'])) ?? NOTHING;
}

function linksIn({ links }: Piece): [string, readonly unknown[]][] {
  const parsed: unknown = links === null ? null : JSON.parse(links);
  if (!isRecord(parsed)) return [];
  return Object.entries(parsed).flatMap(([relation, list]) => (Array.isArray(list) ? [[relation, list]] : []));
}
