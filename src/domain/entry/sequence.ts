import { deleted, erased, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import type { EntryEvent } from './events.ts';
import { entryStatuses } from './vocabulary.ts';

/** State between leaving the trash and getting a status again. */
const restored = 'restored';
const outside = entryStatuses.filter((status) => status !== 'trash');

const alive: Step = { from: entryStatuses };

/** Which events may happen to an entry: its states are its statuses. */
export const entrySequence: Sequence & { readonly steps: Record<EntryEvent['type'], Step> } = {
  kind: 'entry',
  numbered: true,
  passing: [restored],
  steps: {
    EntryCreated: { from: [initial], again: [deleted], to: ({ status }) => String(status) },
    EntryRevised: alive,
    EntryRevisionKept: alive,
    EntryReverted: alive,
    EntryRevisionDeleted: alive,
    EntryAutosaved: alive,
    EntryRevisionImported: alive,
    EntryPublished: becomes('publish'),
    EntryReleased: { from: ['future'], to: 'publish' },
    EntryScheduled: becomes('future'),
    EntryMadePrivate: becomes('private'),
    EntrySubmitted: becomes('pending'),
    EntrySentBackToDraft: becomes('draft'),
    EntryTrashed: { from: outside, to: 'trash' },
    // The entry may have been trashed with its author, which leaves no event in this stream.
    EntryRestored: { from: entryStatuses, to: restored },
    EntryDeleted: { from: entryStatuses, to: deleted },
    EntryErased: { from: [deleted], to: erased },
    EntrySlugChanged: alive,
    EntryDateChanged: alive,
    EntryAuthorChanged: alive,
    EntryPasswordChanged: alive,
    EntryStuck: alive,
    EntryUnstuck: alive,
    EntryClassified: alive,
    EntryTermsChanged: alive,
    EntryMoved: alive,
    EntryOrphaned: alive,
    EntryDetailsChanged: alive,
    EntryProductChanged: alive,
    EntryPatternChanged: alive,
    EntryMenuItemChanged: alive,
    EntrySaved: alive,
  },
};

function becomes(status: string): Step {
  return { from: [...outside.filter((other) => other !== status), restored], to: status };
}
