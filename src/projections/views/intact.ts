import { closeSync, openSync, readSync } from 'node:fs';
import { SavedSlots } from './saved.ts';
import { segmentPath, segmentSize } from './segments.ts';
import { isIntact, placesIn, SlotTable, viewDigest } from './table.ts';

/** Result of checking a view on disk: whether it is as it was written. */
export interface Examined {
  readonly id: number;
  readonly isIntact: boolean;
}

/** Reads ready answers as last saved, while a server may use them; removed ones are left out. */
export class ViewsOnDisk {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** A text that changes with every save; null if nothing was saved. */
  state(): string | null {
    return new SavedSlots(this.#directory).state();
  }

  *examine(): Generator<Examined> {
    const slots = new SlotTable();
    const saved = new SavedSlots(this.#directory).read();
    if (saved !== null) slots.load(saved.slots);
    const files = new Map<number, number | null>();
    try {
      for (const slot of slots.slots()) {
        const { id, address, text, label, searched, digest } = slot;
        const segment = Math.floor(address / segmentSize);
        const file = files.get(segment) ?? opened(segmentPath(this.#directory, segment));
        files.set(segment, file);
        if (file === null) continue;
        const at = placesIn(slot);
        const bytes = Buffer.allocUnsafe(at.end);
        const length = readSync(file, bytes, 0, at.end, address % segmentSize);
        const parts = [
          [0, text],
          [at.label, label],
          [at.searched, searched],
        ] as const;
        const isWhole = length === at.end && parts.every(([from, size]) => isIntact(bytes, from, size));
        // A record with only texts for searches is not an answer: it is reported only when damaged.
        if (text === 0 && isWhole) continue;
        yield { id, isIntact: isWhole && viewDigest(bytes.subarray(0, text)) === digest };
      }
    } finally {
      for (const file of files.values()) if (file !== null) closeSync(file);
    }
  }
}

function opened(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    // Removed because nothing in it was in use any more.
    return null;
  }
}
