import type { Refusal } from '#domain/kernel/refusal.ts';
import type { JsonText, Method } from './method.ts';

/** Carries out requests within the session of the one that they are part of. Only what `allowBatch` marks can be. */
export interface Inner {
  readonly prepare: (request: InnerRequest) => InnerCall;
  readonly attempt: <T>(work: () => T | Refusal) => T | Refusal;
}

export interface InnerRequest {
  readonly method: Method;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface InnerCall {
  readonly fault: InnerAnswer | null;
  /** Carries it out as a request of its own would be; a faulty one only answers what is wrong with it. */
  readonly run: () => InnerAnswer;
}

export interface InnerAnswer {
  readonly refused: boolean;
  readonly idle: boolean;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonText;
}
