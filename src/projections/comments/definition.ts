import type { CommentEvent } from '#domain/comment/events.ts';
import type { HostEvent } from '#domain/comment/state.ts';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import { defineProjection } from '../define.ts';
import { eachId } from '../each-id.ts';
import type { Applying, Fold, Run } from '../projection.ts';
import { PresentComments } from './present.ts';
import { commentLateIndexes, commentTables } from './schema.ts';

export const comments = defineProjection({
  name: 'comments',
  version: 1,
  tables: commentTables,
  lateIndexes: commentLateIndexes,
  touches: ['comments'],
  open: (db) => new PresentComments(db),
  fold: ({ tables }): Fold => {
    const { table } = tables.of(comments);
    return {
      apply({ area, id, events }: Run, { checkpoint, changes }: Applying) {
        if (area === 'comment') {
          changes.keys.add('comments');
          checkpoint.nextComment = Math.max(checkpoint.nextComment, id + 1);
          table.apply(id, events as readonly RecordedEvent<CommentEvent>[]);
          return;
        }
        for (const { event, meta } of events) {
          if (!losses.has(event.type)) continue;
          changes.keys.add('comments');
          table.lose(id, event as HostEvent, meta.position);
        }
      },
    };
  },
  scan: ({ table }, { db }) => eachId(db, 'comments', (id) => table.check(id)),
});

/** What happens to entries and media items that concerns the comments on them. */
const losses: ReadonlySet<string> = new Set<HostEvent['type']>(['EntryTrashed', 'EntryDeleted', 'MediaDeleted']);
