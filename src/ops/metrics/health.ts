import type { Health } from '#http/server/health.ts';
import type { Integrity } from '#node/integrity.ts';
import type { Readiness, Reason } from '#node/readiness.ts';
import { type HookStatus, isTroubled } from '../hook-statuses.ts';

export interface LogReach {
  readonly log: {
    head(): { readonly position: number };
    read(query: { readonly from: number; readonly limit: number }): Iterable<unknown>;
  };
  readonly store: { readonly reader: { readonly position: number } };
  /** State of the node's copy of a shared log; absent if the log is not shared. */
  readonly replica?: {
    readonly connected: boolean;
    readonly differs: boolean;
    /** Number of events that the event store lacks; absent: none. */
    readonly missing?: number;
    /** Why server and node reject each other, in one sentence; null if they do not. */
    readonly refusal: string | null;
    readonly resubscriptions: number;
    readonly position: number;
    readonly ledgerHead: number;
    /** Milliseconds since the copy was last known to be complete. */
    readonly ageMs: number;
  };
}

/** Milliseconds after which an incomplete copy counts as stale. */
const tooOld = 10_000;
/** Maximum lag of the read model in events: a commit is in the log shortly before it is readable. */
const tooFar = 10_000;

/** Whether a node can answer and accept writes, judged from local state only. */
export function healthOf(
  node: LogReach & {
    readonly readiness: Readiness;
    readonly integrity?: Pick<Integrity, 'warnings'>;
    readonly webhookStatuses?: () => readonly HookStatus[];
  },
  backups: { warnings(): ReturnType<NonNullable<Health['warnings']>> } | null = null,
): Health {
  return {
    position: () => node.store.reader.position,
    reasons: () => [...node.readiness.reasons, ...logReasons(node), ...replicaReasons(node)],
    warnings: () => [
      ...(node.integrity?.warnings ?? []),
      ...hookWarnings(node.webhookStatuses?.() ?? []),
      ...(backups?.warnings() ?? []),
    ],
  };
}

function hookWarnings(statuses: readonly HookStatus[]): { readonly code: string; readonly message: string }[] {
  const troubled = statuses.filter(isTroubled).map(({ id, state }) => `hook ${id} is ${state}`);
  return troubled.length === 0
    ? []
    : [{ code: 'webhooks_fail', message: `${troubled.join(', ')}; see \`hooks list\`` }];
}

/** Number of events in the log that reads do not show yet. */
export function lagOf({ log, store, replica }: LogReach): number {
  return Math.max(replica?.ledgerHead ?? 0, log.head().position) - store.reader.position;
}

function logReasons(node: LogReach): Reason[] {
  try {
    const { position } = node.log.head();
    const [last] = position === 0 ? [true] : node.log.read({ from: position, limit: 1 });
    if (last === undefined) return [{ code: 'log_unreadable', message: 'the log has not what its head names' }];
    const lag = lagOf(node);
    return lag > tooFar ? [{ code: 'reads_behind', message: `reads are ${lag} events behind the log` }] : [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ code: 'log_unreadable', message: `the log cannot be read: ${why}` }];
  }
}

function replicaReasons({ replica }: LogReach): Reason[] {
  if (replica === undefined) return [];
  const noWrites = 'no writes are taken';
  if (replica.differs) {
    const { missing = 0 } = replica;
    const what = missing > 0 ? `lacks the last ${missing} events of` : 'has another log than';
    const message = `the event store ${what} this node: ${noWrites}`;
    return [{ code: 'event_store_differs', message }];
  }
  if (replica.refusal !== null) return [{ code: 'event_store_refuses', message: `${replica.refusal}: ${noWrites}` }];
  if (!replica.connected) {
    return [{ code: 'event_store_unreachable', message: `the event store cannot be reached: ${noWrites}` }];
  }
  if (replica.ageMs <= tooOld) return [];
  return [{ code: 'copy_stale', message: `the copy of the log is ${Math.round(replica.ageMs / 1000)} s old` }];
}
