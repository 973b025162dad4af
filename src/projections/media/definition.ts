import { codec } from '#catalogue/events.ts';
import type { EventMeta, NamedFiles } from '#domain/kernel/event.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { evolveMedia, type Media, mediaIn } from '#domain/media/state.ts';
import type { RenditionEvent } from '#domain/renditions/area.ts';
import type { Checkpoint } from '../kernel/checkpoint.ts';
import { defineProjection } from '../kernel/define.ts';
import { eachId } from '../kernel/each-id.ts';
import type { Fold } from '../kernel/projection.ts';
import { isErasedFile } from './addresses.ts';
import { type MediaRow, toMediaRow } from './row.ts';
import { MediaTable } from './store.ts';

export const media = defineProjection({
  name: 'media',
  version: 6,
  tables: `
    -- Media items: their state as JSON, and the columns that queries use.
    CREATE TABLE media (
      id INTEGER PRIMARY KEY, ord INTEGER NOT NULL, touched INTEGER NOT NULL,
      slug TEXT NOT NULL, parent INTEGER NOT NULL, featured_media INTEGER NOT NULL, type TEXT NOT NULL,
      closed INTEGER NOT NULL,
      state TEXT NOT NULL, title_json TEXT NOT NULL, description_json TEXT NOT NULL, sum INTEGER NOT NULL,
      since INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX media_by_slug ON media (slug, parent);
    CREATE INDEX media_by_parent ON media (parent) WHERE parent <> 0;
    CREATE INDEX media_featuring ON media (featured_media) WHERE featured_media <> 0;
    CREATE INDEX media_touched ON media (touched);
    CREATE INDEX media_closed ON media (id) WHERE closed <> 0;

    -- Present and past addresses of files; media is 0 once the item is deleted.
    CREATE TABLE media_addresses (
      path TEXT PRIMARY KEY, folded TEXT NOT NULL, hash TEXT NOT NULL, media INTEGER NOT NULL, sum INTEGER NOT NULL,
      since INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX media_addresses_folded ON media_addresses (folded);
    CREATE INDEX media_addresses_of ON media_addresses (media) WHERE media <> 0;

    -- Every file that an event names, except those of erased items.
    CREATE TABLE media_hashes (hash TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

    -- Deleted media items, in log order. References to them are dropped when entries are read.
    CREATE TABLE lost_media (position INTEGER PRIMARY KEY, id INTEGER NOT NULL) STRICT;
    CREATE INDEX lost_media_by_id ON lost_media (id);
  `,
  versioned: {
    media: { lookedUpBy: ['slug', 'parent'] },
    media_addresses: { key: ['path'] },
    lost_media: { appendedAt: 'position' },
  },
  open: (db) => new MediaTable(db),
  fold({ tables }): Fold {
    const projection = new MediaProjection(tables.of(media));
    return {
      apply({ area, id, events }, { checkpoint, changes }) {
        for (const { event, meta } of events) {
          if (event.type === 'RenditionCreated') projection.noteRendition(event as RenditionEvent);
          // The row that an erasure would change no longer exists.
          if (area === 'media' && event.type !== 'MediaErased') {
            changes.media.add(id);
            projection.apply(id, event as MediaEvent, { meta, checkpoint });
          }
          const named = codec.files(event, meta.stream);
          if (named !== null) projection.noteFiles(named);
        }
      },
    };
  },
  scan: (table, { db }) => eachId(db, 'media', (id) => table.get(id)),
  // Addresses and hashes of files depend on events of several items.
  forget: (_, { events }) =>
    events.every(({ event, meta }) => !meta.stream.startsWith('media-') && codec.files(event, meta.stream) === null),
});

/** Folds the events of media items into rows, one by one: they are few. */
class MediaProjection {
  readonly #table: MediaTable;

  constructor(table: MediaTable) {
    this.#table = table;
  }

  apply(id: number, event: MediaEvent, { meta, checkpoint }: { meta: EventMeta; checkpoint: Checkpoint }): void {
    const before = this.#table.get(id) ?? null;
    const after = evolveMedia(before === null ? null : stateOf(before), event);
    if (after === null) {
      this.#table.remove(id, meta.position);
      return;
    }
    if (event.type === 'MediaUploaded') {
      checkpoint.nextId = Math.max(checkpoint.nextId, id + 1);
      this.#table.saveAddresses(after);
    } else if (event.type === 'MediaSizesMade') this.#table.saveAddresses(after);
    this.#table.save(toMediaRow(after, { ord: before?.ord ?? checkpoint.nextOrd++, touched: meta.position }));
  }

  noteFiles({ of, files }: NamedFiles): void {
    const media = this.#table.get(mediaIn(of));
    if (media === undefined || isErasedFile(media)) return;
    for (const { hash } of files) this.#table.saveHash(hash);
  }

  /** Saves the address of a rendition; a deleted one has lost it already. */
  noteRendition({ type, data }: RenditionEvent): void {
    const media = type === 'RenditionCreated' ? this.#table.get(data.media) : undefined;
    if (type === 'RenditionCreated' && media !== undefined) this.#table.saveRendition(media, data);
  }
}

function stateOf({ ord: _, touched: __, titleJson: ___, descriptionJson: ____, ...media }: MediaRow): Media {
  return media;
}
