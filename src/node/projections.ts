import { join } from 'node:path';
import type { Erased } from '#projections/kernel/projection.ts';
import { sealFile } from '#projections/kernel/seal.ts';
import { removeReplaced, replaceProjections } from '#projections/projector/database.ts';
import { removeReplacedViews, replaceViews } from '#projections/views/saved.ts';
import { type Core, openCore } from './core.ts';
import type { CoreOptions } from './core-options.ts';
import { openPreloaded } from './preload.ts';
import type { Mending } from './rebuild/mending.ts';
import type { Successor } from './rebuild/rebuilding.ts';
import type { RebuildTask } from './rebuild/types.ts';

export interface Forgetting extends Erased {
  /** Texts of these events that nothing else should contain. */
  readonly gone: readonly string[];
  readonly onTask: (task: RebuildTask) => void;
}

type Options = Omit<CoreOptions, 'kept'> & { readonly views: NonNullable<CoreOptions['views']> };

export function projectionsPathOf({ dataDir }: { readonly dataDir: string }): string {
  return join(dataDir, 'projections.db');
}

/** The projections of a node. A rebuild replaces them while the node serves: `core` is what serves now. */
export class NodeProjections {
  readonly #options: Options;
  readonly #mending: Pick<Mending, 'begin'>;
  #core: Core;
  #replacing: Promise<void> | null = null;

  /** Opens the projections; their indexes are loaded in steps, so that health checks are answered meanwhile. */
  static async open(options: Options, mending: Pick<Mending, 'begin'>): Promise<NodeProjections> {
    const open = (kept?: CoreOptions['kept']) => openCore({ ...options, kept });
    return new NodeProjections(options, mending, await openPreloaded(options.path, open, options.reporter));
  }

  private constructor(options: Options, mending: Pick<Mending, 'begin'>, core: Core) {
    this.#options = options;
    this.#mending = mending;
    this.#core = core;
  }

  get core(): Core {
    return this.#core;
  }

  /** Set while others replace these: writes wait for it. */
  get replacing(): Promise<void> | null {
    return this.#replacing;
  }

  /** Replaces the projections when no write is under way. `differs`: what is cached does not fit the new ones. */
  replace(successor: Successor, differs: boolean): Promise<void> {
    return this.#alone(async () => {
      do {
        await this.#core.writer.idle();
        // Whatever cannot be written to the old file is in the log.
        await this.#core.settle().catch(this.#options.reporter.fault);
      } while (this.#core.writer.busy);
      this.#core = this.#swap(successor);
      if (differs) this.noteAll();
      else this.#options.notifier.notify();
    });
  }

  /**
   * Leaves nothing of erased texts in the files of the projections, while the site serves. Returns false if that takes a rebuild. Harmless
   * to repeat.
   */
  async forget({ gone, onTask, ...erased }: Forgetting): Promise<boolean> {
    onTask({ name: 'rewriting rows', done: 0, total: erased.events.length, unit: 'events' });
    if (!(await this.#alone(() => this.#core.forgetRows(erased)))) return false;
    this.noteAll();
    return this.#core.overwriteRemains({
      gone,
      alone: (work) => this.#alone(async () => work()),
      onProgress: (done, total) => onTask({ name: 'overwriting remains', done, total, unit: 'bytes' }),
    });
  }

  /** Runs work while no write is under way: those that come wait. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#replacing !== null) await this.#replacing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#replacing = promise;
    try {
      await this.#core.writer.idle();
      return await work();
    } finally {
      this.#replacing = null;
      resolve();
    }
  }

  /** Outdates all cached answers. */
  noteAll(): void {
    this.#options.cacheVersions.noteAll(this.#core.reader.position);
    this.#options.notifier.notify();
  }

  async removeReplaced(): Promise<void> {
    await removeReplaced(this.#options.path);
    await removeReplacedViews(this.#options.views.path);
  }

  async close(): Promise<void> {
    await this.#core.writer.idle();
    this.#core.close({ save: true });
    sealFile(this.#options.path);
  }

  #swap({ path, viewsPath, live, close }: Successor): Core {
    const { path: current, views } = this.#options;
    const { reader } = this.#core;
    this.#core.close({ save: false });
    close();
    try {
      // Answers first: after a crash in between, new ones are rebuilt if they do not fit; old ones beside new rows would be kept.
      if (viewsPath !== null) replaceViews(views.path, viewsPath);
      replaceProjections(current, path);
      return openCore({ ...this.#options, kept: { reader, live } });
    } catch (error) {
      try {
        this.#core = openCore(this.#options);
      } catch (fault) {
        this.#mending.begin(fault);
      }
      throw error;
    }
  }
}
