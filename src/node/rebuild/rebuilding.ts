import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RebuildPriority } from '#config.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { InterfaceNames } from '#domain/site/interface-names.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { Reporter } from '#process/reporter.ts';
import { type RebuildFound, rebuildInChildProcess } from './in-child-process.ts';
import { prepareSuccessor, type Successor } from './successor.ts';
import type { RebuildEnd, RebuildOptions, RebuildState, RebuildTask } from './types.ts';

/** Rebuilds projections while the live ones serve; one rebuild at a time. */
export interface Rebuilding {
  readonly state: RebuildState;
  /** Begins a rebuild and does not wait for it: see `state`. Refused while another one is under way. */
  start(options: RebuildOptions): RebuildState | Refusal;
  /** Stops a rebuild that is under way; the live projections are kept. Resolves when it has ended. */
  stop(): Promise<void>;
  /**
   * Rebuilds everything from the first event, without reusing an earlier rebuild or the old files, which are removed at the end. Stops a
   * rebuild that is under way. Throws when it does not finish. `isUrgent`: at normal priority,
   * and without a look at the live projections, which are damaged.
   */
  renew(options?: { readonly isUrgent?: boolean }): Promise<void>;
}

export interface RebuildingParts {
  readonly log: EventStore;
  readonly logPath: string;
  readonly path: string;
  readonly clock: () => number;
  readonly names: InterfaceNames;
  readonly priority: RebuildPriority;
  /** Runs `rebuildAsChild`. */
  readonly script: URL;
  /** Resolves when the live following projections contain what the live rows do. */
  readonly followed: () => Promise<void> | undefined;
  readonly takeOver: (successor: Successor, differs: boolean) => Promise<void>;
  readonly reporter: Reporter;
  readonly removeReplaced: () => Promise<void>;
}

interface Begun extends RebuildOptions {
  readonly isUrgent?: boolean;
}

export function createRebuilding(parts: RebuildingParts): Rebuilding {
  return new Rebuilder(parts);
}

class Rebuilder implements Rebuilding {
  readonly #parts: RebuildingParts;
  readonly #folder: string;
  #state: RebuildState = { run: 0, task: null, startedAt: null, ended: null };
  #running: Promise<void> = Promise.resolve();
  #stopping = new AbortController();

  constructor(parts: RebuildingParts) {
    this.#parts = parts;
    this.#folder = join(dirname(parts.path), 'rebuild');
  }

  get state(): RebuildState {
    return this.#state;
  }

  start(options: RebuildOptions): RebuildState | Refusal {
    return this.#state.task === null
      ? this.#begin(options)
      : refuse('rebuild_under_way', 'A rebuild is under way already.');
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async renew(options: { readonly isUrgent?: boolean } = {}): Promise<void> {
    await this.stop();
    // Begins without a pause, so that no other rebuild can start in between.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    this.#begin({ projections: [], check: false, ...options });
    await this.#running;
    const { ended } = this.#state;
    if (ended?.outcome !== 'replaced') throw new Error(ended?.fault ?? 'the rebuild was stopped');
    await this.#parts.removeReplaced();
  }

  #begin(options: Begun): RebuildState {
    const { clock, reporter } = this.#parts;
    const task = { name: 'starting', done: 0, total: 0, unit: 'events' };
    this.#state = { run: this.#state.run + 1, task, startedAt: new Date(clock()).toISOString(), ended: null };
    this.#stopping = new AbortController();
    reporter.info(`a rebuild begins${options.check ? ' that only compares' : ''}`);
    this.#running = this.#run(options, this.#stopping.signal);
    return this.#state;
  }

  async #run(options: Begun, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    const end = (outcome: RebuildEnd['outcome'], fault: string | null, found?: RebuildFound) => {
      const { differences = null, position = 0 } = found ?? {};
      const seconds = Math.round(performance.now() - began) / 1000;
      this.#state = { ...this.#state, task: null, ended: { outcome, fault, differences, position, seconds } };
      const differing = differences === null ? '' : `; tables that differed: ${differences.length}`;
      this.#parts.reporter.info(`the rebuild ended after ${seconds.toFixed(1)} s: ${fault ?? outcome}${differing}`);
    };
    try {
      const found = await this.#rebuild(options, signal);
      end(options.check ? 'compared' : 'replaced', null, found);
    } catch (error) {
      if (signal.aborted) end('stopped', null);
      else end('failed', error instanceof Error ? error.message : String(error));
    }
  }

  async #rebuild(options: Begun, signal: AbortSignal): Promise<RebuildFound> {
    const { log, logPath, path: live, names, priority, script, followed, takeOver } = this.#parts;
    const folder = this.#folder;
    const fresh = join(folder, 'projections.db');
    const isWanted = options.projections.length === 0 || options.projections.some((name) => name !== 'search');
    const views = isWanted ? join(folder, 'views') : null;
    const { isUrgent = false, projections, check } = options;
    const how = { priority: isUrgent ? 'normal' : priority, compare: !isUrgent } as const;
    const job = { parent: process.pid, log: logPath, live, fresh, views, names, projections, check, ...how };
    // What a stopped rebuild left may contain more than the live following projections; it waits until they have caught up.
    if (!isUrgent) await followed()?.catch(() => undefined);
    const onTask = (task: RebuildTask) => {
      this.#state = { ...this.#state, task };
    };
    const found = await rebuildInChildProcess(job, { script, signal, onTask });
    if (options.check) {
      await rm(folder, { recursive: true, force: true });
      return found;
    }
    const onProgress = (done: number, total: number) => onTask({ name: 'catching up', done, total, unit: 'events' });
    const successor = await prepareSuccessor({ log, path: fresh, viewsPath: views, signal, onProgress });
    await takeOver(successor, found.differences === null || found.differences.length > 0);
    await rm(folder, { recursive: true, force: true });
    return found;
  }
}
