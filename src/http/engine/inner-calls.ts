import type { Refusal } from '#domain/kernel/refusal.ts';
import type { JsonText, Method } from './method.ts';

/** Carries out requests within the session of the one that they are part of. Only what `allowBatch` marks can be. */
export interface Inner {
  /** Finds a request's route and checks its parameters against what is stored at the moment. */
  readonly prepare: (request: InnerRequest) => InnerCall;
  /** Does work that leaves no trace when it is refused or fails. */
  readonly attempt: <T>(work: () => T | Refusal) => T | Refusal;
}

export interface InnerRequest {
  readonly method: Method;
  /** Below the route root, not percent-encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface InnerCall {
  /** What was wrong with it when it was prepared. */
  readonly fault: InnerAnswer | null;
  /** Carries it out as a request of its own would be; a faulty one only answers what is wrong with it. */
  readonly run: () => InnerAnswer;
}

export interface InnerAnswer {
  readonly refused: boolean;
  /** Nothing was done. */
  readonly idle: boolean;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonText;
}
