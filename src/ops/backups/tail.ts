import { openLogReader } from '#eventstore/log-reader.ts';
import type { Head } from '#eventstore/port.ts';
import type { ObjectStore } from '#objects/port.ts';
import { fileCopier } from '../transfer/files.ts';
import { padded, type Repository } from './repository.ts';
import { writeSegments } from './segments.ts';

/** A piece of the log after its last backup. Its key says where it begins and ends. */
export interface TailPlace {
  readonly key: string;
  readonly line: string;
  readonly from: number;
  readonly to: number;
}

const shape = /^tail\/([\da-f-]{36})\/(\d{12})-(\d{12})$/;

export function placeOf(key: string): TailPlace | null {
  const [, line, from, to] = shape.exec(key) ?? [];
  return line === undefined ? null : { key, line, from: Number(from), to: Number(to) };
}

/** The pieces that continue from a position without a gap, in order. */
export async function tailOf(repository: Repository, line: string, position: number): Promise<readonly TailPlace[]> {
  const found: TailPlace[] = [];
  let end = position;
  for await (const { key } of repository.store.list(`tail/${line}/`)) {
    const place = placeOf(key);
    if (place === null || place.from > end + 1 || place.to <= end) continue;
    found.push(place);
    end = place.to;
  }
  return found;
}

export interface ShipParts {
  readonly repository: Repository;
  readonly logPath: string;
  readonly media: ObjectStore;
  readonly line: string;
  readonly from: Head;
}

/** Writes the end of a log after a head to the tail, preceded by the files that it names. Returns the new head of the tail. */
export async function ship({ repository, logPath, media, line, from }: ShipParts): Promise<Head> {
  const log = openLogReader(logPath);
  const files = fileCopier({ from: media, to: repository.media, onFault: () => undefined });
  let pieces: Uint8Array[] = [];
  const write = async (_: number, lines: AsyncIterable<Uint8Array>) => {
    pieces = await Array.fromAsync(lines);
  };
  let end = from;
  try {
    for await (const written of writeSegments({ log, from, files, write })) {
      const key = `tail/${line}/${padded(written.from)}-${padded(written.end.position)}`;
      const lines = async function* () {
        yield* pieces;
      };
      await repository.writeLines(key, lines());
      end = written.end;
    }
  } finally {
    log.close();
  }
  return end;
}
