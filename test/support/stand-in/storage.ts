import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';

/** An event as stored in a stream. */
export interface StoredRecord {
  /** Place in the stream, from 0. */
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly metadata: Uint8Array;
  readonly data: Uint8Array;
  /** Milliseconds since 1970; 0 if the server gives no times. */
  readonly created: number;
}

export type NewRecord = Omit<StoredRecord, 'revision' | 'created'>;

/** The expected state of the stream of an append. */
export type Expected = 'any' | 'no stream' | 'exists' | number;

/** Revision of the last event (-1: none), and whether the append was accepted. */
export interface Stored {
  readonly accepted: boolean;
  readonly last: number;
}

/** Streams of events in memory and, if given, in a file: per append a line, followed by the bytes that it counts. */
export class Storage {
  /** The time that events get, milliseconds since 1970. Default: none. */
  clock: () => number = () => 0;
  #streams = new Map<string, StoredRecord[]>();
  readonly #file: string | null;
  readonly #growth = new Set<(stream: string) => void>();

  constructor(file: string | null = null) {
    this.#file = file;
    if (file !== null && existsSync(file)) this.#load(file);
  }

  append(stream: string, expected: Expected, events: readonly NewRecord[]): Stored {
    const records = this.#streams.get(stream) ?? [];
    const last = records.length - 1;
    const repeated = this.#repeated(records, expected, events);
    if (repeated !== null) return { accepted: true, last: repeated };
    if (!fits(expected, last)) return { accepted: false, last };
    this.#add(stream, this.#file === null ? events : write(this.#file, stream, events));
    for (const listener of this.#growth) listener(stream);
    return { accepted: true, last: last + events.length };
  }

  /** A stream, and the first revision that its metadata leave visible; null if the stream does not exist. */
  view(stream: string): { readonly records: readonly StoredRecord[]; readonly first: number } | null {
    const records = this.#streams.get(stream);
    if (records === undefined) return null;
    return { records, first: firstVisible(records, this.#streams.get(`$$${stream}`)?.at(-1)) };
  }

  /** Calls back with the name of every growing stream. Returns a function that ends this. */
  onGrowth(listener: (stream: string) => void): () => void {
    this.#growth.add(listener);
    return () => this.#growth.delete(listener);
  }

  /** Removes events that no read shows, as a scavenge does. */
  scavenge(): void {
    for (const [name, records] of this.#streams) {
      const first = firstVisible(records, this.#streams.get(`$$${name}`)?.at(-1));
      for (let i = 0; i < first; i++)
        records[i] = { ...(records[i] as StoredRecord), data: NOTHING, metadata: NOTHING };
    }
  }

  /** All stored bytes, for tests that search them for erased data. */
  bytes(): Buffer {
    return Buffer.concat([...this.#streams.values()].flat().flatMap(({ data, metadata }) => [data, metadata]));
  }

  /** Names of all streams. */
  names(): readonly string[] {
    return [...this.#streams.keys()];
  }

  /** Removes a stream. */
  drop(stream: string): void {
    this.#streams.delete(stream);
  }

  /** Keeps what is stored now. Returns a function that restores it, as from a backup. */
  backup(): () => void {
    const copyOf = (streams: ReadonlyMap<string, readonly StoredRecord[]>) =>
      new Map([...streams].map(([name, records]) => [name, [...records]]));
    const kept = copyOf(this.#streams);
    return () => {
      this.#streams = copyOf(kept);
    };
  }

  /** Removes everything. */
  clear(): void {
    this.#streams = new Map();
    if (this.#file !== null) writeFileSync(this.#file, '');
  }

  // An append with an exact revision is repeatable: if the same events already follow it, it has succeeded.
  #repeated(records: readonly StoredRecord[], expected: Expected, events: readonly NewRecord[]): number | null {
    if (expected === 'any' || expected === 'exists' || events.length === 0) return null;
    const first = expected === 'no stream' ? 0 : expected + 1;
    const same = events.every(({ id }, i) => records[first + i]?.id === id);
    return same ? first + events.length - 1 : null;
  }

  #add(stream: string, events: readonly NewRecord[]): void {
    const records = this.#streams.get(stream) ?? [];
    for (const event of events) records.push({ ...event, revision: records.length, created: this.clock() });
    this.#streams.set(stream, records);
  }

  // The last append may be torn if the process was killed while writing it; it was never answered.
  #load(file: string): void {
    const bytes = readFileSync(file);
    let end = 0;
    for (let at = 0; ; end = at) {
      const lineEnd = bytes.indexOf('\n', at);
      if (lineEnd < 0) break;
      const { stream, events } = JSON.parse(bytes.toString('utf8', at, lineEnd)) as Line;
      at = lineEnd + 1;
      const decoded = events.map(({ data, metadata, ...rest }) => {
        const from = at;
        at += data + metadata;
        return { ...rest, data: bytes.subarray(from, from + data), metadata: bytes.subarray(from + data, at) };
      });
      if (at > bytes.length) break;
      this.#add(stream, decoded);
    }
    if (end < bytes.length) truncateSync(file, end);
  }
}

interface Line {
  readonly stream: string;
  readonly events: readonly {
    readonly id: string;
    readonly type: string;
    readonly contentType: string;
    /** Numbers of bytes. */
    readonly data: number;
    readonly metadata: number;
  }[];
}

const NOTHING = new Uint8Array();

function fits(expected: Expected, last: number): boolean {
  if (expected === 'any') return true;
  if (expected === 'exists') return last >= 0;
  return last === (expected === 'no stream' ? -1 : expected);
}

function firstVisible(records: readonly StoredRecord[], metadata: StoredRecord | undefined): number {
  if (metadata === undefined) return 0;
  const { $tb = 0, $maxCount = records.length } = JSON.parse(Buffer.from(metadata.data).toString('utf8')) as {
    $tb?: number;
    $maxCount?: number;
  };
  return Math.min(records.length, Math.max($tb, records.length - $maxCount));
}

/** Returns the events with their bytes in one buffer, which is quicker to keep than two arrays for each. */
function write(file: string, stream: string, events: readonly NewRecord[]): readonly NewRecord[] {
  const bytes = toBytes(stream, events);
  appendFileSync(file, bytes);
  let at = bytes.length - events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
  const next = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  return events.map(({ data, metadata, ...rest }) => ({
    ...rest,
    data: next(data.length),
    metadata: next(metadata.length),
  }));
}

function toBytes(stream: string, events: readonly NewRecord[]): Buffer {
  const described = events.map(({ data, metadata, ...rest }) => ({
    ...rest,
    data: data.length,
    metadata: metadata.length,
  }));
  const line = Buffer.from(`${JSON.stringify({ stream, events: described })}\n`);
  return Buffer.concat([line, ...events.flatMap(({ data, metadata }) => [data, metadata])]);
}
