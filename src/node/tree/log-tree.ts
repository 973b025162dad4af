import { join } from 'node:path';
import { leafOf } from '#eventstore/leaf.ts';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import type { Reporter } from '#process/reporter.ts';
import { type Digest, rootOf } from '#transparency/tree.ts';
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
  #tree: TreeFile | null = null;

  constructor({ dataDir, log, reporter }: LogTreeOptions) {
    this.#log = log;
    this.#file = openWhenNeeded({ path: join(dataDir, 'tree.db'), schema: treeSchema, reporter });
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
    const { tree } = this;
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

  /** Root of the first events of the log. */
  rootOf(size: number): Digest {
    while (this.tree.size < size && this.grow());
    return rootOf(size, this.tree);
  }

  close(): void {
    this.#file.close();
  }

  /**
   * The file is of another log, or of this one before it was restored or rewritten, unless the chain is the same: its hash covers all that
   * was before.
   */
  #opened(): TreeFile {
    const tree = new TreeFile(this.#file.get());
    const [last] = tree.size === 0 ? [] : this.#log.read({ from: tree.size, limit: 1, sealed: 'none' });
    if (tree.size > 0 && last?.hash !== tree.chainHash) tree.clear();
    return tree;
  }
}
