import { z } from 'zod';
import { notSaid, orderFields } from '#domain/kernel/erasure.ts';
import { defineEvent, type EventOf, unchangedData } from '#domain/kernel/event.ts';
import { limited, optional } from '#domain/kernel/limits.ts';
import { againField } from '#domain/kernel/sequence.ts';
import { ofItsStream } from '#domain/kernel/subject.ts';
import { taxonomies } from '#domain/term/events.ts';
import { changedDetails, createdDetails, erasedDetails, sealedDetails } from './fields.ts';
import { EntryMenuItemChanged, EntryPatternChanged, EntryProductChanged, local, savedAt } from './part-events.ts';
import { textNames } from './texts.ts';
import { entryStatuses } from './vocabulary.ts';

const id = z.int().min(0);
/** `dateGmt` is null for a draft whose date floats. */
const dated = { date: local, dateGmt: local.nullable() };
const { title, paragraph, document } = limited;
const texts = { title, content: document, excerpt: paragraph, footnotes: document };
/** The texts that the event changed; the others are in earlier events. */
const changedTexts = optional(texts);
const noTexts = { title: '', content: '', excerpt: '', footnotes: '' };

const formerly = z
  .object({ status: z.enum(entryStatuses), slug: limited.word.nullable() })
  .describe('status and slug that it had before the trash');

export const EntryCreated = defineEvent({
  type: 'EntryCreated',
  summary: 'An entry was created: a post, page, product, pattern, navigation or item of a menu.',
  schema: z.object({
    id,
    kind: limited.word,
    status: z.enum(entryStatuses),
    slug: limited.word,
    author: id,
    ...dated,
    ...savedAt,
    ...texts,
    password: limited.word,
    ...createdDetails,
    sticky: z.boolean(),
    parent: id,
    categories: limited.list(id),
    tags: limited.list(id),
    trashed: formerly.exactOptional().describe('of an entry that comes back into the trash'),
    ...againField,
  }),
  sealed: [...textNames, 'password', ...sealedDetails],
  erased: { ...noTexts, password: '', ...erasedDetails },
  sealsEach: true,
  subjects: ofItsStream,
  upcasters: [unchangedData, unchangedData],
});

export const EntryRevised = defineEvent({
  type: 'EntryRevised',
  summary: 'Texts of an entry changed; only changed texts are recorded. Version 1 contains all four.',
  schema: z.object({
    revision: id.nullable().describe('id of the revision that this event creates; null if it creates none'),
    ...savedAt,
    ...changedTexts,
  }),
  sealed: textNames,
  erased: noTexts,
  sealsEach: true,
  subjects: ofItsStream,
  upcasters: [unchangedData, unchangedData],
});

export const EntryRevisionKept = defineEvent({
  type: 'EntryRevisionKept',
  summary:
    'A save found texts without a revision (the first save after the creation, for example) and kept them as a revision. Only version 1 repeats the texts.',
  schema: z.object({ revision: id, ...savedAt, ...changedTexts }),
  sealed: textNames,
  erased: noTexts,
  subjects: ofItsStream,
  upcasters: [unchangedData],
});

export const EntryReverted = defineEvent({
  type: 'EntryReverted',
  summary: 'The texts of a revision were restored.',
  schema: z.object({
    revision: id.describe('id of the revision that this event creates'),
    restored: id.describe('id of the revision whose texts were restored'),
    ...savedAt,
    ...texts,
  }),
  sealed: textNames,
  erased: noTexts,
  sealsEach: true,
  subjects: ofItsStream,
  upcasters: [unchangedData],
});

export const EntryRevisionDeleted = defineEvent({
  type: 'EntryRevisionDeleted',
  summary: 'A revision or autosave was deleted. Its texts stay in the log until they are erased.',
  schema: z.object({
    revision: id,
    latest: id.describe('id of the newest remaining revision; 0: none'),
    latestGmt: local.describe('when that revision was saved, UTC; empty: none'),
  }),
});

export const EntryAutosaved = defineEvent({
  type: 'EntryAutosaved',
  summary: 'The autosave of a user for an entry was written; the entry itself did not change.',
  schema: z.object({
    autosave: id.describe('id of the autosave; the next autosave of the same user replaces it'),
    isNew: z.boolean().describe('true if the user had no autosave of this entry'),
    date: local,
    dateGmt: local,
    ...texts,
  }),
  sealed: textNames,
  erased: noTexts,
  subjects: ofItsStream,
});

export const EntryRevisionImported = defineEvent({
  type: 'EntryRevisionImported',
  summary:
    'A revision or autosave that an entry had in another system was added to it, with its author and its time there; the entry itself did not change.',
  schema: z.object({
    revision: id.describe('id of the revision or autosave'),
    isNew: z.boolean().describe('false: it replaces what it was before'),
    isAutosave: z.boolean(),
    author: id.describe('user who saved it there; 0: unknown'),
    saved: local.describe('when it was saved there, in the time zone of the site'),
    savedGmt: local,
    ...texts,
  }),
  sealed: textNames,
  erased: noTexts,
  sealsEach: true,
  subjects: ofItsStream,
});

export const EntryPublished = defineEvent({
  type: 'EntryPublished',
  summary: 'An entry became public.',
  schema: z.object(savedAt),
});

export const EntryReleased = defineEvent({
  type: 'EntryReleased',
  summary: 'A scheduled entry became public at its time.',
  schema: z.object({ categories: limited.list(id) }),
});

export const EntryScheduled = defineEvent({
  type: 'EntryScheduled',
  summary: 'An entry was scheduled to become public at its date.',
  schema: z.object(savedAt),
});

export const EntryMadePrivate = defineEvent({
  type: 'EntryMadePrivate',
  summary: 'An entry became private: only its author and editors can read it.',
  schema: z.object(savedAt),
});

export const EntrySubmitted = defineEvent({
  type: 'EntrySubmitted',
  summary: 'An entry was submitted for review.',
  schema: z.object(savedAt),
});

export const EntrySentBackToDraft = defineEvent({
  type: 'EntrySentBackToDraft',
  summary: 'An entry became a draft again.',
  schema: z.object(savedAt),
});

export const EntryTrashed = defineEvent({
  type: 'EntryTrashed',
  summary: 'An entry was moved to the trash; its former status and slug are recorded.',
  schema: z.object({
    ...savedAt,
    former: formerly.exactOptional().describe('what it returns to; absent: the status and the slug that it had'),
  }),
  upcasters: [unchangedData],
});

export const EntryRestored = defineEvent({
  type: 'EntryRestored',
  summary: 'An entry was restored from the trash; another event of the commit gives its new status.',
  schema: z.object(savedAt),
});

export const EntryDeleted = defineEvent({
  type: 'EntryDeleted',
  summary:
    'An entry was deleted for good, with its revisions and autosaves. What was below it passed to the heir. In version 1 ' +
    'each of those had an event of its own.',
  schema: z.object({
    id,
    kind: limited.word,
    heir: id
      .exactOptional()
      .describe(
        'the entry to which pages below it and attached media items passed, 0: none; absent: nothing was below it',
      ),
    inherited: z.enum(['private']).exactOptional().describe('status that the media items keep'),
  }),
  upcasters: [unchangedData],
});

export const EntryErased = defineEvent({
  type: 'EntryErased',
  ordersErasure: true,
  summary: 'The contents of a deleted entry were ordered to be erased: its texts are emptied everywhere.',
  schema: z.object({ id, ...orderFields }),
  upcasters: [notSaid],
});

export const EntrySlugChanged = defineEvent({
  type: 'EntrySlugChanged',
  summary: 'The slug of an entry changed.',
  schema: z.object({ slug: limited.word, ...savedAt }),
});

export const EntryDateChanged = defineEvent({
  type: 'EntryDateChanged',
  summary: 'The date of an entry was set or made floating.',
  schema: z.object({ ...dated, ...savedAt }),
});

export const EntryAuthorChanged = defineEvent({
  type: 'EntryAuthorChanged',
  summary: 'The author of an entry changed.',
  schema: z.object({ author: id, ...savedAt }),
});

export const EntryPasswordChanged = defineEvent({
  type: 'EntryPasswordChanged',
  summary: 'The password of an entry was set, changed or removed.',
  schema: z.object({ password: limited.word, ...savedAt }),
  sealed: ['password'],
  erased: { password: '' },
  subjects: ofItsStream,
});

export const EntryStuck = defineEvent({
  type: 'EntryStuck',
  summary: 'A post was made sticky.',
  schema: z.object(savedAt),
});

export const EntryUnstuck = defineEvent({
  type: 'EntryUnstuck',
  summary: 'A post is no longer sticky.',
  schema: z.object(savedAt),
});

export const EntryClassified = defineEvent({
  type: 'EntryClassified',
  summary: 'Categories or tags of a post changed; both lists are recorded whole.',
  schema: z.object({ categories: limited.list(id), tags: limited.list(id), ...savedAt }),
});

export const EntryTermsChanged = defineEvent({
  type: 'EntryTermsChanged',
  summary: 'Terms of an entry changed in a taxonomy other than categories and tags; the list is recorded whole.',
  schema: z.object({ taxonomy: z.enum(taxonomies), terms: limited.list(id), ...savedAt }),
});

export const EntryMoved = defineEvent({
  type: 'EntryMoved',
  summary: 'The parent of a page changed.',
  schema: z.object({ parent: id, ...savedAt }),
});

export const EntryOrphaned = defineEvent({
  type: 'EntryOrphaned',
  summary: 'The parent of a page was deleted; the page moved to its grandparent. No longer recorded.',
  schema: z.object({ parent: id }),
});

export const EntryDetailsChanged = defineEvent({
  type: 'EntryDetailsChanged',
  summary: 'Settings of an entry other than its texts changed; only changed settings are recorded.',
  schema: z.object({ ...savedAt, ...changedDetails }),
  ...{ sealed: sealedDetails, erased: erasedDetails, subjects: ofItsStream },
});

export const EntrySaved = defineEvent({
  type: 'EntrySaved',
  summary: 'An entry was saved without a change; only its modification time changed.',
  schema: z.object(savedAt),
});

export const entryEvents = [
  EntryCreated,
  EntryRevised,
  EntryRevisionKept,
  EntryReverted,
  EntryRevisionDeleted,
  EntryAutosaved,
  EntryRevisionImported,
  EntryPublished,
  EntryReleased,
  EntryScheduled,
  EntryMadePrivate,
  EntrySubmitted,
  EntrySentBackToDraft,
  EntryTrashed,
  EntryRestored,
  EntryDeleted,
  EntryErased,
  EntrySlugChanged,
  EntryDateChanged,
  EntryAuthorChanged,
  EntryPasswordChanged,
  EntryStuck,
  EntryUnstuck,
  EntryClassified,
  EntryTermsChanged,
  EntryMoved,
  EntryOrphaned,
  EntryDetailsChanged,
  EntryProductChanged,
  EntryPatternChanged,
  EntryMenuItemChanged,
  EntrySaved,
] as const;

export type EntryEvent = EventOf<(typeof entryEvents)[number]>;
export type EntryDeletedEvent = EventOf<typeof EntryDeleted>;
