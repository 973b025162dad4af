import type { Head } from '#eventstore/port.ts';
import { openLogReader } from '#eventstore/sqlite/log-reader.ts';
import type { ObjectStore } from '#objects/port.ts';
import { fileCopier } from '../transfer/files.ts';
import { type NamedManifest, padded, type Repository } from './repository.ts';
import { writeSegments } from './segments.ts';

/** A piece of the log after its last backup. Its key says where it begins and ends, and, but in version 1, the chain hashes there. */
export interface TailPlace {
  readonly key: string;
  readonly line: string;
  readonly from: number;
  readonly to: number;
  readonly begin: string | null;
  readonly end: string | null;
}

export type End = Pick<NamedManifest, 'position'> & { readonly hash: string | null };

export interface Tail {
  readonly pieces: readonly TailPlace[];
  readonly end: End;
  /** Pieces of the same line after `end` that do not continue it. */
  readonly beyond: readonly TailPlace[];
}

const shape = /^tail\/([\da-f-]+)\/(\d{12})-(\d{12})(?:-([\da-f]{64})-([\da-f]{64}))?$/;

function tailPlace(key: string): TailPlace | null {
  const [, line, from, to, begin = null, end = null] = shape.exec(key) ?? [];
  return line === undefined ? null : { key, line, from: Number(from), to: Number(to), begin, end };
}

export async function piecesOf({ store }: Repository): Promise<readonly TailPlace[]> {
  const all = await Array.fromAsync(store.list('tail/'), ({ key }) => tailPlace(key));
  return all.filter((piece) => piece !== null).sort((a, b) => a.from - b.from || a.to - b.to);
}

export function tailOf(all: readonly TailPlace[], { line, position, hash }: NamedManifest): Tail {
  const pieces: TailPlace[] = [];
  const beyond: TailPlace[] = [];
  let end: End = { position, hash };
  for (const piece of all) {
    if (piece.line !== line || piece.to <= end.position) continue;
    if (!follows(piece, end)) {
      beyond.push(piece);
      continue;
    }
    pieces.push(piece);
    end = { position: piece.to, hash: piece.end };
  }
  return { pieces, end, beyond: beyond.filter(({ to }) => to > end.position) };
}

/** A piece may overlap the end, since a backup can be made while it is shipped; the chain is checked when it is read. */
function follows({ from, begin }: TailPlace, { position, hash }: End): boolean {
  if (from !== position + 1) return from <= position;
  return begin === null || hash === null || begin === hash;
}

export interface ShipParts {
  readonly repository: Repository;
  readonly logPath: string;
  readonly media: ObjectStore;
  readonly line: string;
  readonly from: Head;
}

/** Writes the end of a log after a head to the tail of a line, preceded by the files that it names. Returns the new head of the tail. */
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
      const key = `tail/${line}/${padded(written.from)}-${padded(written.end.position)}-${end.hash}-${written.end.hash}`;
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
