import { undoReach } from '#catalogue/undo.ts';
import { templates } from '#domain/templates/area.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { comments } from '#projections/comments/definition.ts';
import { entries } from '#projections/entries/definition.ts';
import { media } from '#projections/media/definition.ts';
import type { Model } from '#projections/reading/model.ts';
import { terms } from '#projections/terms/definition.ts';
import { isUndoArea, onlyId, type UndoArea } from './subjects.ts';

export interface ItemRef {
  readonly area: UndoArea;
  readonly id: number;
}

export interface ReadCommit {
  /** Position of its first event. */
  readonly first: number;
  readonly last: number;
  readonly events: readonly StoredEvent[];
}

/** Reads the whole commit that an event at a position is part of, without sealed texts; null if there is no such position. */
export function readCommit(log: Pick<EventStore, 'read'>, position: number): ReadCommit | null {
  const [event] = log.read({ from: position, limit: 1, sealed: 'none' });
  if (event === undefined) return null;
  const { i, n } = event.commit;
  const first = position - i;
  return { first, last: first + n - 1, events: [...log.read({ from: first, limit: n, sealed: 'none' })] };
}

type Lost = (id: number, before: Model) => readonly ItemRef[];

const as = (area: UndoArea, ids: readonly number[]): readonly ItemRef[] => ids.map((id) => ({ area, id }));

/** What loses something by an event that is not in its stream, by type. A deleted account is not given back. */
const losing: Readonly<Record<string, Lost>> = {
  EntryDeleted: (id, before) => [
    ...as('entry', before.dated(entries).below.of(id)),
    ...as('media', before.attached(id)),
    ...commentsOn(id, before),
  ],
  EntryTrashed: commentsOn,
  MediaDeleted: (id, before) => [
    ...as('entry', before.dated(entries).featuring.of(id)),
    ...as('media', before.dated(media).featuring(id)),
    ...commentsOn(id, before),
  ],
  TermDeleted: (id, before) => [
    ...as('entry', before.dated(entries).having(id)),
    ...as('term', before.dated(terms).below(id)),
  ],
  CommentDeleted: (id, before) => as('comment', before.dated(comments).table.answers(id)),
};

/** Whether events of a type change items in whose streams they are not. */
export function changesOthers(type: string): boolean {
  return type === 'UserDeleted' || Object.hasOwn(losing, type);
}

/** The items that a commit changed, also those in whose streams it has no event. `before`: the site before the commit. */
export function itemsChanged({ events }: ReadCommit, before: Model): readonly ItemRef[] {
  const found = events.flatMap((event) => {
    const own = undoReach(event.type, event.stream).does === 'undo' ? refOf(event) : null;
    return own === null ? [] : [own, ...(losing[event.type]?.(own.id, before) ?? [])];
  });
  return [...new Map(found.map((item) => [`${item.area} ${item.id}`, item])).values()];
}

/** The stream of an item. */
export function streamOf({ area, id }: ItemRef): string {
  return ['entry', 'media', 'comment', 'term', 'user'].includes(area) ? `${area}-${id}` : area;
}

/** The item that an event is about; null if it is none that can be given back. */
export function refOf({ stream, data }: Pick<StoredEvent, 'stream' | 'type' | 'data'>): ItemRef | null {
  if (stream === templates.stream) {
    const { number = 0 } = JSON.parse(data) as { readonly number?: number };
    return { area: 'plugin-templates', id: number };
  }
  if (isUndoArea(stream)) return { area: stream, id: onlyId };
  const dash = stream.indexOf('-');
  const area = stream.slice(0, dash);
  return isUndoArea(area) ? { area, id: Number(stream.slice(dash + 1)) } : null;
}

/** All comments on an item, of every status. */
export function commentsOn(post: number, model: Model): readonly ItemRef[] {
  const all = { statuses: null, kinds: null, orderBy: 'id', order: 'asc', offset: 0, limit: -1 } as const;
  return as('comment', model.comments.find({ ...all, posts: [post] }).ids);
}
