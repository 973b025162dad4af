import { join } from 'node:path';
import { leafOf } from '#eventstore/leaf.ts';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import type { Reporter } from '#process/reporter.ts';
import { isDamage } from '#projections/kernel/sums.ts';
import { type Digest, rootOf } from '#tlog/tree.ts';
import { openWhenNeeded } from '../rebuildable-file.ts';
import { TreeFile, treeSchema } from './tree-file.ts';

export interface LogTreeOptions {
  readonly dataDir: string;
  readonly log: Pick<EventStore, 'read' | 'head'>;
  readonly reporter: Reporter;
}

/** Events that are added at once: about 2 ms of work. */
const step = 128;

/** The Merkle tree over the events of the log. It follows the log in the background, and catches up when it is asked. */
export class LogTree {
  readonly #log: LogTreeOptions['log'];
  readonly #file;
  readonly #onDamage: (what: string) => void;
  #tree: TreeFile | null = null;
  #isAnew = false;

  constructor({ dataDir, log, reporter }: LogTreeOptions) {
    const path = join(dataDir, 'tree.db');
    this.#log = log;
    this.#onDamage = (what) => reporter.warning(`${path}: ${what}`);
    this.#file = openWhenNeeded({ path, schema: treeSchema, reporter });
  }

  /** The tree as far as it has grown. Throws while its file cannot be used. */
  get tree(): TreeFile {
    this.#tree ??= this.#opened();
    return this.#tree;
  }

  /** Number of events of the log that the tree does not have yet. */
  get missing(): number {
    return this.#log.head().position - this.tree.size;
  }

  /** Adds some commits. Returns false when the tree has all of the log. */
  grow(): boolean {
    return this.#attempt((tree) => this.#grow(tree));
  }

  /** Root of the first events of the log. */
  rootOf(size: number): Digest {
    return this.#attempt((tree) => {
      while (tree.size < size && this.#grow(tree));
      return rootOf(size, tree);
    });
  }

  /** A row of hashes or of entries. */
  tile(level: number, tile: number): Uint8Array {
    return this.#attempt((tree) => tree.tile(level, tile));
  }

  /** Removes everything, so that the tree grows anew from the log; false if this process has done so before. */
  beginAnew(why: string): boolean {
    if (this.#isAnew) return false;
    this.#isAnew = true;
    this.#onDamage(`${why}: the tree is made again from the log`);
    this.tree.clear();
    return true;
  }

  close(): void {
    this.#file.close();
  }

  #grow(tree: TreeFile): boolean {
    const from = tree.size + 1;
    if (from > this.#log.head().position) return false;
    for (let limit = step; ; limit *= 2) {
      const events = Array.from(this.#log.read({ from, limit, sealed: 'none' }));
      const end = events.findLastIndex(({ hash }) => hash !== null);
      const hash = events[end]?.hash;
      if (hash) {
        tree.append(events.slice(0, end + 1).map(leafOf), hash);
        return true;
      }
      if (events.length < limit) throw new LogUnavailable('the log ends within a commit');
    }
  }

  /** A file whose pages are damaged is set aside, and the next attempt begins another. */
  #attempt<T>(work: (tree: TreeFile) => T): T {
    try {
      return work(this.tree);
    } catch (error) {
      if (isDamage(error)) {
        this.#tree = null;
        this.#file.setAside(error);
      }
      throw error;
    }
  }

  #opened(): TreeFile {
    const db = this.#file.get();
    return new TreeFile(db, {
      entries: (from, to) => {
        const events = Array.from(this.#log.read({ from: from + 1, limit: to - from, sealed: 'none' }));
        if (events.length < to - from) throw new LogUnavailable('the log is shorter than its tree');
        return events.map(leafOf);
      },
      hashAt: (position) => {
        const [event] = this.#log.read({ from: position, limit: 1, sealed: 'none' });
        return event?.hash ?? null;
      },
      onDamage: this.#onDamage,
    });
  }
}
