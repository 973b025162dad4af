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

/** Reads the whole commit that an event at a position is part of; null if there is no such position. */
export function readCommit(log: Pick<EventStore, 'read'>, position: number): ReadCommit | null {
  const [event] = log.read({ from: position, limit: 1 });
  if (event === undefined) return null;
  const { i, n } = event.commit;
  const first = position - i;
  return { first, last: first + n - 1, events: [...log.read({ from: first, limit: n })] };
}

/** The items that a commit changed, also those in whose streams it has no event. `before`: the site before the commit. */
export function itemsChanged({ events }: ReadCommit, before: Model): readonly ItemRef[] {
  const found = new Map<string, ItemRef>();
  const add = (area: UndoArea, ids: readonly number[]) => {
    for (const id of ids) found.set(`${area} ${id}`, { area, id });
  };
  for (const event of events) {
    const { type, stream } = event;
    if (undoReach(type, stream).does !== 'undo') continue;
    const own = refOf(event);
    if (own !== null) add(own.area, [own.id]);
    if (own === null) continue;
    const { id } = own;
    switch (type) {
      case 'EntryDeleted':
        add('entry', before.dated(entries).below.of(id));
        add('media', before.attached(id));
        add('comment', commentsOn(id, before));
        break;
      case 'EntryTrashed':
        add('comment', commentsOn(id, before));
        break;
      case 'MediaDeleted':
        add('entry', before.dated(entries).featuring.of(id));
        add('media', before.dated(media).featuring(id));
        add('comment', commentsOn(id, before));
        break;
      case 'TermDeleted':
        add('entry', before.dated(entries).having(id));
        add('term', before.dated(terms).below(id));
        break;
      case 'CommentDeleted':
        add('comment', before.dated(comments).table.answers(id));
        break;
      default:
    }
  }
  return [...found.values()];
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

function commentsOn(post: number, model: Model): readonly number[] {
  return model.comments.find({
    posts: [post],
    statuses: null,
    kinds: null,
    orderBy: 'date_gmt',
    order: 'asc',
    offset: 0,
    limit: -1,
  }).ids;
}
