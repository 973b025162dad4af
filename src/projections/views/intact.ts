import { closeSync, openSync, readSync } from 'node:fs';
import { isIntact, placesIn } from './record.ts';
import { SavedSlots } from './saved.ts';
import { segmentPath, segmentSize } from './segments.ts';
import { digestOf, SlotTable } from './table.ts';

/** What was found of a view on disk: whether it is what it was when it was made. */
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

  /** What was written down last, as a text that changes with it; null where nothing was. */
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
        // What only has texts that are searched is no answer: of such it is told when they are damaged.
        if (text === 0 && isWhole) continue;
        yield { id, isIntact: isWhole && digestOf(bytes.subarray(0, text)) === digest };
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
    // It went when nothing in it counted any more.
    return null;
  }
}
