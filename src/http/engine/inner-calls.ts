import type { Refusal } from '#domain/kernel/refusal.ts';
import type { JsonText } from '#text/json.ts';

/** Carries out the requests of a batch within its session. Only endpoints with `allowBatch` may be used. */
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
  /** Carries out the request as if it were sent alone; a faulty one only returns its fault. */
  readonly run: () => InnerAnswer;
}

export interface InnerAnswer {
  readonly refused: boolean;
  readonly idle: boolean;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonText;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
