import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { MediaUploaded } from '#domain/media/events.ts';
import type { Media } from '#domain/media/state.ts';
import type { Rendition } from '#domain/renditions/area.ts';
import { wentWithAuthor } from '../entries/deletion-table.ts';
import { isBelow, isBelowAny } from '../entries/references.ts';
import type { EntryFacets, EntryTexts } from '../kernel/collection-query.ts';
import { Endings } from '../kernel/endings.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';
import { upsertSql } from '../kernel/versions.ts';
import { type Addressed, addressesOf, addressOfRendition } from './addresses.ts';
import type { MediaRow } from './row.ts';

/** Kind of media items in collections, and their only status. */
export const mediaKind = 'attachment';
export const mediaStatus = 'inherit';

const mediaColumns =
  'id, ord, touched, slug, parent, featured_media, type, closed, state, title_json, description_json, sum'.split(', ');
const addressColumns = ['path', 'folded', 'hash', 'media', 'sum'];

export interface ServedFile {
  readonly hash: string;
  readonly type: string;
  readonly item: Pick<Media, 'id' | 'author' | 'status'>;
}

export class MediaTable {
  readonly #row: StatementSync;
  readonly #rows: StatementSync;
  readonly #touchedAfter: StatementSync;
  readonly #bySlug: StatementSync;
  readonly #slugBelow: StatementSync;
  readonly #endings: StatementSync;
  readonly #attached: StatementSync;
  readonly #hasAttached: StatementSync;
  readonly #host: StatementSync;
  readonly #featuring: StatementSync;
  readonly #address: StatementSync;
  readonly #taken: StatementSync;
  readonly #blob: StatementSync;
  readonly #deletedImage: StatementSync;
  readonly #heir: StatementSync;
  /** Where items left the places that they had. */
  readonly left: Endings;
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    const row = mediaColumns.join(', ');
    this.#db = db;
    this.left = new Endings(db, 'media', { by: 'slug', with: ['parent'] });
    this.#row = db.prepare(`SELECT ${row} FROM media WHERE id = ?`);
    this.#rows = db.prepare(`SELECT ${row} FROM media WHERE id > ? ORDER BY id LIMIT ?`);
    this.#touchedAfter = db.prepare('SELECT id FROM media WHERE touched > ?');
    this.#bySlug = db.prepare('SELECT id FROM media WHERE slug = ?');
    this.#slugBelow = db.prepare(`SELECT 1 FROM media WHERE slug = ?1 AND ${isBelow('media', '?2')}`);
    this.#endings = db.prepare(
      `SELECT group_concat(substr(slug, length(?1) + 1), char(10)) AS "all" FROM media
       WHERE slug >= ?1 || '0' AND slug < ?1 || ':' AND id <> ?2 AND (?3 < 0 OR ${isBelow('media', '?3')})`,
    );
    const attached = `SELECT id FROM media WHERE ${isBelowAny('media', 'SELECT ?1')}`;
    this.#attached = db.prepare(`${attached} ORDER BY id`);
    this.#hasAttached = db.prepare(`${attached} LIMIT 1`);
    this.#host = db.prepare(
      'SELECT position, heir, inherited FROM lost_parents WHERE id = ? AND position > ? ORDER BY position',
    );
    this.#featuring = db.prepare('SELECT id FROM media WHERE featured_media = ? AND featured_media <> 0 ORDER BY id');
    this.#address = db.prepare(
      'SELECT path, folded, hash, media, sum FROM media_addresses WHERE path = ? AND media <> 0',
    );
    this.#taken = db.prepare('SELECT 1 FROM media_addresses WHERE folded = ? AND (media <> 0 OR hash <> ?)');
    this.#blob = db.prepare('SELECT 1 FROM media_hashes WHERE hash = ?');
    this.#deletedImage = db.prepare('SELECT position FROM lost_media WHERE id = ? AND position > ?');
    this.#heir = db.prepare('SELECT position, heir FROM lost_users WHERE id = ? AND position > ? AND heir <> 0');
  }

  get(id: number): MediaRow | undefined {
    const found = this.#row.get(id);
    return found === undefined ? undefined : this.#current(fromColumns(found));
  }

  /** Up to `limit` items after one, by id. */
  rowsAfter(id: number, limit: number): MediaRow[] {
    return this.#rows.all(id, limit).map((found) => this.#current(fromColumns(found)));
  }

  touchedAfter(position: number): number[] {
    return ids(this.#touchedAfter.all(position));
  }

  idsBySlug(slug: string): number[] {
    return ids(this.#bySlug.all(slug));
  }

  /** Whether an item attached to that entry (0: to none) has the slug. */
  slugBelow(slug: string, parent: number): boolean {
    return this.#slugBelow.get(slug, parent) !== undefined;
  }

  /** The rest of slugs after a stem and a dash, if it begins with a digit; of other items, attached to `parent` unless it is negative. */
  slugEndings(stem: string, { id, parent }: { readonly id: number; readonly parent: number }): string[] {
    const all = this.#endings.get(`${stem}-`, id, parent)?.['all'] ?? null;
    return all === null ? [] : String(all).split('\n');
  }

  /** Items attached to an entry. */
  attachedTo(entry: number): number[] {
    return ids(this.#attached.all(entry));
  }

  hasAttached(entry: number): boolean {
    return this.#hasAttached.get(entry) !== undefined;
  }

  /** Items that are not public: private ones, and those attached to an entry that is not public. */
  guarded(): number[] {
    const isClosed = `(entries.status <> 'publish' OR ${wentWithAuthor})`;
    const closed = `
      SELECT l.id FROM lost_parents l LEFT JOIN entries ON entries.id = l.heir
       WHERE l.inherited IS NOT NULL OR ${isClosed}`;
    const found = this.#db.prepare(`
      SELECT id FROM media WHERE closed <> 0
      UNION
      SELECT m.id FROM media m CROSS JOIN entries ON entries.id = m.parent WHERE m.parent <> 0 AND ${isClosed}
      UNION
      SELECT id FROM media WHERE ${isBelowAny('media', closed)}`);
    return ids(found.all());
  }

  /** Items whose rows feature an image, even if it has been deleted since they were written. */
  featuring(image: number): number[] {
    return ids(this.#featuring.all(image));
  }

  served(path: string): ServedFile | undefined {
    const found = this.#address.get(path) as unknown as AddressColumns | undefined;
    if (found === undefined) return undefined;
    const { sum, ...address } = found;
    checkSum(sum, sumOf(Object.values(address)), 'media_addresses', path);
    const item = this.get(address.media);
    return item && { hash: address.hash, type: item.type, item };
  }

  /** Whether an address, ignoring case, is that of a file, or once was that of other bytes. */
  addressTaken(path: string, hash: string): boolean {
    return this.#taken.get(fold(path), hash) !== undefined;
  }

  /** Whether an event names a file, including files of deleted items, but not of erased ones. */
  isNamed(hash: string): boolean {
    return this.#blob.get(hash) !== undefined;
  }

  /** Returns the hash that follows the given one among all that events name; null after the last. */
  nextHash(hash: string): string | null {
    const found = this.#db.prepare('SELECT hash FROM media_hashes WHERE hash > ? ORDER BY hash LIMIT 1').get(hash);
    return found === undefined ? null : String(found['hash']);
  }

  /** Items deleted since a position. */
  lostAfter(position: number): number[] {
    return ids(this.#db.prepare('SELECT id FROM lost_media WHERE position > ?').all(position));
  }

  save(row: MediaRow): void {
    const { id, ord, touched, slug, parent, featuredMedia, type, titleJson, descriptionJson } = row;
    const closed = row.status === undefined && row.inherited === undefined ? 0 : 1;
    const lookedFor = [slug, parent, featuredMedia, type, closed];
    const values = [id, ord, touched, ...lookedFor, stateText(row), titleJson, descriptionJson];
    this.#db.prepare(upsertSql('media', mediaColumns)).run(...values, sumOf(values));
  }

  saveAddresses(media: Media): void {
    this.#saveAddressed(media.id, addressesOf(media));
  }

  saveRendition(media: Media, rendition: Rendition): void {
    this.#saveAddressed(media.id, addressOfRendition(media, rendition));
  }

  saveHash(hash: string): void {
    this.#db.prepare('INSERT OR IGNORE INTO media_hashes VALUES (?)').run(hash);
  }

  /** A row keeps references to deleted items until its next event, so that a deletion rewrites no rows. */
  #current(row: MediaRow): MediaRow {
    const deletion = row.featuredMedia === 0 ? undefined : this.#deletedImage.get(row.featuredMedia, row.touched);
    const now = deletion === undefined ? row : { ...row, featuredMedia: 0, touched: Number(deletion['position']) };
    let { author, touched } = row;
    for (let heir = this.#heir.get(author, touched); heir !== undefined; heir = this.#heir.get(author, touched)) {
      author = Number(heir['heir']);
      touched = Number(heir['position']);
    }
    const passed = author === row.author ? now : { ...now, author, touched: Math.max(now.touched, touched) };
    return this.#withHost(passed, row.touched);
  }

  #withHost(row: MediaRow, written: number): MediaRow {
    const host = row.parent === 0 ? undefined : this.#host.get(row.parent, written);
    if (host === undefined) return row;
    const { position, heir, inherited } = host as unknown as HostColumns;
    const touched = Math.max(row.touched, position);
    const kept = inherited === null ? {} : { inherited };
    return this.#withHost({ ...row, parent: heir, ...kept, touched }, position);
  }

  #saveAddressed(media: number, files: readonly Addressed[]): void {
    const address = this.#db.prepare(upsertSql('media_addresses', addressColumns, ['path']));
    for (const { path, hash } of files) {
      const values = [path, fold(path), hash, media];
      address.run(...values, sumOf(values));
    }
  }

  /** The addresses remain reserved: another file must never appear at an address where this one may have been seen. */
  remove(id: number, position: number): void {
    this.#db.prepare('DELETE FROM media WHERE id = ?').run(id);
    const addresses = this.#db.prepare('SELECT path, hash FROM media_addresses WHERE media = ? AND media <> 0').all(id);
    this.#saveAddressed(0, addresses as unknown as Addressed[]);
    this.#db.prepare('INSERT OR REPLACE INTO lost_media VALUES (?, ?)').run(position, id);
  }
}

export function mediaFacets(row: MediaRow): EntryFacets {
  const { ord, id, author, slug, date, modified, title, parent, type, folder, name } = row;
  return {
    ord,
    id,
    author,
    slug,
    date,
    modified,
    title,
    parent,
    kind: mediaKind,
    status: row.status ?? mediaStatus,
    values: { format: type },
    file: `${folder}/${name}`,
    menuOrder: 0,
    sticky: false,
    protected: false,
    terms: [],
  };
}

export function searchTextsOf({ title, caption, description }: MediaRow): EntryTexts {
  return { title, content: description, excerpt: caption };
}

interface HostColumns {
  readonly position: number;
  readonly heir: number;
  readonly inherited: 'private' | null;
}

interface AddressColumns {
  readonly path: string;
  readonly folded: string;
  readonly hash: string;
  readonly media: number;
  readonly sum: number;
}

function fromColumns(found: Record<string, unknown>): MediaRow {
  const { sum, ...values } = found as Record<string, string | number>;
  checkSum(sum, sumOf(Object.values(values)), 'media', Number(values['id']));
  return {
    ...(JSON.parse(String(found['state'])) as Media),
    ord: Number(found['ord']),
    touched: Number(found['touched']),
    titleJson: String(found['title_json']),
    descriptionJson: String(found['description_json']),
  };
}

function stateText(row: MediaRow): string {
  return JSON.stringify(Object.fromEntries(stateNames.map((name) => [name, row[name as keyof Media]])));
}

const stateNames = [...Object.keys(MediaUploaded.schema.shape), 'inherited', 'status', 'source', 'sourceFile'];

function ids(rows: readonly Record<string, unknown>[]): number[] {
  return rows.map((row) => Number(row['id']));
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
