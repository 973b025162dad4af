import type { ChainedEvent } from '../chain.ts';
import { cellsOf, eventIn } from './cells.ts';
import { openPages, type Version } from './pages.ts';

export interface DamagedLog {
  /** The highest position seen; what has it may be damaged. */
  readonly top: number;
  /** Events in the order of their positions, some of them damaged, some missing. */
  events(): Generator<ChainedEvent>;
  close(): void;
}

interface Leaf {
  readonly version: Version;
  readonly first: number;
}

/** Opens a log that may be damaged anywhere. Nobody may write to it meanwhile. Throws `LogUnavailable` when there is none. */
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
  // Behind whole pages with the same positions, because the sort is stable: damaged ones add only what those lack.
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
