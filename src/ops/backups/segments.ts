import { walkChain } from '#eventstore/chain.ts';
import { EMPTY_HEAD } from '#eventstore/hash.ts';
import type { LogReader } from '#eventstore/log-reader.ts';
import { packedSealHolds, type QuotedEvent, unpacked } from '#eventstore/packed.ts';
import { type Head, LogDamaged } from '#eventstore/port.ts';
import type { Progress } from '../progress.ts';
import { commitsOf } from '../transfer/commits.ts';
import type { fileCopier } from '../transfer/files.ts';
import { lineOf } from '../transfer/format.ts';

/** Bytes of lines from which on a segment ends. */
const segmentBytes = 32 * 1024 * 1024;

export interface WriteParts {
  readonly log: LogReader;
  readonly from: Head;
  readonly files: Pick<ReturnType<typeof fileCopier>, 'take'>;
  /** Stores lines; the place of a segment is known when they end. */
  readonly write: (first: number, lines: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Told of each commit. */
  readonly onCommit?: (commit: readonly QuotedEvent[]) => void;
  readonly task?: Progress;
}

export interface Written {
  readonly from: number;
  readonly end: Head;
  readonly bytes: number;
}

/** Writes the commits of a log behind a head in segments, and checks their chain on the way. Answers where each ended. */
export async function* writeSegments({ log, from, files, write, onCommit, task }: WriteParts): AsyncGenerator<Written> {
  const walk = walkChain(from, { streams: false, sealHolds: packedSealHolds });
  const commits = commitsOf(log.quoted(from.position + 1))[Symbol.iterator]();
  let next = commits.next();
  let end = from;

  async function* lines(counted: { bytes: number }): AsyncGenerator<Buffer> {
    while (!next.done && counted.bytes < segmentBytes) {
      const commit = next.value;
      for (const event of commit) {
        const fault = walk.take(event);
        if (fault !== null) throw damaged(fault.message, fault.position);
      }
      onCommit?.(commit);
      await files.take(commit.map(unpacked));
      const { position, hash, at } = commit.at(-1) ?? { ...end, hash: null };
      if (hash === null) throw damaged('a commit is cut off', position);
      end = { position, hash, at };
      const line = Buffer.concat(
        lineOf(commit).map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
      );
      counted.bytes += line.length;
      await task?.at(position);
      next = commits.next();
      yield line;
    }
  }

  while (!next.done) {
    const first = end.position + 1;
    const counted = { bytes: 0 };
    await write(first, lines(counted));
    yield { from: first, end, bytes: counted.bytes };
  }
}

/** Where a log stands at a position; null if no commit ends there with that hash. */
export function headAt(log: LogReader, { position, hash }: { position: number; hash: string }): Head | null {
  if (position === 0) return EMPTY_HEAD;
  if (position > log.top) return null;
  const [event] = log.quoted(position);
  return event?.hash === hash ? { position, hash, at: event.at } : null;
}

export function damaged(message: string, position: number): LogDamaged {
  return new LogDamaged(`The event log is damaged at position ${position}: ${message}`, position);
}
