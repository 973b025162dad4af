import { closeSync, openSync, readSync } from 'node:fs';
import { SavedSlots } from './saved.ts';
import { segmentPath, segmentSize } from './segments.ts';
import { digestOf, SlotTable } from './table.ts';

/** What was found of a view on disk: whether it is what it was when it was made. */
export interface Examined {
  /** Of the entry. */
  readonly id: number;
  readonly isIntact: boolean;
}

/** Reads views as they were last written down, beside whoever uses them; views that are gone are left out. */
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
      for (const { id, address, label, text, digest } of slots.slots()) {
        const segment = Math.floor(address / segmentSize);
        const file = files.get(segment) ?? opened(segmentPath(this.#directory, segment));
        files.set(segment, file);
        if (file === null || text === 0) continue;
        const bytes = Buffer.allocUnsafe(text);
        const length = readSync(file, bytes, 0, text, (address % segmentSize) + label);
        yield { id, isIntact: length === text && digestOf(bytes) === digest };
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
