import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type PackedRow, withSealed } from '#eventstore/sqlite/row.ts';
import type { ImportBatch, PlacedGap, ReadFault, Span } from './reading.ts';

/** Number of pieces read ahead: the caller blocks while a transaction is made durable. */
const ahead = 16;
const resourceLimits = { maxYoungGenerationSizeMb: 32 };

/** A `Batch` whose rows contain their texts. */
export interface Read {
  readonly commits: readonly (readonly PackedRow[])[];
  readonly gaps: readonly PlacedGap[];
  readonly end: number;
  readonly fault: ReadFault | null;
}

/** Reads commits in a thread. If the source fails, throws its error after what was before it. */
export async function* readInWorker(source: AsyncIterable<Buffer | string>): AsyncGenerator<Read> {
  const worker = new Worker(new URL('./read-worker.ts', import.meta.url), { resourceLimits });
  try {
    const answers = on(worker, 'message', { close: ['exit'] }) as AsyncIterableIterator<[ImportBatch]>;
    const next = async () => {
      const { value, done } = await answers.next();
      if (done === true) throw new Error('the thread that reads has ended');
      return read(value[0]);
    };
    let asked = 0;
    try {
      for await (const piece of pieces(source)) {
        worker.postMessage(piece, piece === null ? [] : [piece.buffer]);
        asked += 1;
        for (; asked > (piece === null ? 0 : ahead); asked--) yield await next();
      }
    } catch (error) {
      for (; asked > 0; asked--) yield await next();
      throw error;
    }
  } finally {
    await worker.terminate();
  }
}

async function* pieces(source: AsyncIterable<Buffer | string>): AsyncGenerator<Uint8Array<ArrayBuffer> | null> {
  for await (const piece of source) yield new Uint8Array(typeof piece === 'string' ? Buffer.from(piece) : piece);
  yield null;
}

function read({ commits, gaps, end, fault, memory }: ImportBatch): Read {
  const text = (span: Span | null) => span && new Uint8Array(memory, span[0], span[1] - span[0]);
  return { commits: commits.map((commit) => commit.map((row) => withSealed(row, text(row[17])))), gaps, end, fault };
}
