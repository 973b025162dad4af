import type { EventStore } from '#eventstore/port.ts';
import type { TrailTable } from '#projections/audit/trail.ts';
import type { ProjectionsHealth } from '#projections/health.ts';
import type { Model } from '#projections/model.ts';
import type { OriginOf } from '../origin.ts';

/** What the audit pages read. */
export interface AuditStore {
  readonly reader: Model;
  readonly log: Pick<EventStore, 'read' | 'head' | 'positionAt'>;
  readonly trail: TrailTable;
  health(): ProjectionsHealth;
}

/** One request for a page. */
export interface AuditCall {
  readonly store: AuditStore;
  /** Path below the root, between slashes: `things`, `entry-12`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly originOf: OriginOf | undefined;
  /** Lets other requests have their turn. */
  readonly pause: () => Promise<void>;
}
