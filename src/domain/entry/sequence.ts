import { erased, gone, nothing, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import type { EntryEvent } from './events.ts';
import { entryStatuses } from './vocabulary.ts';

/** Between coming out of the trash and what becomes of the entry then. */
const restored = 'restored';
const outside = entryStatuses.filter((status) => status !== 'trash');

const alive: Step = { from: entryStatuses };

/** What may happen to an entry: its states are its statuses. */
export const entrySequence: Sequence & { readonly steps: Record<EntryEvent['type'], Step> } = {
  kind: 'entry',
  numbered: true,
  passing: [restored],
  steps: {
    EntryCreated: { from: [nothing], to: ({ status }) => String(status) },
    EntryRevised: alive,
    EntryRevisionKept: alive,
    EntryReverted: alive,
    EntryRevisionDeleted: alive,
    EntryAutosaved: alive,
    EntryPublished: becomes('publish'),
    EntryReleased: { from: ['future'], to: 'publish' },
    EntryScheduled: becomes('future'),
    EntryMadePrivate: becomes('private'),
    EntrySubmitted: becomes('pending'),
    EntrySentBackToDraft: becomes('draft'),
    EntryTrashed: { from: outside, to: 'trash' },
    // It may have gone to the trash with its author, which no event of its own says.
    EntryRestored: { from: entryStatuses, to: restored },
    EntryDeleted: { from: entryStatuses, to: gone },
    EntryErased: { from: [gone], to: erased },
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
