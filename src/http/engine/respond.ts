import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import { tagsOf, tagText } from '#text/cache-tags.ts';
import { encodedFor } from '../message/encoding.ts';
import { envelope, envelopeHeaders, JSONP_TYPE, jsonpText } from '../message/envelope.ts';
import { headersTag } from '../message/etag.ts';
import type { HeaderNames } from '../message/headers.ts';
import { type Reply, replyOf, streamReply, unlessKnown, valueIn, withoutBody } from '../message/reply.ts';
import type { AnswerCache, CacheVersion, RecentRequests, Watch } from './cache.ts';
import { headerIn, type Input, isPlainRead, type RawRequest } from './input.ts';
import { type RequestOutcome, refusedOutcome } from './outcome.ts';
import { type PoolAnswer, replyFrom } from './pool.ts';
import { contentTypeOf, JSON_TYPE, jsonOf, recordText } from './present.ts';

/** An answer, wherever it comes from: its bytes, and what is known of them. */
export interface AnsweredReply {
  readonly reply: Reply;
  /** Pattern of the matched route; null if there was none. */
  readonly route: string | null;
  /** Log position after a write; null after anything else. */
  readonly position: number | null;
  readonly isTruncated?: boolean;
  /** A text that is no list or item. */
  readonly isText?: boolean;
  /** See `Kept`. */
  readonly isSecret?: boolean | undefined;
  readonly from?: 'kept' | 'ready' | 'thread';
  /** What it depends on, if it may be cached. Absent or null: it may not, or it is cached already. */
  readonly versions?: readonly CacheVersion[] | null;
}

interface Asked extends Pick<RawRequest, 'headers'> {
  readonly url: string;
  readonly viewer: Viewer;
  readonly ahead?: true;
}

export interface Responding {
  readonly cache: AnswerCache;
  readonly cacheVersion: (key: string) => number;
  readonly recentRequests: RecentRequests;
  readonly names: HeaderNames;
  readonly compresses: boolean;
  /** The `Link` header of responses without one of their own. */
  readonly rootLink: () => string;
}

/** The request that an outcome belongs to. */
export interface Responded<R extends Asked & RawRequest = Asked & RawRequest> {
  readonly request: R;
  readonly input: Input;
  /** Name of the function that JSONP calls; null: none is asked for. */
  readonly jsonp: string | null;
  readonly watch: Watch;
  /** Names of what was sent and has no effect. Absent or '': none. */
  readonly ignored?: string;
}

const NOTHING_ASKED: Input['query'] = {};

/** In bytes. Texts of this length hardly ever change, so that even the first client waits for their compression. */
const LONG_TEXT = 128 * 1024;

/** Caches an answer if it may be asked for again, and leaves out the body if the client knows it. */
export function respond(
  sending: Responding,
  request: Asked,
  answer: AnsweredReply,
): AnsweredReply | Promise<AnsweredReply> {
  const { cache, recentRequests } = sending;
  const { viewer, headers, url, ahead } = request;
  const { reply, route, isText, isSecret, versions = null } = answer;
  const isLongText = isText === true && reply.body.length >= LONG_TEXT;
  const isWanted = () => isLongText || ahead === true || recentRequests.asked(url);
  if (versions === null || route === null || !isWanted()) return encoded(sending, request, answer);
  cache.keep(url, viewer, { reply, route, versions, ...(isSecret === true && { isSecret }) });
  if (!isLongText) return encoded(sending, request, answer);
  const accepted = headerIn(headers, 'accept-encoding');
  return cache
    .compressed(url, viewer, accepted)
    .then((kept) => encoded(sending, request, { ...answer, reply: kept?.reply ?? reply }));
}

/** Leaves out the body if the client knows it; else encodes it as the client takes it. */
function encoded(
  { names, compresses }: Responding,
  { headers }: Pick<Asked, 'headers'>,
  answer: AnsweredReply,
): AnsweredReply | Promise<AnsweredReply> {
  const reply = unlessKnown(answer.reply, headerIn(headers, 'if-none-match'), names);
  const made = compresses && answer.isSecret !== true ? encodedFor(headerIn(headers, 'accept-encoding'), reply) : reply;
  if (made instanceof Promise) return made.then((value) => ({ ...answer, reply: value }));
  return { ...answer, reply: made };
}

interface Made {
  readonly outcome: RequestOutcome;
  readonly route: string | null;
  readonly position: number | null;
}

/** Makes an outcome into an answer. */
export function madeAnswer(
  self: Responding,
  { request, input, jsonp, watch, ignored = '' }: Responded,
  { outcome, route, position }: Made,
): AnsweredReply | Promise<AnsweredReply> {
  const { names } = self;
  const whole = bytesOf(input, outcome, { viewer: request.viewer, rootLink: self.rootLink(), jsonp, names, position });
  const shown = input.method === 'HEAD' && request.method !== 'HEAD' ? withoutBody(whole) : whole;
  const told = ignored === '' ? shown : { ...shown, head: [...shown.head, names.ignored, ignored] };
  const isRead = isPlainRead(request, names) && input.query['_method'] === undefined;
  const isCacheable = isRead && route !== null && outcome.status === 200 && told.status === 200;
  const versions = isCacheable ? watch.versions() : null;
  const reply = withTags(told, { names, viewer: request.viewer, keys: versions?.map(({ key }) => key) ?? [] });
  return respond(self, request, {
    reply,
    route,
    position,
    isTruncated: valueIn(reply.head, names.truncated) !== undefined,
    isText: outcome.shown.kind === 'text',
    isSecret: outcome.headers['Cache-Control'] !== undefined,
    versions,
  });
}

interface Tagging {
  readonly names: HeaderNames;
  readonly viewer: Viewer;
  /** Cache keys that an answer depends on; none: nobody may keep it. */
  readonly keys: readonly string[];
}

/** A public answer with the header that tells what it depends on. */
export function withTags(reply: Reply, { names, viewer, keys }: Tagging): Reply {
  const {
    tags: header,
    caching: [, caching],
  } = names;
  if (header === null || viewer.id !== 0) return reply;
  // What nobody can be told to forget, nobody may keep.
  if (keys.length === 0) return { ...reply, head: reply.head.map((value) => (value === caching ? 'no-cache' : value)) };
  return { ...reply, head: [...reply.head, header, tagText(header, tagsOf(keys))] };
}

/** The same for an answer of a reader thread. */
export function madeInPool(
  self: Responding,
  request: Asked,
  { reply, depends, position, ...about }: PoolAnswer,
): AnsweredReply | Promise<AnsweredReply> {
  const versions = depends?.map((key) => ({ key, version: self.cacheVersion(key) })) ?? null;
  const isCurrent = versions?.every(({ version }) => version <= position) === true;
  const answered = { ...about, reply: replyFrom(reply), position: null, from: 'thread' as const };
  return respond(self, request, { ...answered, versions: isCurrent ? versions : null });
}

interface Refused {
  readonly viewer: Viewer;
  readonly asked?: Input['query'];
  readonly jsonp?: string | null;
}

/** The answer to a request that is not carried out. */
export function refused(
  { names, rootLink }: Responding,
  refusal: Refusal,
  { viewer, asked = NOTHING_ASKED, jsonp = null }: Refused,
): AnsweredReply {
  const to = { viewer, jsonp, rootLink: rootLink(), names, position: null };
  return {
    reply: bytesOf({ method: '', query: asked }, refusedOutcome(refusal, viewer), to),
    route: null,
    position: null,
  };
}

interface Dressing {
  readonly viewer: Viewer;
  /** The `Link` header of responses without one of their own. */
  readonly rootLink: string;
  readonly jsonp: string | null;
  readonly names: HeaderNames;
  readonly position: number | null;
}

/** The bytes of an outcome: envelope, wrapping, headers. */
function bytesOf(
  { method, query }: Pick<Input, 'method' | 'query'>,
  outcome: RequestOutcome,
  { viewer, rootLink, jsonp, names, position }: Dressing,
): Reply {
  const { status, allow, shown } = outcome;
  // Something was left out because it had cost too much.
  const headers = outcome.cost?.isCut === true ? { ...outcome.headers, [names.truncated]: 'true' } : outcome.headers;
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
    ...(isRead ? { tagged: { version: outcome.version ?? headersTag(headers), digest: ready?.digest } } : {}),
  };
  if (ready !== undefined) return { ...replyOf(status, ready.bytes, parts), release: ready.release };
  if (!enveloped && shown.kind === 'bytes') return replyOf(status, shown.bytes, parts);
  const text = enveloped ? envelope(jsonOf(shown), status, envelopeHeaders(headers, allow)) : recordText(shown);
  return replyOf(enveloped ? 200 : status, wrapped ? jsonpText(jsonp, text) : text, parts);
}
