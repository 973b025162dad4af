import type { WantedItem, WantedUnread } from '#commands/migration.ts';
import type { SourceRecord } from '#wxr/records.ts';
import type { Ask } from './asking.ts';
import { keyOfRecord, type Making, recordDigest, unreadThing } from './states.ts';
import { type Imported, importedSchema } from './target.ts';

/** A file that waits to be stored with its media item. */
export interface WaitingFile {
  readonly path: string;
  readonly name: string;
  /** Where it is below the uploads of the source. */
  readonly from: string;
  /** Removes it, once it is stored. */
  readonly drop: () => Promise<void>;
}

export interface ImporterOptions {
  readonly run: number;
  readonly as: string | undefined;
  readonly overwrites: boolean;
  readonly resizes: boolean;
  readonly ask: Ask;
  readonly making: Making;
}

interface AddedWith {
  readonly record?: SourceRecord;
  readonly file?: WaitingFile;
}

/** What became of something that was to be imported. */
export interface ImportRemark {
  readonly key: string;
  readonly code: string;
  readonly message: string;
}

/** Numbers of what an import did, by kind of record and what became of it. */
export type ImportCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Items and characters of one commit. */
const most = 100;
const longest = 4 * 2 ** 20;

interface Group {
  readonly items: WantedItem[];
  readonly unread: WantedUnread[];
  readonly files: Map<string, WaitingFile>;
  length: number;
}

/**
 * Sends items to the process with the store in groups, each of which becomes a commit. While one is carried out, the next is gathered; what
 * fails is thrown by the next call.
 */
export class Importer {
  readonly #options: ImporterOptions;
  readonly #waiting = new Map<string, { readonly kind: string; readonly record: SourceRecord | undefined }>();
  #group: Group = emptyGroup();
  #sending: Promise<void> = Promise.resolve();
  readonly #counts: Record<string, Record<string, number>> = {};
  readonly remarks: ImportRemark[] = [];

  constructor(options: ImporterOptions) {
    this.#options = options;
  }

  get counts(): ImportCounts {
    return this.#counts;
  }

  /** `record`: what is kept as it is if the item cannot be imported. */
  async add(kind: string, item: WantedItem, { record, file }: AddedWith = {}): Promise<void> {
    await this.#makeRoom(JSON.stringify(item).length);
    this.#waiting.set(item.key, { kind, record });
    this.#group.items.push(item);
    if (file !== undefined) this.#group.files.set(item.key, file);
  }

  /** Keeps a record as it is, unless it was kept before. */
  async keep(record: SourceRecord): Promise<void> {
    await this.#makeRoom(0);
    this.#keep(record);
  }

  #keep(record: SourceRecord): void {
    const { making } = this.#options;
    const known = making.places.known(keyOfRecord(record));
    const isSame = known?.area === null && known.digest === recordDigest(record);
    this.count(kindWord(record), isSame ? 'same' : 'unread');
    if (isSame) return;
    const unread = unreadThing(record, making);
    this.#group.unread.push(unread);
    this.#group.length += unread.data.length;
  }

  count(kind: string, did: string, number = 1): void {
    const counts = this.#counts[kind] ?? {};
    this.#counts[kind] = counts;
    counts[did] = (counts[did] ?? 0) + number;
  }

  /** Says why something is not imported, and keeps it as it is. */
  async refuse(remark: ImportRemark, record: SourceRecord): Promise<void> {
    this.remarks.push(remark);
    await this.keep(record);
  }

  /** Sends what is gathered, and waits until all is done. */
  async flush(): Promise<void> {
    do {
      await this.#begin();
      await this.#sending;
      // What was refused comes behind.
    } while (this.#group.unread.length > 0);
  }

  /** Waits until nothing is sent, however that ends, so that its files can go. */
  async end(): Promise<void> {
    await Promise.allSettled([this.#sending]);
  }

  /** Sends what is gathered once the group before it is done. */
  async #begin(): Promise<void> {
    await this.#sending;
    const group = this.#group;
    this.#group = emptyGroup();
    this.#sending = this.#send(group);
    // It is thrown where it is waited for.
    this.#sending.catch(() => undefined);
  }

  async #send({ items, unread, files: waiting }: Group): Promise<void> {
    const { run, as, overwrites, resizes, ask, making } = this.#options;
    if (items.length + unread.length === 0) return;
    const files = Object.fromEntries([...waiting].map(([key, { path, name }]) => [key, { path, name }]));
    try {
      const sent = { run, ...(as === undefined ? {} : { as }), overwrites, resizes, items, unread, files };
      const { results, files: stored } = importedSchema.parse(await ask('migration import', sent));
      for (const { key, path, sizes } of stored) making.places.moveFile(waiting.get(key)?.from ?? '', { path, sizes });
      for (const result of results) this.#note(result);
    } finally {
      for (const { drop } of waiting.values()) await drop();
    }
  }

  #note({ key, id, did, revisions = 0, code = '', message = '' }: Imported['results'][number]): void {
    const { kind = 'item', record } = this.#waiting.get(key) ?? {};
    this.#waiting.delete(key);
    this.count(kind, did);
    if (revisions > 0) this.count('revision', 'made', revisions);
    if (id !== 0) this.#options.making.places.give(key, id);
    if (did === 'refused') this.remarks.push({ key, code, message });
    // What was refused is kept as it is.
    if (did === 'refused' && record !== undefined) this.#keep(record);
    if (did === 'kept') this.remarks.push({ key, code: code || 'changed_here', message: message || changedHere });
  }

  async #makeRoom(length: number): Promise<void> {
    const { items, unread, length: before } = this.#group;
    const count = items.length + unread.length;
    if (count >= most || (count > 0 && before + length > longest)) await this.#begin();
    this.#group.length += length;
  }
}

const changedHere = 'It was changed here since it was imported, so it stays: --overwrite makes it what the source has.';

function emptyGroup(): Group {
  return { items: [], unread: [], files: new Map(), length: 0 };
}

export function kindWord(record: SourceRecord): string {
  return record.kind === 'item' ? record.type : record.kind;
}
