import { EMPTY_HEAD, walkChain } from '#eventstore/chain.ts';
import { type Head, LogDamaged } from '#eventstore/port.ts';
import type { LogReader } from '#eventstore/sqlite/log-reader.ts';
import { packedSealHolds, type QuotedEvent, unpacked } from '#eventstore/sqlite/packed.ts';
import type { ShownProgress } from '../progress.ts';
import type { fileCopier } from '../transfer/files.ts';
import { eventLine } from '../transfer/format.ts';
import { commitsOf } from '../transfer/lines.ts';

/** A segment ends once its lines reach this size in bytes. */
const segmentBytes = 32 * 1024 * 1024;

export interface WriteParts {
  readonly log: LogReader;
  readonly from: Head;
  readonly files: Pick<ReturnType<typeof fileCopier>, 'take'>;
  /** Stores the lines of the segment whose first event is `first`. */
  readonly write: (first: number, lines: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Called for each commit. */
  readonly onCommit?: (commit: readonly QuotedEvent[]) => void;
  readonly task?: ShownProgress;
}

export interface WrittenSegment {
  readonly from: number;
  readonly end: Head;
  readonly bytes: number;
}

/** Writes the commits after a head in segments and verifies their chain. Yields the end of each segment. */
export async function* writeSegments({
  log,
  from,
  files,
  write,
  onCommit,
  task,
}: WriteParts): AsyncGenerator<WrittenSegment> {
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
        eventLine(commit).map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
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

/** The head of a log at a position; null if no commit with that hash ends there. */
export function headAt(log: LogReader, { position, hash }: { position: number; hash: string }): Head | null {
  if (position === 0) return EMPTY_HEAD;
  if (position > log.top) return null;
  const [event] = log.quoted(position);
  return event?.hash === hash ? { position, hash, at: event.at } : null;
}

export function damaged(message: string, position: number): LogDamaged {
  return new LogDamaged(`The event log is damaged at position ${position}: ${message}`, position);
}
