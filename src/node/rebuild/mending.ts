import { setTimeout as wait } from 'node:timers/promises';
import type { Readiness } from '../readiness.ts';
import type { Rebuilding } from './rebuilding.ts';

export interface Mending {
  /** The projections are damaged: nothing may be decided upon them. */
  readonly isNeeded: boolean;
  /** Takes note that the projections are not what the log says, or that this is `certain`, since a checksum says so. */
  report(fault: Error, certain?: boolean): void;
  close(): void;
}

export interface MendingParts {
  /** Not asked for before `report` was called and its caller is through. */
  readonly rebuilding: () => Pick<Rebuilding, 'renew' | 'state'>;
  readonly readiness: Pick<Readiness, 'hold' | 'release'>;
  readonly onWarning: (message: string) => void;
  readonly clock: () => number;
}

/** Milliseconds between two tries. */
const pause = 60_000;
/** Milliseconds for which projections that were made again are above suspicion: what is wrong then is not their fault. */
const trusted = 10 * 60_000;

export function createMending({ rebuilding, readiness, onWarning, clock }: MendingParts): Mending {
  let isNeeded = false;
  let closed = false;
  let mendedAt = Number.NEGATIVE_INFINITY;

  async function mend(): Promise<void> {
    await wait(0);
    while (!closed) {
      const { run } = rebuilding().state;
      try {
        await rebuilding().renew();
        break;
      } catch (error) {
        if (await isReplaced(run)) break;
        if (closed) return;
        onWarning(`the projections could not be made again, which is tried again in a minute: ${messageOf(error)}`);
        await wait(pause, undefined, { ref: false });
      }
    }
    if (closed) return;
    isNeeded = false;
    readiness.release('projections_damaged');
    mendedAt = clock();
    onWarning('the projections have been made again from the log: writes are taken again');
  }

  async function isReplaced(run: number): Promise<boolean> {
    while (!closed && rebuilding().state.task !== null) await wait(100, undefined, { ref: false });
    const { state } = rebuilding();
    return state.run > run + 1 && state.ended?.outcome === 'replaced';
  }

  return {
    get isNeeded() {
      return isNeeded;
    },
    report({ message }, certain = false) {
      if (isNeeded || closed) return;
      if (clock() - mendedAt < (certain ? pause : trusted)) return onWarning(`a write was refused: ${message}`);
      isNeeded = true;
      readiness.hold('projections_damaged');
      onWarning(`the projections are damaged and are made again; no writes are taken meanwhile: ${message}`);
      void mend();
    },
    close() {
      closed = true;
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
