import type { Viewer } from '#domain/user/roles.ts';
import type { AnswerCache, CacheVersion, RecentRequests } from './cache.ts';
import { encodedFor } from './encoding.ts';
import type { HeaderNames } from './headers.ts';
import { headerIn, type RawRequest } from './input.ts';
import { type Reply, unlessKnown } from './reply.ts';

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
}

/** An answer that is ready to be sent. */
export interface MadeAnswer {
  readonly reply: Reply;
  readonly route: string | null;
  readonly position: number | null;
  readonly isTruncated: boolean;
  readonly isText: boolean;
  readonly isSecret: boolean;
  readonly from?: AnsweredReply['from'];
  /** What it depends on, if it may be cached; else null. */
  readonly versions: readonly CacheVersion[] | null;
}

export interface Sending {
  readonly cache: AnswerCache;
  readonly recentRequests: RecentRequests;
  readonly names: HeaderNames;
  readonly compresses: boolean;
}

interface Asked extends Pick<RawRequest, 'headers'> {
  readonly url: string;
  readonly viewer: Viewer;
  readonly ahead?: true;
}

/** In bytes. Texts of this length hardly ever change, so that even the first client waits for their compression. */
const LONG_TEXT = 128 * 1024;

/** Caches an answer if it may be asked for again, and leaves out the body if the client knows it. */
export function sendable(
  sending: Sending,
  request: Asked,
  { reply, route, position, isTruncated, isText, isSecret, from, versions }: MadeAnswer,
): AnsweredReply | Promise<AnsweredReply> {
  const { cache, recentRequests } = sending;
  const { viewer, headers, url } = request;
  const answered = (made: Reply) => {
    const about = { route, position, isTruncated, isText, ...(from && { from }) };
    return asSent(sending, request, { ...about, reply: made, isSecret });
  };
  const isLongText = isText && reply.body.length >= LONG_TEXT;
  if (versions === null || route === null || !(isLongText || isWanted(recentRequests, request))) return answered(reply);
  cache.keep(url, viewer, { reply, route, versions, isSecret });
  if (!isLongText) return answered(reply);
  const accepted = headerIn(headers, 'accept-encoding');
  return cache.compressed(url, viewer, accepted).then((kept) => answered(kept?.reply ?? reply));
}

/** Leaves out the body if the client knows it; else encodes it as the client takes it. */
export function asSent(
  { names, compresses }: Pick<Sending, 'names' | 'compresses'>,
  { headers }: Pick<Asked, 'headers'>,
  answer: AnsweredReply,
): AnsweredReply | Promise<AnsweredReply> {
  const reply = unlessKnown(answer.reply, headerIn(headers, 'if-none-match'), names);
  const encoded =
    compresses && answer.isSecret !== true ? encodedFor(headerIn(headers, 'accept-encoding'), reply) : reply;
  if (encoded instanceof Promise) return encoded.then((made) => ({ ...answer, reply: made }));
  return { ...answer, reply: encoded };
}

export function isWanted(recentRequests: RecentRequests, { url, ahead }: Pick<Asked, 'url' | 'ahead'>): boolean {
  return ahead === true || recentRequests.asked(url);
}
