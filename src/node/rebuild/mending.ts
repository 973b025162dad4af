import { setTimeout as wait } from 'node:timers/promises';
import type { Reporter } from '#process/reporter.ts';
import type { Readiness } from '../readiness.ts';
import type { Rebuilding } from './rebuilding.ts';

export interface Mending {
  /** True while the projections are damaged: nothing may be decided on them. */
  readonly isNeeded: boolean;
  /** Reports that the projections are damaged or contradict the log. `isCertain`: a checksum or SQLite itself says so. */
  report(fault: Error, options?: { readonly isCertain?: boolean }): void;
  /** Rebuilds because the projections could not be opened. */
  begin(fault: unknown): void;
  close(): void;
}

export interface MendingParts {
  /** Not called before `report`, and only after its caller has returned. */
  readonly rebuilding: () => Pick<Rebuilding, 'renew' | 'state'>;
  readonly readiness: Pick<Readiness, 'hold' | 'release'>;
  readonly reporter: Reporter;
  readonly clock: () => number;
}

/** Milliseconds before the second attempt; each later pause is twice as long as the one before. */
const firstPause = 1000;
const longestPause = 60_000;
/** Milliseconds after a rebuild during which a fault is not blamed on the projections, unless it is certain. */
const trusted = 10 * 60_000;

export function createMending({ rebuilding, readiness, reporter, clock }: MendingParts): Mending {
  let isNeeded = false;
  let closed = false;
  let mendedAt = Number.NEGATIVE_INFINITY;

  async function mend(): Promise<void> {
    await wait(0);
    for (let pause = firstPause; !closed; pause = Math.min(pause * 2, longestPause)) {
      const { run } = rebuilding().state;
      try {
        await rebuilding().renew({ isUrgent: true });
        break;
      } catch (error) {
        if (await isReplaced(run)) break;
        if (closed) return;
        reporter.warning(
          `the projections could not be made again, which is tried again in ${pause / 1000} s: ${messageOf(error)}`,
        );
        await wait(pause, undefined, { ref: false });
      }
    }
    if (closed) return;
    isNeeded = false;
    readiness.release('projections_damaged');
    mendedAt = clock();
    reporter.warning('the projections have been made again from the log: writes are taken again');
  }

  async function isReplaced(run: number): Promise<boolean> {
    while (!closed && rebuilding().state.task !== null) await wait(100, undefined, { ref: false });
    const { state } = rebuilding();
    return state.run > run + 1 && state.ended?.outcome === 'replaced';
  }

  function begin(fault: unknown): void {
    if (isNeeded || closed) return;
    isNeeded = true;
    readiness.hold('projections_damaged');
    reporter.warning(
      `the projections are damaged and are made again; no writes are taken meanwhile: ${messageOf(fault)}`,
    );
    void mend();
  }

  return {
    get isNeeded() {
      return isNeeded;
    },
    report(fault, { isCertain = false } = {}) {
      if (isNeeded || closed) return;
      if (clock() - mendedAt < (isCertain ? longestPause : trusted))
        reporter.warning(`a request failed: ${fault.message}`);
      else begin(fault);
    },
    begin,
    close() {
      closed = true;
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
