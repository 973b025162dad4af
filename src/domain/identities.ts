import type { CommentEvent } from './comment/events.ts';
import type { EntryEvent } from './entry/events.ts';
import { revisionChange } from './entry/revisions.ts';
import type { DomainEvent } from './kernel/event.ts';
import { isAgain } from './kernel/sequence.ts';
import type { MediaEvent } from './media/events.ts';
import type { ReleaseEvent } from './release/area.ts';
import type { TermEvent } from './term/events.ts';
import type { UserEvent } from './user/events.ts';

/** An id that an event assigns. Entries, media items, revisions and autosaves share one series. */
export interface NewId {
  readonly of: 'item' | 'comment' | 'term' | 'user';
  readonly id: number;
}

/**
 * The id that an event assigns; null if it assigns none. New ids follow the highest assigned one, so each series rises along the log and no
 * id is assigned twice; an item that comes back after its deletion has the one that it had.
 */
export function newIdOf(event: DomainEvent): NewId | null {
  if (isAgain(event.data)) return null;
  const kept = keptIds(event);
  // Others of those were given to what the kept ids are for.
  if (kept !== null) return kept.to <= kept.from ? null : { of: 'item', id: kept.to - 1 };
  const known = event as EntryEvent | MediaEvent | CommentEvent | TermEvent | UserEvent;
  switch (known.type) {
    case 'EntryCreated':
    case 'MediaUploaded':
      return { of: 'item', id: known.data.id };
    case 'EntryRevised':
    case 'EntryRevisionKept':
    case 'EntryReverted':
    case 'EntryAutosaved': {
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

/** The ids of items that an event keeps for what is made later, or made what they were kept for; null if it has none. */
export function keptIds(event: DomainEvent): { readonly from: number; readonly to: number } | null {
  const { type, data } = event as ReleaseEvent;
  return type === 'ReleaseRequested' || type === 'ReleasePublished' ? (data.ids ?? null) : null;
}
