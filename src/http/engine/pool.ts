import type { Viewer } from '#domain/user/roles.ts';
import type { Standing } from '#text/cost.ts';
import type { TextWork } from '#text/prepared-texts.ts';
import type { FlatHeaders, HeaderNames } from '../message/headers.ts';
import type { Reply } from '../message/reply.ts';
import { sentIn } from './call.ts';
import { type Input, isPlainRead, type RawRequest } from './input.ts';
import type { LateText } from './late-texts.ts';
import { parameterOf, pastOf } from './past.ts';
import type { FoundEndpoint } from './table.ts';

/** A read as a reader thread gets it. Its client has been identified, and may send it. */
export interface PoolRead {
  readonly method: string;
  readonly url: string;
  /** Path below the route root, percent-decoded. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly peer: string;
  readonly viewer: Viewer;
  readonly correlationId: string;
  /** Absent: it is empty. */
  readonly body?: Uint8Array;
}

export interface PoolReply {
  readonly status: number;
  readonly head: FlatHeaders;
  readonly body: Uint8Array;
  readonly tag: string | null;
}

/** An answer made by a reader thread. */
export interface PoolAnswer {
  readonly reply: PoolReply;
  /** Pattern of the matched route; null if there was none. */
  readonly route: string | null;
  readonly isTruncated: boolean;
  readonly isText: boolean;
  /** What it depends on, if it may be cached; else null. */
  readonly depends: readonly string[] | null;
  readonly isSecret: boolean;
  /** Log position that it shows. */
  readonly position: number;
}

/** A page made by a reader thread. */
export interface PoolPage {
  readonly reply: PoolReply;
  /** Whether it may be cached: it does not show the time. */
  readonly lasts: boolean;
  /** Log position that it shows. */
  readonly position: number;
}

/** The late texts of the answer to a write, by groups, as its commit at a position has left them. */
export interface LateWork {
  readonly groups: readonly (readonly LateText[])[];
  readonly viewer: Viewer;
  readonly position: number;
  readonly cost: Standing | undefined;
}

export interface LateMade {
  readonly groups: readonly (readonly string[])[];
  readonly cost: Standing;
}

/** Reader threads, for work that takes long. What they return null for is done in this thread. */
export interface ReaderPool {
  /** Whether a thread answers; otherwise one has to start first. */
  readonly isReady: boolean;
  /** Lets a thread start, if none is there. */
  wake(): void;
  /** `isGone`: whether nobody waits for the answer any more. */
  read(read: PoolRead, isGone: () => boolean): Promise<PoolAnswer | null>;
  /** A page that is the same for everybody. */
  page(url: string, isGone: () => boolean): Promise<PoolPage | null>;
  late(work: LateWork): Promise<LateMade | null>;
  compute(works: readonly TextWork[]): Promise<readonly string[] | null>;
}

/** The pool, if it takes a piece of long work. If it has to start first, it does so for the next piece. */
export function readyPool(pool: ReaderPool | undefined): ReaderPool | null {
  if (pool?.isReady === true) return pool;
  pool?.wake();
  return null;
}

/** A list of more records than this is long. */
const FEW = 20;

/** Whether a read belongs into the pool, by what it asks for and by the rows that it names. */
export function isLong<M, S extends M>(
  { endpoint, path }: FoundEndpoint<M, S>,
  { input, model }: { readonly input: Input; readonly model: M },
): boolean {
  const { endpoint: declared } = endpoint;
  if (!('query' in declared)) return false;
  const isCollection = Object.keys(path).length === 0;
  if (Number(sentIn(input, 'per_page') ?? 0) > FEW) return true;
  if (isCollection && input.query['_embed'] !== undefined) return true;
  return declared.isLong?.({ model, params: path, sent: (name) => sentIn(input, name) }) === true;
}

/** The moment as of which a request asks something across all items; null: it does not. */
export function momentOfAll<M, S extends M>(
  { endpoint: { endpoint } }: FoundEndpoint<M, S>,
  input: Input,
): string | null {
  const past = pastOf(endpoint);
  const moment = past?.isLong === true ? (sentIn(input, parameterOf(past)) ?? null) : null;
  return moment === null ? null : String(moment);
}

/** Whether a reader thread could answer a request: a read that needs nothing but what is stored. */
export function isMovable(
  request: RawRequest & { readonly ahead?: true },
  { input, names }: { readonly input: Input; readonly names: HeaderNames },
): boolean {
  return request.ahead !== true && isPlainRead(request, names) && input.query['_method'] === undefined;
}

/** Headers that stay in this thread: whose a read is, and what its client knows, is settled before and after. */
const STAYS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'if-none-match']);

export function poolRead(read: Omit<PoolRead, 'peer'> & { readonly peer?: string }): PoolRead {
  const { method, url, path, query, peer = '', viewer, correlationId, body } = read;
  const headers = Object.fromEntries(Object.entries(read.headers).filter(([name]) => !STAYS.has(name)));
  const sent = { method, url, path, query, headers, peer, viewer, correlationId };
  return body === undefined || body.length === 0 ? sent : { ...sent, body: new Uint8Array(body) };
}

/** A reply whose bytes were sent by another thread. */
export function replyFrom({ body, ...reply }: PoolReply): Reply {
  return { ...reply, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
}
