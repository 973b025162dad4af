import { defaultNames } from '#domain/site/interface-names.ts';
import { isDamage } from '#projections/kernel/damage.ts';
import { projectionsVersion } from '#projections/projector/schema.ts';
import type { Reader } from '#projections/reading/reader.ts';
import { Views } from '#projections/views/views.ts';
import type { CoreOptions } from './core-options.ts';
import type { ProjectionFiles } from './projection-files.ts';
import { openRebuildable } from './rebuildable-file.ts';

type Options = Pick<CoreOptions, 'log' | 'views' | 'names' | 'integrity' | 'reporter'> & { readonly reader: Reader };

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
    { path, viewMaker }: NonNullable<CoreOptions['views']>,
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
