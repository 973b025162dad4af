import { type ReadLimit, ReadTime, TakesLong, unlessThrown } from '#text/read-time.ts';
import { Unwanted } from '#text/suspended.ts';
import { sentIn } from './call.ts';
import type { Elsewhere, MovedAnswer, MovedRead, MovedReply } from './elsewhere.ts';
import type { HeaderNames } from './headers.ts';
import { type Input, isPlainRead, type RawRequest } from './input.ts';
import type { Reply } from './reply.ts';
import type { FoundEndpoint } from './table.ts';

interface Places<T> {
  readonly here: (time: ReadLimit) => T | Promise<T>;
  /** `why`: what ended the attempt here, if there was one. */
  readonly there: (why?: TakesLong) => Promise<T>;
  /** Whether it takes long by what it asks for. */
  readonly isLong?: boolean;
}

/** Times as long as usual that a read may take which looked short until the thread is started: code that runs first takes a while. */
const patience = 5;

/**
 * Does a read here, or in the other thread if it takes long and that is ready. Otherwise it takes here what it takes, which is less than the
 * seconds that the thread needs to start, and the thread starts for those that follow.
 */
export function readBest<T>(
  thread: Pick<Elsewhere, 'isReady' | 'share' | 'wake'>,
  { here, there, isLong = false }: Places<T>,
): T | Promise<T> {
  const { isReady, share } = thread;
  if (isReady && isLong) return there();
  const wakeAfter = isLong ? share : share * patience;
  const time = isReady ? new ReadTime(share) : new ReadTime(wakeAfter, () => thread.wake());
  return unlessThrown(TakesLong, () => here(time), there);
}

interface Reading<M, S extends M> {
  readonly input: Input;
  readonly found: FoundEndpoint<M, S> | null | undefined;
}

/** Whether another thread could answer a request: a read that needs nothing but what is stored. */
export function isMovable<M, S extends M>(
  request: RawRequest & { readonly ahead?: true },
  { input, found, names }: Reading<M, S> & { readonly names: HeaderNames },
): boolean {
  if (!found || !('query' in found.endpoint.endpoint) || request.ahead === true) return false;
  return isPlainRead(request, names) && input.query['_method'] === undefined;
}

/** A list of more records than this is long. */
const few = 20;

/** Whether a read takes long by what it asks for. */
export function isLong<M, S extends M>({ input, found }: Reading<M, S>): boolean {
  const isCollection = found !== null && found !== undefined && Object.keys(found.path).length === 0;
  return (isCollection && input.query['_embed'] !== undefined) || Number(sentIn(input, 'per_page') ?? 0) > few;
}

/** Headers that stay here: whose a read is, and what its client knows, is settled before and after. */
const kept: ReadonlySet<string> = new Set(['authorization', 'cookie', 'if-none-match']);

/** Lets another thread answer a read. Throws `Unwanted` when nobody waits for it any more. */
export async function askElsewhere(
  elsewhere: Pick<Elsewhere, 'read'>,
  read: Omit<MovedRead, 'peer'> & { readonly peer?: string },
  { isGone }: { readonly isGone: () => boolean },
): Promise<MovedAnswer | null> {
  const { method, url, path, query, peer = '', viewer, correlationId, body } = read;
  const headers = Object.fromEntries(Object.entries(read.headers).filter(([name]) => !kept.has(name)));
  const moved = { method, url, path, query, headers, peer, viewer, correlationId };
  const sent = body === undefined || body.length === 0 ? moved : { ...moved, body: new Uint8Array(body) };
  const answer = await elsewhere.read(sent, isGone);
  if (isGone()) throw new Unwanted('the client has gone');
  return answer;
}

/** A reply whose bytes were sent by another thread. */
export function replyFrom({ body, ...reply }: MovedReply): Reply {
  return { ...reply, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
}
