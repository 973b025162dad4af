import type { DatabaseSync } from 'node:sqlite';
import { defaultNames } from '#domain/site/interface-names.ts';
import { renderMissing } from '#projections/entries/render.ts';
import { isDamage } from '#projections/kernel/sums.ts';
import { projectionsVersion } from '#projections/projector/database.ts';
import type { Reader } from '#projections/reading/reader.ts';
import { Views } from '#projections/views/views.ts';
import type { CoreOptions, ReadyAnswersOptions } from './core-options.ts';
import type { ProjectionFiles } from './projection-files.ts';
import { openRebuildable } from './rebuildable-file.ts';

type Options = Pick<CoreOptions, 'log' | 'views' | 'names' | 'integrity' | 'reporter'> & { readonly reader: Reader };

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
    { path, viewMaker }: ReadyAnswersOptions,
  ) {
    this.#options = options;
    const { reader, log, names = defaultNames, integrity } = options;
    this.views = new Views({
      directory: path,
      reader: shown,
      make: viewMaker(reader),
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

/** Returns a function that renders some entries which other nodes have written. It returns false if there are none. */
export function createIdleRendering(db: DatabaseSync): () => boolean {
  const renderSome = renderMissing(db);
  return () => {
    db.exec('BEGIN IMMEDIATE');
    try {
      const found = renderSome(atOnce);
      db.exec('COMMIT');
      return found > 0;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
}
