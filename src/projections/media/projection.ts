import type { EventMeta, NamedFiles } from '#domain/kernel/event.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { evolveMedia, type Media, mediaIn } from '#domain/media/state.ts';
import type { RenditionEvent } from '#domain/renditions/area.ts';
import type { NameTable } from '../entries/names.ts';
import type { Checkpoint } from '../kernel/checkpoint.ts';
import { isErasedFile } from './addresses.ts';
import { type MediaRow, toMediaRow } from './row.ts';
import type { MediaTable } from './store.ts';

/** Folds the events of media items into rows, one by one: they are few. */
export class MediaProjection {
  readonly #table: MediaTable;
  readonly #names: NameTable;

  constructor(table: MediaTable, names: NameTable) {
    this.#table = table;
    this.#names = names;
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
    this.#names.note(id, after.slug);
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
