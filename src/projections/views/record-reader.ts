import { hash } from 'node:crypto';
import type { BufferPool } from './buffer-pool.ts';
import type { Segments } from './segments.ts';
import { isIntact, lengthOf, type Slot, sumSize, viewDigest } from './table.ts';
import type { ViewList } from './types.ts';

/** A list of texts of which none is ready: with the bytes and the digest that it would have otherwise. */
export function listOfTexts(texts: readonly string[]): ViewList {
  const bytes = Buffer.from(`[${texts.join(',')}]`, 'latin1');
  const digest = digestOf(Float64Array.from(texts, (text) => viewDigest(Buffer.from(text, 'latin1'))));
  return { bytes, digest, release: () => undefined };
}

function digestOf(marks: Float64Array): string {
  return hash('sha1', marks, 'base64url');
}

const [opening, comma, closing] = Buffer.from('[,]') as unknown as [number, number, number];

/** Reads records, and compares them with their checksums. */
export class RecordReader {
  readonly #segments: Pick<Segments, 'read'>;
  readonly #onDamage: (id: number, message: string) => void;

  constructor(segments: Pick<Segments, 'read'>, onDamage: (id: number, message: string) => void) {
    this.#segments = segments;
    this.#onDamage = onDamage;
  }

  /** The bytes of a list of records and other texts, with its digest; null if a record is damaged. */
  join(parts: readonly (Slot | string)[], pool: BufferPool): ViewList | null {
    const size = parts.reduce((sum, part) => sum + lengthOf(part) + 1, 1 + Number(parts.length === 0));
    // The checksum of the last text is read, too.
    const { bytes, release } = pool.lend(size + sumSize);
    const marks = new Float64Array(parts.length);
    bytes[0] = opening;
    let at = 1;
    for (const [i, part] of parts.entries()) {
      if (i > 0) bytes[at++] = comma;
      if (typeof part === 'string') {
        bytes.write(part, at, 'latin1');
        marks[i] = viewDigest(bytes.subarray(at, at + part.length));
      } else if (this.read(part, { into: bytes, at, skip: 0, parts: [part.text] })) {
        marks[i] = part.digest;
      } else {
        release();
        return null;
      }
      at += lengthOf(part);
    }
    bytes[at] = closing;
    return { bytes: bytes.subarray(0, size), digest: digestOf(marks), release };
  }

  /** Reads adjacent parts of a record, each with its checksum. Returns false when they are damaged. */
  read(slot: Slot, { into, at, skip, parts }: { into: Buffer; at: number; skip: number; parts: number[] }): boolean {
    const length = parts.reduce((sum, part) => sum + part + sumSize, 0);
    try {
      this.#segments.read(slot.address + skip, { into, at, length });
      let from = at;
      for (const part of parts) {
        if (!isIntact(into, from, part)) throw new Error('the checksum differs');
        from += part + sumSize;
      }
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      this.#onDamage(slot.id, `the ready answer for ${slot.id} is not what was made: ${reason}`);
      return false;
    }
  }
}
