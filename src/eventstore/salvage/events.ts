import type { ChainedEvent } from '../chain.ts';
import { type LogRow, toChained } from '../sqlite/row.ts';
import { COLUMNS, PAGE_SIZE } from '../sqlite/schema.ts';
import { openPages, type Version } from './pages.ts';

export interface DamagedLog {
  /** Highest position seen; its event may be damaged. */
  readonly top: number;
  /** Events in the order of their positions; some may be damaged or missing. */
  events(): Generator<ChainedEvent>;
  close(): void;
}

interface Leaf {
  readonly version: Version;
  readonly first: number;
}

export interface Cell {
  readonly position: number;
  readonly at: number;
  readonly size: number;
}

/** Type of a page with rows of a table: https://sqlite.org/fileformat2.html#b_tree_pages */
const leaf = 0x0d;
const pageHeaderBytes = 8;
const max = PAGE_SIZE - 35;
const min = Math.floor(((PAGE_SIZE - 12) * 32) / 255) - 23;
/** Longer rows, in bytes, are taken for damage. */
const longest = 256 * 1024 * 1024;

/** Opens a log that may be damaged anywhere, and must not be written meanwhile. Throws `LogUnavailable` when it does not exist. */
export function openDamagedLog(path: string): DamagedLog {
  const pages = openPages(path);
  const leaves: Leaf[] = [];
  let top = 0;
  const find = (versions: Iterable<Version>) => {
    for (const version of versions) {
      const cells = cellsOf(pages.read(version));
      const [first, last] = [cells[0], cells.at(-1)];
      if (first === undefined || last === undefined) continue;
      leaves.push({ version, first: first.position });
      top = Math.max(top, last.position);
    }
  };
  find(pages.whole());
  // Sorted after intact pages with the same first position, because the sort is stable: damaged pages add only what those lack.
  find(pages.damaged());
  leaves.sort((a, b) => a.first - b.first);
  return {
    top,
    *events() {
      let last = 0;
      for (const { version } of leaves) {
        const page = pages.read(version);
        for (const cell of cellsOf(page)) {
          const event = cell.position > last ? eventIn(page, cell, pages.newest) : null;
          if (event === null) continue;
          last = event.position;
          yield event;
        }
      }
    },
    close: pages.close,
  };
}

/**
 * The rows on a page of events; none for any other page. Positions on a page are consecutive, so a row whose position contradicts most
 * others is damaged and left out.
 */
function cellsOf(page: Buffer): readonly Cell[] {
  if (page.readUInt8(0) !== leaf) return [];
  const count = Math.min(page.readUInt16BE(3), Math.floor((PAGE_SIZE - pageHeaderBytes) / 2));
  const cells: (Cell & { readonly first: number })[] = [];
  const votes = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const size = varint(page, page.readUInt16BE(pageHeaderBytes + 2 * i));
    const position = varint(page, size.end);
    const first = position.value - i;
    cells.push({ position: position.value, at: position.end, size: size.value, first });
    votes.set(first, (votes.get(first) ?? 0) + 1);
  }
  const [first] = [...votes].sort((a, b) => b[1] - a[1])[0] ?? [];
  return cells.filter((cell) => cell.first === first && cell.position > 0);
}

/** The event in a cell; null if it is unreadable. */
function eventIn(page: Buffer, cell: Cell, newest: (page: number) => Buffer | null): ChainedEvent | null {
  const payload = payloadOf(page, cell, newest);
  if (payload === null) return null;
  const header = varint(payload, 0);
  if (header.value > payload.length) return null;
  const values: (string | number | null)[] = [];
  let at = header.value;
  for (let next = header.end; next < header.value; ) {
    const type = varint(payload, next);
    const length = lengthOf(type.value);
    if (length === null || at + length > payload.length) return null;
    values.push(decoded(payload.subarray(at, at + length), type.value));
    next = type.end;
    at += length;
  }
  if (values.length !== COLUMNS.length) return null;
  // The position is the key of the row, not one of its values.
  const row = values.with(0, cell.position);
  return isRow(row) ? toChained(row) : null;
}

function payloadOf(page: Buffer, { at, size }: Cell, newest: (page: number) => Buffer | null): Buffer | null {
  // No commit is that long.
  if (!(size <= longest)) return null;
  if (size <= max) return at + size > PAGE_SIZE ? null : page.subarray(at, at + size);
  const wanted = min + ((size - min) % (PAGE_SIZE - 4));
  const local = wanted <= max ? wanted : min;
  if (at + local + 4 > PAGE_SIZE) return null;
  const parts = [page.subarray(at, at + local)];
  let missing = size - local;
  let number = page.readUInt32BE(at + local);
  const seen = new Set<number>();
  while (missing > 0) {
    const next = seen.has(number) ? null : newest(number);
    if (next === null) return null;
    seen.add(number);
    const part = next.subarray(4, 4 + Math.min(missing, PAGE_SIZE - 4));
    parts.push(part);
    missing -= part.length;
    number = next.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

/** Reads an SQLite varint; one that is too large or cut off is NaN. */
function varint(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = start; at < start + 8 && at < bytes.length; at++) {
    const byte = bytes.readUInt8(at);
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value: Number.isSafeInteger(value) ? value : Number.NaN, end: at + 1 };
  }
  return { value: Number.NaN, end: bytes.length };
}

const integerBytes = [0, 1, 2, 3, 4, 6, 8];

/** Bytes of a value by its type; null for types that no column of events has. */
function lengthOf(type: number): number | null {
  if (type === 8 || type === 9) return 0;
  if (type >= 13 && type % 2 === 1) return (type - 13) / 2;
  return integerBytes[type] ?? null;
}

function decoded(bytes: Buffer, type: number): string | number | null {
  if (type === 0) return null;
  if (type >= 13) return bytes.toString();
  if (type >= 8) return type - 8;
  return bytes.length === 8 ? Number(bytes.readBigInt64BE(0)) : bytes.readIntBE(0, bytes.length);
}

const numbers: ReadonlySet<string> = new Set(['position', 'revision', 'v', 'i', 'n', 'actor']);
const nullable: ReadonlySet<string> = new Set(['actor', 'causation_id', 'salt', 'sealed_digest', 'hash', 'sealed']);

function isRow(values: readonly (string | number | null)[]): values is LogRow {
  return COLUMNS.every((name, i) => {
    const value = values[i] ?? null;
    if (value === null) return nullable.has(name);
    return typeof value === (numbers.has(name) ? 'number' : 'string');
  });
}
