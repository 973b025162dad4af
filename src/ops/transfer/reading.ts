import { isUtf8 } from 'node:buffer';
import { type ChainedEvent, EMPTY_HEAD, isChainFault, walkChain } from '#eventstore/chain.ts';
import { copyOf } from '#eventstore/copy.ts';
import { CopyDiffers, type Head } from '#eventstore/port.ts';
import type { Gap } from '#eventstore/salvage/whole.ts';
import { type PackedEvent, packedSealHolds } from '#eventstore/sqlite/packed.ts';
import { type RowOf, toRow } from '#eventstore/sqlite/row.ts';
import { checkCommit } from '#eventstore/stage.ts';
import { commitOf, gapOf, header, NotALine, salvageHeader } from './format.ts';
import { createLines, LineTooLong, newline } from './lines.ts';

export interface ImportBatch {
  readonly commits: readonly (readonly RowOf<Span>[])[];
  readonly gaps: readonly PlacedGap[];
  /** Size in bytes of the export up to the end of the last commit. */
  readonly end: number;
  readonly fault: ReadFault | null;
  readonly memory: ArrayBuffer;
}

export interface PlacedGap extends Gap {
  readonly after: number;
}

/** Start and end of a text in bytes: a thousand spans are transferred to another thread faster than a typed array for each. */
export type Span = readonly [start: number, end: number];

/** `format`: not an export; `cut`: ends within a line; `damaged`: differs from what was exported. */
export interface ReadFault {
  readonly kind: 'format' | 'cut' | 'damaged';
  readonly message: string;
}

/** Takes the next piece of an export; null: its end. */
export type ImportReading = (piece: Uint8Array | null) => ImportBatch;

/** Starts reading an export from its first byte. Verifies the chain and everything that an append would check. */
export function createReading(): ImportReading {
  const walk = new PackedWalk();
  const lines = createLines();
  let isSalvage = false;
  let count = 0;
  let end = 0;

  function atEnd(): ReadFault | null {
    if (lines.buffered > 0) {
      return { kind: 'cut', message: `line ${count + 1} is cut off; what comes before it was imported` };
    }
    return count === 0 ? { kind: 'format', message: 'the file is empty' } : null;
  }

  return (piece) => {
    // A text needs no more bytes than its line, and a piece without a newline completes no line.
    const memory = createMemory(piece?.includes(newline) ? lines.buffered + piece.length : 0);
    const commits: (readonly RowOf<Span>[])[] = [];
    const gaps: PlacedGap[] = [];
    let fault: ReadFault | null = null;
    try {
      if (piece === null) fault = atEnd();
      else {
        for (const line of lines.take(piece)) {
          count += 1;
          const gap = isSalvage ? gapOf(line.bytes.toString('latin1')) : null;
          if (count === 1) isSalvage = isSalvageHeader(line.bytes);
          else if (gap === null) commits.push(walk.take(line.bytes, memory));
          else {
            walk.skip(gap);
            gaps.push({ ...gap, after: commits.length });
          }
          end = line.end;
        }
      }
    } catch (error) {
      fault = faultOf(error, count);
    }
    return { commits, gaps, end, fault, memory: memory.buffer };
  };
}

/** Follows the chain of an export, line by line. */
class PackedWalk {
  #walk = walkFrom(EMPTY_HEAD);

  /** Returns the rows of a commit. Throws `CopyDiffers` when it does not continue the chain. */
  take(line: Buffer, memory: Memory): readonly RowOf<Span>[] {
    const { commit, encoding } = commitIn(line);
    checkCommit(copyOf(commit));
    return commit.map((event) => {
      const { salt, sealed } = event;
      const both = sealed === null ? null : memory.put(`${salt ?? ''}${sealed}`, encoding);
      const span: Span | null = both && [both[0] + Buffer.byteLength(salt ?? ''), both[1]];
      const packed = { ...event, sealed: span, salted: both && memory.bytes(both) };
      const fault = this.#walk.take(packed);
      if (fault !== null) throw new CopyDiffers(`position ${fault.position}: ${fault.message}`, fault.position);
      return toRow(packed);
    });
  }

  skip({ from, to, hash }: Gap): void {
    const end = this.#walk.end();
    if (isChainFault(end) || from !== end.position + 1 || to < from) throw new NotALine('the gap is out of place');
    this.#walk = walkFrom({ position: to, hash, at: end.at });
  }
}

function walkFrom(head: Head) {
  return walkChain<PackedEvent>(head, { streams: false, sealHolds: packedSealHolds });
}

interface Memory {
  readonly buffer: ArrayBuffer;
  put(text: string, encoding: Encoding): Span;
  bytes(span: Span): Uint8Array;
}

function createMemory(size: number): Memory {
  const bytes = Buffer.allocUnsafeSlow(size);
  let used = 0;
  return {
    buffer: bytes.buffer,
    put(text, encoding) {
      const start = used;
      used += bytes.write(text, used, encoding);
      return [start, used];
    },
    bytes: ([start, end]) => bytes.subarray(start, end),
  };
}

function isSalvageHeader(line: Buffer): boolean {
  const text = `${line}\n`;
  if (text !== header && text !== salvageHeader) throw new NotALine('the file is no export, or one of another version');
  return text === salvageHeader;
}

type Encoding = 'latin1' | 'utf8';

/**
 * Parses the commit of a line. If only sealed texts go beyond ASCII, it decodes and encodes bytes as Latin-1: UTF-8 takes twice the time.
 */
function commitIn(line: Buffer): { readonly commit: readonly ChainedEvent[]; readonly encoding: Encoding } {
  if (!isUtf8(line)) throw new NotALine('not UTF-8');
  // An escape would become a character rather than its UTF-8 bytes.
  if (!line.includes('\\u')) {
    const commit = commitOf(line.toString('latin1'));
    if (commit.every(isPlain)) return { commit, encoding: 'latin1' };
  }
  return { commit: commitOf(line.toString()), encoding: 'utf8' };
}

function isPlain({ stream, type, data, salt, commit, correlationId, causationId }: ChainedEvent): boolean {
  return [stream, type, data, salt, commit.id, correlationId, causationId].every(
    (text) => text === null || ascii.test(text),
  );
}

const ascii = /^[\u0000-\u007f]*$/;

function faultOf(error: unknown, line: number): ReadFault {
  const { message } = error as Error;
  if (error instanceof NotALine) return { kind: 'format', message: line === 1 ? message : `line ${line}: ${message}` };
  if (error instanceof LineTooLong) return { kind: 'format', message };
  // A log never contains what the store rejects.
  if (error instanceof CopyDiffers || error instanceof TypeError) return { kind: 'damaged', message };
  throw error;
}
