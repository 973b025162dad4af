import type { CommentEvent } from '#domain/comment/events.ts';
import type { HostEvent } from '#domain/comment/state.ts';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import { defineProjection } from '../kernel/define.ts';
import { eachId } from '../kernel/each-id.ts';
import type { Applying, EventRun, Fold } from '../kernel/projection.ts';
import { commentLateIndexes, commentTables, PresentComments } from './present.ts';

export const comments = defineProjection({
  name: 'comments',
  version: 3,
  tables: commentTables,
  lateIndexes: commentLateIndexes,
  touches: ['comments'],
  open: (db) => new PresentComments(db),
  fold: ({ tables }): Fold => {
    const { table } = tables.of(comments);
    return {
      apply({ area, id, events }: EventRun, { checkpoint, changes }: Applying) {
        if (area === 'comment') {
          changes.keys.add('comments');
          checkpoint.nextComment = Math.max(checkpoint.nextComment, id + 1);
          table.apply(id, events as readonly RecordedEvent<CommentEvent>[]);
          return;
        }
        for (const { event, meta } of events) {
          const fate = fates.get(event.type);
          if (fate === undefined) continue;
          changes.keys.add('comments');
          if (event.type === 'UserDeleted') table.loseWithAuthor(meta.position);
          else table.lose(id, fate, meta.position);
        }
      },
    };
  },
  scan: ({ table }, { db }) => eachId(db, 'comments', (id) => table.check(id)),
});

/** Events of entries and media items that affect comments on them. */
const fates: ReadonlyMap<string, 'trashed' | 'deleted'> = new Map<
  HostEvent['type'] | 'UserDeleted',
  'trashed' | 'deleted'
>([
  ['EntryTrashed', 'trashed'],
  ['UserDeleted', 'trashed'],
  ['EntryDeleted', 'deleted'],
  ['MediaDeleted', 'deleted'],
]);
