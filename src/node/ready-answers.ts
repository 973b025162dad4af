import type { DatabaseSync } from 'node:sqlite';
import { defaultNames } from '#domain/site/interface-names.ts';
import { textWorkers } from '#process/text-workers.ts';
import { renderMissing } from '#projections/entries/render.ts';
import { isDamage } from '#projections/kernel/sums.ts';
import { projectionsVersion } from '#projections/projector/database.ts';
import type { Reader } from '#projections/reading/reader.ts';
import { Views } from '#projections/views/views.ts';
import { NeedsTexts, type RunText, TextResults } from '#text/suspended.ts';
import type { CoreOptions, ReadyAnswersOptions } from './core-options.ts';
import type { ProjectionFiles } from './projection-files.ts';
import { openRebuildable } from './rebuildable-file.ts';

type Options = Pick<CoreOptions, 'log' | 'views' | 'names' | 'integrity' | 'reporter'> & { readonly reader: Reader };

export interface IdleRendering {
  /** True while a long text is being rendered by another thread. */
  readonly isWaiting: boolean;
  /** Renders some entries. Returns false if there are none or if it is waiting. */
  work(): boolean;
}

/** Maximum number of entries rendered in one transaction. */
const atOnce = 10;

/** The ready answers of a node, and what is known of their damage. */
export class ReadyAnswers {
  readonly views: Views;
  readonly #options: Options;
  #isDamaged = false;

  /** Opens them beside the projections; undefined if there are to be none, or none can be stored. */
  static open(files: ProjectionFiles, options: Options, scope: DisposableStack): ReadyAnswers | undefined {
    const { views, reporter } = options;
    if (views === undefined) return undefined;
    const open = () => new ReadyAnswers(files, options, views);
    const opened = openRebuildable({ path: views.path, open, isForeign: isDamage, reporter });
    if (opened !== undefined) scope.defer(() => opened.views.close({ save: false }));
    return opened;
  }

  private constructor(
    { shown, projector }: ProjectionFiles,
    options: Options,
    { path, viewMaker, cacheBytes }: ReadyAnswersOptions,
  ) {
    this.#options = options;
    const { reader, log, names = defaultNames, integrity } = options;
    this.views = new Views({
      directory: path,
      reader: shown,
      make: viewMaker(reader),
      cacheBytes,
      version: JSON.stringify([projectionsVersion, names]),
      at: projector.checkpoint,
      onDamage: (message) => {
        this.#isDamaged = true;
        integrity?.noteAnswer(message);
      },
      hashAt: (position) => [...log.read({ from: position, to: position })][0]?.hash ?? null,
    });
  }

  /** Called when no ready answer is due: damaged ones have been made again by then. */
  noteMended(): void {
    if (!this.#isDamaged) return;
    this.#options.integrity?.mended();
    this.#isDamaged = false;
  }

  close(save: boolean): void {
    try {
      this.views.close({ save });
    } catch (error) {
      this.#options.reporter.warning(`the ready answers cannot be written down: ${(error as Error).message}`);
      this.views.close({ save: false });
    }
  }
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
        if (!(error instanceof NeedsTexts)) throw error;
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
