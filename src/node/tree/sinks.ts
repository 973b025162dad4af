import { hash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter } from '#process/reporter.ts';
import { parseCheckpoint } from '#tlog/checkpoint.ts';
import { parseNote } from '#tlog/note.ts';
import { NotReached, postTo } from './asking.ts';
import { CHECKPOINT_FILE, type KeptCheckpoint, TIMESTAMPS } from './checkpoints.ts';

/** The end of the names of answers of a time-stamping authority. */
export const TIMESTAMP_FILE = '.tsr';

/** DER of a request for the certificate as well, up to the SHA-256 and from there on. */
const BEFORE = Buffer.from('30390201013031300d060960864801650304020105000420', 'hex');
const AFTER = Buffer.from('0101ff', 'hex');
/** Tags of DER. */
const [SEQUENCE, INTEGER] = [0x30, 0x02];
/** Statuses with a timestamp: granted, and granted with changes. */
const GRANTED = [0, 1];

/** Where a checkpoint is made known, so that somebody else can tell later what it was. */
interface Sink {
  readonly name: string;
  /** Rejects if it did not work. */
  readonly send: (note: string) => unknown;
}

export interface SinksOptions {
  /** Folders, and addresses that take a note by POST. */
  readonly places: readonly string[];
  /** Address of a time-stamping authority (RFC 3161); null: none. */
  readonly authority: string | null;
  readonly dataDir: string;
  readonly reporter: Pick<Reporter, 'warning'>;
}

/** Makes checkpoints known. One with which that did not work is made up for by the next. */
export class CheckpointSinks {
  readonly #sinks: readonly Sink[];
  readonly #reporter: Pick<Reporter, 'warning'>;
  /** The note that each has, and those that failed the last time, which was reported. */
  readonly #sent = new Map<Sink, string>();
  readonly #failing = new Set<Sink>();

  constructor({ places, authority, dataDir, reporter }: SinksOptions) {
    this.#sinks = [...places.map(sinkTo), ...(authority === null ? [] : [stampedBy(authority, dataDir)])];
    this.#reporter = reporter;
  }

  async send({ note }: KeptCheckpoint): Promise<void> {
    await Promise.all(
      this.#sinks.filter((sink) => this.#sent.get(sink) !== note).map((sink) => this.#sendTo(sink, note)),
    );
  }

  async #sendTo(sink: Sink, note: string): Promise<void> {
    try {
      await sink.send(note);
      this.#sent.set(sink, note);
      this.#failing.delete(sink);
    } catch (error) {
      const why = (error as Error).message;
      if (!this.#failing.has(sink)) this.#reporter.warning(`${sink.name} does not have the latest checkpoint: ${why}`);
      this.#failing.add(sink);
    }
  }
}

function sinkTo(place: string): Sink {
  const isAddress = /^https?:\/\//i.test(place);
  return {
    name: place,
    send: (note) => (isAddress ? postTo(place, note) : writeInto(place, note, CHECKPOINT_FILE, note)),
  };
}

/** Has the time stated at which a checkpoint existed. Signatures that were added later make no difference. */
function stampedBy(authority: string, dataDir: string): Sink {
  const folder = join(dataDir, TIMESTAMPS);
  return {
    name: authority,
    async send(note) {
      const { text } = parseNote(note);
      if (existsSync(join(folder, nameFor(note, TIMESTAMP_FILE)))) return;
      const answer = await postTo(
        authority,
        timestampRequest(hash('sha256', text, 'buffer')),
        'application/timestamp-query',
      );
      if (!isGranted(answer)) throw new NotReached('it gives no timestamp');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeInto(folder, note, TIMESTAMP_FILE, answer);
    },
  };
}

function writeInto(folder: string, note: string, extension: string, content: string | Uint8Array): void {
  const path = join(folder, nameFor(note, extension));
  writeFileSync(`${path}.new`, content, { flush: true });
  renameSync(`${path}.new`, path);
}

/** The size of the log, so that a folder of such files shows how it grew. */
function nameFor(note: string, extension: string): string {
  const { size } = parseCheckpoint(parseNote(note).text);
  return String(size).padStart(12, '0') + extension;
}

/** A request to state the time of a SHA-256. */
function timestampRequest(digest: Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.concat([BEFORE, digest, AFTER]);
}

/** Whether an answer has a timestamp. It says nothing about whether that is true. */
function isGranted(answer: Uint8Array): boolean {
  const [status] = [contentOf(contentOf(contentOf(answer, SEQUENCE), SEQUENCE), INTEGER)];
  return status?.length === 1 && GRANTED.includes(status[0] ?? -1);
}

/** The content of the first value in DER; null if it has another tag or is cut off. */
function contentOf(der: Uint8Array | null, tag: number): Uint8Array | null {
  if (der === null || der[0] !== tag) return null;
  const [, first = 0x80] = der;
  const bytes = first < 0x80 ? 0 : first & 0x7f;
  const length = bytes === 0 ? first : der.subarray(2, 2 + bytes).reduce((sum, byte) => sum * 256 + byte, 0);
  const from = 2 + bytes;
  return bytes > 4 || first === 0x80 || from + length > der.length ? null : der.subarray(from, from + length);
}
