import type { DatabaseSync } from 'node:sqlite';
import { type ChainedEvent, type ChainLink, digestOf } from '../chain.ts';
import { asRowFault, damagedLog } from '../faults.ts';
import { type PackedRow, toChained } from './row.ts';
import { COLUMNS } from './schema.ts';

/**
 * An event whose sealed text is kept as UTF-8 bytes, for copies that do not inspect it. Most of a log is sealed text, and decoding it
 * would be most of the work of a copy.
 */
export interface PackedEvent extends ChainLink {
  readonly salt: string | null;
  /** Salt and sealed text concatenated, as covered by the digest; null without a sealed text. */
  readonly salted: Uint8Array | null;
}

/** A packed event with its sealed text as JSON: a string, or `null`. */
export interface QuotedEvent extends PackedEvent {
  readonly quoted: Uint8Array;
}

export function packedSealHolds({ salt, salted, sealedDigest }: PackedEvent): boolean {
  return salted === null || (salt !== null && digestOf(salted) === sealedDigest);
}

/** Decodes the sealed text of an event, whose seal must be valid. */
export function unpacked(event: PackedEvent): ChainedEvent {
  const { salt, salted } = event;
  return { ...event, sealed: decoded(salted?.subarray(Buffer.byteLength(salt ?? '')) ?? null) };
}

export function fromPackedRow(row: PackedRow): ChainedEvent {
  const event = toChained(row);
  return { ...event, sealed: decoded(event.sealed) };
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function decoded(text: Uint8Array | null): string | null {
  return text === null ? null : utf8.decode(text);
}

/** Maximum number of events in a chunk, and the bytes of sealed texts after which it ends. */
const CHUNK_EVENTS = 500;
const CHUNK_BYTES = 4_000_000;

type QuotedRow = [...PackedRow, quoted: Uint8Array];

const salted = "CAST(coalesce(salt, '') || sealed AS BLOB)";

/**
 * Reads events from `from` to `top`, which must exist. No statement remains open while the caller works on them. Throws `LogDamaged` when
 * the file is unreadable or ends before `top`.
 */
export function* readQuoted(db: DatabaseSync, from: number, top: number): Generator<QuotedEvent> {
  const statement = db.prepare(
    `SELECT ${COLUMNS.map((name) => (name === 'sealed' ? salted : name))}, CAST(json_quote(sealed) AS BLOB)
     FROM events WHERE position BETWEEN ? AND ? ORDER BY position LIMIT ${CHUNK_EVENTS}`,
  );
  statement.setReturnArrays(true);
  for (let low = from; low <= top; ) {
    const chunk = chunkOf(statement.iterate(low, top) as Iterable<unknown> as Iterable<QuotedRow>, low);
    yield* chunk;
    const last = chunk.at(-1);
    if (last === undefined) throw damagedLog(`Position ${low} is missing`, low);
    low = last.position + 1;
  }
}

function chunkOf(rows: Iterable<QuotedRow>, low: number): readonly QuotedEvent[] {
  const events: QuotedEvent[] = [];
  let bytes = 0;
  try {
    for (const row of rows) {
      events.push(toQuoted(row));
      bytes += row[18].length;
      if (bytes > CHUNK_BYTES) break;
    }
  } catch (error) {
    throw asRowFault(error, low + events.length);
  }
  return events;
}

function toQuoted(row: QuotedRow): QuotedEvent {
  const { sealed: salted, ...event } = toChained(row as unknown as PackedRow);
  return { ...event, salted, quoted: row[18] };
}
