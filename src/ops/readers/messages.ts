import type { MessagePort } from 'node:worker_threads';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { LateMade, LateWork, PoolAnswer, PoolPage, PoolRead } from '#http/engine/pool.ts';
import type { PageReply } from '#http/server/page-reply.ts';
import type { AnswerSource } from '#http/server/tracing.ts';
import type { Published } from '#projections/kernel/changes.ts';
import type { TextWork } from '#text/prepared-texts.ts';
import type { ConnectionCount } from './connection-count.ts';

/** Messages between the main thread and a reader thread. They are copied, or moved where they are bytes. */

export type ReaderQuestion =
  | { readonly kind: 'read'; readonly read: PoolRead }
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'visit'; readonly address: string }
  | { readonly kind: 'late'; readonly work: LateWork }
  | { readonly kind: 'compute'; readonly works: readonly TextWork[] };

/** Null: the thread cannot answer. */
export type ReaderAnswer = PoolAnswer | PoolPage | LateMade | readonly string[] | PageReply | Refusal | null;

export type ToReader =
  /** One at a time. */
  | { readonly kind: 'ask'; readonly question: ReaderQuestion }
  | { readonly kind: 'published'; readonly published: Published }
  /** From now on, each answer closes its connection. */
  | { readonly kind: 'stopping' }
  /** Takes no more connections, and ends when those that it has have ended. */
  | { readonly kind: 'leave' }
  /** The same, without waiting for those on which nothing is under way. */
  | { readonly kind: 'end' };

export type FromReader =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: ReaderAnswer }
  /** A request that only the main thread can answer, on a connection of its own. */
  | { readonly kind: 'connection'; readonly port: MessagePort; readonly address: string | undefined }
  | { readonly kind: 'observed'; readonly observed: Observed };

/** What a thread has answered on its port since its last report. */
export interface Observed {
  readonly requests: Map<string, ObservedRequests>;
  readonly reads: Record<AnswerSource, number>;
  dropped: number;
}

interface ObservedRequests {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  /** In milliseconds. */
  readonly durations: number[];
}

export interface ReaderData {
  /** Settings of the server. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Number of messages about commits that the thread has been sent. */
  readonly told: Int32Array;
  /** Of a thread that shares the port; null: it answers questions alone. */
  readonly listens: Listens | null;
}

export interface Listens {
  readonly connections: ConnectionCount;
  readonly isTerminal: boolean;
}
