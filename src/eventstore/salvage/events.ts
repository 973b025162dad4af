import type { ChainedEvent } from '../chain.ts';
import { cellsOf, eventIn } from './cells.ts';
import { openPages, type Version } from './pages.ts';

export interface DamagedLog {
  /** Highest position seen; its event may be damaged. */
  readonly top: number;
  /** Events in the order of their positions; some may be damaged or missing. */
  events(): Generator<ChainedEvent>;
  close(): void;
}

interface Leaf {
  readonly version: Version;
  readonly first: number;
}

/** Opens a log that may be damaged anywhere, and must not be written meanwhile. Throws `LogUnavailable` when it does not exist. */
export function openDamagedLog(path: string): DamagedLog {
  const pages = openPages(path);
  const leaves: Leaf[] = [];
  let top = 0;
  const find = (versions: Iterable<Version>) => {
    for (const version of versions) {
      const cells = cellsOf(pages.read(version));
      const [first, last] = [cells[0], cells.at(-1)];
      if (first === undefined || last === undefined) continue;
      leaves.push({ version, first: first.position });
      top = Math.max(top, last.position);
    }
  };
  find(pages.whole());
  // Sorted after intact pages with the same first position, because the sort is stable: damaged pages add only what those lack.
  find(pages.damaged());
  leaves.sort((a, b) => a.first - b.first);
  return {
    top,
    *events() {
      let last = 0;
      for (const { version } of leaves) {
        const page = pages.read(version);
        for (const cell of cellsOf(page)) {
          const event = cell.position > last ? eventIn(page, cell, pages.newest) : null;
          if (event === null) continue;
          last = event.position;
          yield event;
        }
      }
    },
    close: pages.close,
  };
}
