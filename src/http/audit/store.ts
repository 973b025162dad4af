import type { OriginOf } from '#domain/kernel/origin.ts';
import type { HookProgress } from '#domain/plugins/hooks/progress.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { TrailTable } from '#projections/audit/trail.ts';
import type { ProjectionsHealth } from '#projections/health.ts';
import type { Model } from '#projections/model.ts';

export interface RebuildShown {
  /** What is being done; null when nothing is. `total` is 0 where it is not known. */
  readonly task: { readonly name: string; readonly done: number; readonly total: number; readonly unit: string } | null;
  /** When the last one began, ISO 8601 UTC; null when there has been none since the start of the server. */
  readonly startedAt: string | null;
  readonly ended: { readonly outcome: string; readonly fault: string | null; readonly seconds: number } | null;
}

/** What the last `verify` found, as far as people want to know of it. */
export interface VerifiedShown {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly by: string;
  readonly result: 'ok' | 'wrong';
  readonly head: { readonly position: number; readonly hash: string } | null;
  readonly noted: boolean;
}

export interface AuditStore {
  readonly reader: Model;
  readonly log: Pick<EventStore, 'read' | 'head' | 'positionAt'>;
  /** Who did what. It may lack the newest events until `followed`. */
  readonly trail: TrailTable;
  /** Resolves when the trail contains what the reader shows; undefined when it does. */
  followed(): Promise<void> | undefined;
  /** Milliseconds since 1970, and those that the log may be ahead of that. */
  readonly clock: { readonly now: number; readonly tolerance: number };
  health(): ProjectionsHealth;
  /** What `verify` found when it was last run here; null when it never was. */
  verified(): VerifiedShown | null;
  readonly rebuilding: { readonly state: RebuildShown };
  /** How far hooks have come; without it nobody knows. */
  readonly hooks?: { readonly progress: Pick<HookProgress, 'of'>; readonly isOn: boolean };
}

export interface AuditCall {
  readonly store: AuditStore;
  /** Path below the root, between slashes: `things`, `entry-12`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly originOf: OriginOf | undefined;
  readonly pause: () => Promise<void>;
}
