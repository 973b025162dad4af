import type { DatabaseSync } from 'node:sqlite';
import { textWorkers } from '#process/text-workers.ts';
import { renderMissing } from '#projections/entries/render.ts';
import { type RunText, Suspended, TextResults } from '#text/suspended.ts';

/** Maximum number of entries rendered in one transaction. */
const atOnce = 10;

export interface IdleRendering {
  /** True while a long text is being rendered by another thread. */
  readonly isWaiting: boolean;
  /** Renders some entries. Returns false if there are none or if it is waiting. */
  work(): boolean;
}

/** Renders entries that other nodes have written, long texts in other threads. `onError`: these failed; the next call tries again. */
export function createIdleRendering(
  db: DatabaseSync,
  onError: (error: unknown) => void,
  runText: RunText = textWorkers,
): IdleRendering {
  const renderSome = renderMissing(db);
  let results = new TextResults({ waits: true });
  let isWaiting = false;

  function attempt(): number {
    db.exec('BEGIN IMMEDIATE');
    try {
      const found = results.within(() => renderSome(atOnce));
      db.exec('COMMIT');
      return found;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    get isWaiting() {
      return isWaiting;
    },
    work() {
      if (isWaiting) return false;
      try {
        const found = attempt();
        results = new TextResults({ waits: true });
        return found > 0;
      } catch (error) {
        if (!(error instanceof Suspended)) throw error;
        isWaiting = true;
        const end = () => {
          isWaiting = false;
        };
        void error.until(results, runText).catch(onError).finally(end);
        return false;
      }
    },
  };
}
