import type { HookProgress } from '#domain/hooks/progress.ts';
import type { OriginLookUp } from '#domain/kernel/origin.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { LoginCounts, Readings } from '#domain/user/logins.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { History } from '#projections/audit/history.ts';
import type { TrailTable } from '#projections/audit/trail.ts';
import type { WordIndex } from '#projections/audit/word-index.ts';
import type { Past } from '#projections/past/past.ts';
import type { ProjectionsHealth } from '#projections/projector/health.ts';
import type { Model } from '#projections/reading/model.ts';

export interface RebuildShown {
  /** The current task; null if there is none. `total` is 0 if unknown. */
  readonly task: { readonly name: string; readonly done: number; readonly total: number; readonly unit: string } | null;
  /** When the last rebuild began, ISO 8601 UTC; null if there has been none since the server started. */
  readonly startedAt: string | null;
  readonly ended: { readonly outcome: string; readonly fault: string | null; readonly seconds: number } | null;
}

/** The result of the last `verify` run, as shown on the page. */
export interface VerifiedShown {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly by: string;
  readonly result: 'ok' | 'wrong';
  readonly head: { readonly position: number; readonly hash: string } | null;
  readonly noted: boolean;
}

/** The latest signed checkpoint. */
export interface SignedShown {
  readonly size: number;
  /** UTC, ISO 8601. */
  readonly at: string;
  /** Organisations that have cosigned it, and those that have not yet. */
  readonly cosignedBy: readonly string[];
  readonly missing: readonly string[];
}

/** What a proof can be made of: an item, one event, or the erasure of a stream. */
export type ProofSubject =
  | {
      readonly stream: string;
      readonly position: number;
      /** Null: all texts. */
      readonly field: string | null;
      readonly isHistory: boolean;
    }
  /** What visitors could read between two positions. */
  | { readonly stream: string; readonly low: number; readonly high: number }
  | { readonly event: number }
  | { readonly erasure: string };

/** Makes the file that answers a question, as far as whoever asks has agreed to what it opens. */
export type MakeProof = (
  question: ProofSubject & { readonly password: boolean; readonly also: boolean },
) => string | Refusal;

export interface AuditStore {
  readonly past: Pick<Past, 'asOf'>;
  readonly logins: Pick<LoginCounts, 'all'>;
  readonly readings: Pick<Readings, 'all'>;
  readonly reader: Model;
  readonly log: Pick<EventStore, 'read' | 'head' | 'positionAt'> & History;
  /** Who did what. May lack the newest events until `followed`. */
  readonly trail: TrailTable;
  /** Where words and changed fields are in the log; absent: everything is read. */
  readonly words?: Pick<WordIndex, 'position' | 'find'>;
  /** Resolves when the trail contains what the reader shows; undefined when it does. */
  followed(): Promise<void> | undefined;
  /** Makes proofs of what is recorded. */
  readonly prove: MakeProof;
  /** Milliseconds since 1970, and by how many milliseconds the log may be ahead of that. */
  readonly clock: { readonly now: number; readonly tolerance: number };
  health(): ProjectionsHealth;
  /** The result of the last `verify` run here; null if there has been none. */
  verified(): VerifiedShown | null;
  readonly rebuilding: { readonly state: RebuildShown };
  /** What is signed of the log; absent: unknown. */
  readonly transparency?: { readonly signed: () => SignedShown | null };
  /** Progress of the hooks; absent: unknown. */
  readonly hooks?: { readonly progress: Pick<HookProgress, 'of'>; readonly isOn: boolean };
}

/** What the audit is answered from. */
export interface AuditSource {
  readonly store: AuditStore;
  /** Undefined: no origins are kept. */
  readonly origins: OriginLookUp | undefined;
}

export interface AuditCall extends AuditSource {
  /** Path below the root, between slashes: `things`, `entry-12`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** Token of forms that write; null: nobody is logged in by a form. */
  readonly formToken: string | null;
  readonly pause: () => Promise<void>;
}
