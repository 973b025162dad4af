import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Entry } from '#domain/entry/state.ts';
import type { AssetEvent } from '#domain/page-assets/area.ts';
import { type AssetKind, type AssetVariant, assetKinds, assetVariants } from '#domain/page-assets/slots.ts';
import type { UserDeletedEvent } from '#domain/user/events.ts';
import { wentWithAuthor } from '../entries/deletion-table.ts';
import { defineProjection } from '../kernel/define.ts';

export interface QueuedAsset {
  readonly entry: number;
  readonly variant: AssetVariant;
}

/** Maximum number of entries waiting for assets of one kind; later ones get none. */
const longest = 500;
const kinds: readonly string[] = ['post', 'page'];

/** Published pages waiting for assets: from publication or a save until a service has made them. */
class AssetQueue {
  readonly #count: StatementSync;
  readonly #min: StatementSync;
  readonly #of: StatementSync;
  readonly #one: StatementSync;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;
  readonly #dropAll: StatementSync;
  readonly #dropLost: StatementSync;

  constructor(db: DatabaseSync) {
    this.#count = db.prepare('SELECT n FROM asset_queue_sizes WHERE kind = ?');
    this.#min = db.prepare('SELECT min(n) FROM asset_queue_sizes');
    this.#min.setReturnArrays(true);
    this.#of = db.prepare('SELECT entry, variant FROM asset_queue WHERE kind = ? ORDER BY entry, variant');
    this.#one = db.prepare('SELECT 1 FROM asset_queue WHERE kind = ? AND entry = ? AND variant = ?');
    this.#put = db.prepare('INSERT OR IGNORE INTO asset_queue VALUES (?, ?, ?)');
    this.#drop = db.prepare('DELETE FROM asset_queue WHERE kind = ? AND entry = ? AND variant = ?');
    this.#dropAll = db.prepare('DELETE FROM asset_queue WHERE entry = ?');
    this.#dropLost = db.prepare(
      `DELETE FROM asset_queue WHERE entry IN (
         SELECT id FROM entries WHERE id IN (SELECT entry FROM asset_queue) AND ${wentWithAuthor}
       )`,
    );
  }

  count(kind: AssetKind): number {
    return Number(this.#count.get(kind)?.['n']);
  }

  of(kind: AssetKind): readonly QueuedAsset[] {
    return this.#of.all(kind).map((row) => ({ entry: Number(row['entry']), variant: row['variant'] as AssetVariant }));
  }

  waits({ kind, entry, variant }: QueuedAsset & { readonly kind: AssetKind }): boolean {
    return this.#one.get(kind, entry, variant) !== undefined;
  }

  /** Updates the queue for an entry that changes from one state to another; null: it does not exist. */
  move(id: number, before: Entry | null, after: Entry | null): void {
    if (after?.status === 'publish' && kinds.includes(after.kind)) this.#enqueue(id);
    else if (before?.status === 'publish') this.#dropAll.run(id);
  }

  dropLost(): void {
    this.#dropLost.run();
  }

  apply({ data }: AssetEvent): void {
    this.#drop.run(data.kind, data.entry, data.variant);
  }

  #enqueue(id: number): void {
    if ((this.#min.get() as unknown as [number])[0] >= longest) return;
    for (const kind of assetKinds) {
      let count = this.count(kind);
      for (const variant of assetVariants) {
        if (count >= longest) break;
        count += Number(this.#put.run(kind, id, variant).changes);
      }
    }
  }
}

export const assetQueue = defineProjection<AssetQueue, AssetEvent | UserDeletedEvent>({
  name: 'asset-queue',
  version: 0,
  tables: `
    -- Published entries for which services still have to make assets.
    CREATE TABLE asset_queue (
      kind TEXT NOT NULL, entry INTEGER NOT NULL, variant TEXT NOT NULL, PRIMARY KEY (kind, entry, variant)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX asset_queue_by_entry ON asset_queue (entry);
    -- Number of queued entries of each kind, which every publication reads.
    CREATE TABLE asset_queue_sizes (kind TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO asset_queue_sizes VALUES ('ccss', 0), ('ucss', 0), ('vpi', 0);
    CREATE TRIGGER asset_queue_grows AFTER INSERT ON asset_queue BEGIN
      UPDATE asset_queue_sizes SET n = n + 1 WHERE kind = NEW.kind;
    END;
    CREATE TRIGGER asset_queue_shrinks AFTER DELETE ON asset_queue BEGIN
      UPDATE asset_queue_sizes SET n = n - 1 WHERE kind = OLD.kind;
    END;
  `,
  open: (db) => new AssetQueue(db),
  onEntry(queue, { id, before, after, isChange }) {
    if (isChange) queue.move(id, before, after);
  },
  on: {
    PageAssetStored: (queue, { event }) => queue.apply(event),
    PageAssetCleared: (queue, { event }) => queue.apply(event),
    UserDeleted: (queue) => queue.dropLost(),
  },
  // Nothing in it is sealed.
  forget: () => true,
});
