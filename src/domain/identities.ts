import type { CommentEvent } from './comment/events.ts';
import type { EntryEvent } from './entry/events.ts';
import { revisionChange } from './entry/revisions.ts';
import type { DomainEvent } from './kernel/event.ts';
import { isAgain } from './kernel/sequence.ts';
import type { MediaEvent } from './media/events.ts';
import type { MigrationEvent } from './migration/area.ts';
import type { ReleaseEvent } from './release/area.ts';
import type { TermEvent } from './term/events.ts';
import type { UserEvent } from './user/events.ts';

/** An id that an event assigns. Entries, media items, revisions and autosaves share one series. */
export interface NewId {
  readonly of: 'item' | 'comment' | 'term' | 'user';
  readonly id: number;
}

/** A range of ids: `from` is the first, `to` follows the last. */
export interface KeptRange {
  readonly of: NewId['of'];
  readonly from: number;
  readonly to: number;
}

/**
 * The id that an event assigns; null if it assigns none. New ids follow the highest that was assigned or kept, so each series rises along
 * the log but for ids that were kept before; no id is assigned twice. An item that comes back after its deletion has the one that it had.
 */
export function newIdOf(event: DomainEvent): NewId | null {
  if (isAgain(event.data)) return null;
  const known = event as EntryEvent | MediaEvent | CommentEvent | TermEvent | UserEvent;
  switch (known.type) {
    case 'EntryCreated':
    case 'MediaUploaded':
      return { of: 'item', id: known.data.id };
    case 'EntryRevised':
    case 'EntryRevisionKept':
    case 'EntryReverted':
    case 'EntryAutosaved':
    case 'EntryRevisionImported': {
      const change = revisionChange(known);
      return change !== null && 'kept' in change && change.kept.isNew ? { of: 'item', id: change.kept.id } : null;
    }
    case 'CommentWritten':
      return { of: 'comment', id: known.data.id };
    case 'TermCreated':
      return { of: 'term', id: known.data.id };
    case 'UserAdded':
      return { of: 'user', id: known.data.id };
    default:
      return null;
  }
}

/** The ids that an event keeps for what is made later, or made what they were kept for; empty ranges are none. */
export function keptIds(event: DomainEvent): readonly KeptRange[] {
  const { type, data } = event as ReleaseEvent | MigrationEvent;
  if (type === 'MigrationBegan') {
    const all = Object.entries(data.ids) as [NewId['of'], Omit<KeptRange, 'of'>][];
    return all.map(([of, range]) => ({ of, ...range })).filter(({ from, to }) => from < to);
  }
  if (type !== 'ReleaseRequested' && type !== 'ReleasePublished') return [];
  const { ids } = data;
  return ids === undefined || ids.to <= ids.from ? [] : [{ of: 'item', ...ids }];
}
