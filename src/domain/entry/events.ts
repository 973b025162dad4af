import { z } from 'zod';
import { defineEvent, type EventOf, unchangedData } from '#domain/kernel/event.ts';
import { ofItsStream } from '#domain/kernel/subject.ts';
import { stockStatuses } from './product.ts';
import { textNames } from './texts.ts';
import { entryStatuses, formats } from './vocabulary.ts';

const id = z.int().min(0);
const local = z.string().describe('YYYY-MM-DDTHH:MM:SS, in the zone of the site or in UTC as the field says');
/** When the entry was last saved, as the entry shows it. */
const saved = { modified: local, modifiedGmt: local };
/** `dateGmt` is null for a draft whose date floats. */
const dated = { date: local, dateGmt: local.nullable() };
const texts = { title: z.string(), content: z.string(), excerpt: z.string(), footnotes: z.string() };
const text = z.string().exactOptional();
/** Those that the event changed; the others are in earlier events. */
const changedTexts = { title: text, content: text, excerpt: text, footnotes: text };
const noTexts = { title: '', content: '', excerpt: '', footnotes: '' };
const openness = z.enum(['open', 'closed']);
const format = z.enum(formats);

export const EntryCreated = defineEvent({
  type: 'EntryCreated',
  summary: 'A post, page or product was written for the first time.',
  schema: z.object({
    id,
    kind: z.string(),
    status: z.enum(entryStatuses),
    slug: z.string(),
    author: id,
    ...dated,
    ...saved,
    ...texts,
    password: z.string(),
    commentStatus: openness,
    pingStatus: openness,
    format,
    sticky: z.boolean(),
    template: z.string(),
    parent: id,
    menuOrder: z.int(),
    featuredMedia: id,
    categories: z.array(id),
    tags: z.array(id),
  }),
  sealed: [...textNames, 'password'],
  erased: { ...noTexts, password: '' },
  subjects: ofItsStream,
});

export const EntryRevised = defineEvent({
  type: 'EntryRevised',
  summary: 'Texts of an entry changed; only those that did are recorded. Those of version 1 hold all four.',
  schema: z.object({
    revision: id.nullable().describe('id of the revision that this event is; null when the change left none'),
    ...saved,
    ...changedTexts,
  }),
  sealed: textNames,
  erased: noTexts,
  subjects: ofItsStream,
  upcasters: [unchangedData],
});

export const EntryRevisionKept = defineEvent({
  type: 'EntryRevisionKept',
  summary:
    'A save found texts of which there was no revision (the first one after the creation, say) and kept them as one. Only those of version 1 repeat the texts.',
  schema: z.object({ revision: id, ...saved, ...changedTexts }),
  sealed: textNames,
  erased: noTexts,
  subjects: ofItsStream,
  upcasters: [unchangedData],
});

export const EntryReverted = defineEvent({
  type: 'EntryReverted',
  summary: 'The texts of a revision were made current again.',
  schema: z.object({
    revision: id.describe('id of the revision that this event is'),
    restored: id.describe('id of the revision whose texts came back'),
    ...saved,
    ...texts,
  }),
  sealed: textNames,
  erased: noTexts,
  subjects: ofItsStream,
});

export const EntryRevisionDeleted = defineEvent({
  type: 'EntryRevisionDeleted',
  summary: 'A revision or autosave was deleted. Its texts stay in the log until they are erased.',
  schema: z.object({
    revision: id,
    latest: id.describe('id of the newest one that is left; 0 for none'),
    latestGmt: local.describe('when that was saved, UTC; empty for none'),
  }),
});

export const EntryAutosaved = defineEvent({
  type: 'EntryAutosaved',
  summary: 'The autosave that a user has of an entry was written; the entry itself stays as it is.',
  schema: z.object({
    autosave: id.describe('id of the autosave, which the next one of the same user takes over'),
    isNew: z.boolean().describe('whether the user had none of this entry'),
    date: local,
    dateGmt: local,
    ...texts,
  }),
  sealed: textNames,
  erased: noTexts,
  subjects: ofItsStream,
});

export const EntryPublished = defineEvent({
  type: 'EntryPublished',
  summary: 'An entry became public.',
  schema: z.object(saved),
});

export const EntryReleased = defineEvent({
  type: 'EntryReleased',
  summary: 'A scheduled entry became public because its time had come.',
  schema: z.object({ categories: z.array(id) }),
});

export const EntryScheduled = defineEvent({
  type: 'EntryScheduled',
  summary: 'An entry is to become public at its date.',
  schema: z.object(saved),
});

export const EntryMadePrivate = defineEvent({
  type: 'EntryMadePrivate',
  summary: 'An entry can be read by its author and the editors only.',
  schema: z.object(saved),
});

export const EntrySubmitted = defineEvent({
  type: 'EntrySubmitted',
  summary: 'An entry waits for review.',
  schema: z.object(saved),
});

export const EntrySentBackToDraft = defineEvent({
  type: 'EntrySentBackToDraft',
  summary: 'An entry became a draft again.',
  schema: z.object(saved),
});

export const EntryTrashed = defineEvent({
  type: 'EntryTrashed',
  summary: 'An entry was moved to the trash; status and slug from before are remembered.',
  schema: z.object(saved),
});

export const EntryRestored = defineEvent({
  type: 'EntryRestored',
  summary: 'An entry was taken out of the trash; another event of the commit says what it became.',
  schema: z.object(saved),
});

export const EntryDeleted = defineEvent({
  type: 'EntryDeleted',
  summary: 'An entry was deleted for good, with its revisions and autosaves.',
  schema: z.object({ id, kind: z.string() }),
});

export const EntryErased = defineEvent({
  type: 'EntryErased',
  ordersErasure: true,
  summary: 'What a deleted entry held was ordered to be erased: its texts are emptied wherever they are kept.',
  schema: z.object({ id }),
});

export const EntrySlugChanged = defineEvent({
  type: 'EntrySlugChanged',
  summary: 'An entry got another slug.',
  schema: z.object({ slug: z.string(), ...saved }),
});

export const EntryDateChanged = defineEvent({
  type: 'EntryDateChanged',
  summary: 'The date of an entry was set, or set floating.',
  schema: z.object({ ...dated, ...saved }),
});

export const EntryAuthorChanged = defineEvent({
  type: 'EntryAuthorChanged',
  summary: 'An entry was given to another author.',
  schema: z.object({ author: id, ...saved }),
});

export const EntryPasswordChanged = defineEvent({
  type: 'EntryPasswordChanged',
  summary: 'The password of an entry was set, changed or removed.',
  schema: z.object({ password: z.string(), ...saved }),
  sealed: ['password'],
  erased: { password: '' },
  subjects: ofItsStream,
});

export const EntryStuck = defineEvent({
  type: 'EntryStuck',
  summary: 'A post was made sticky.',
  schema: z.object(saved),
});

export const EntryUnstuck = defineEvent({
  type: 'EntryUnstuck',
  summary: 'A post is no longer sticky.',
  schema: z.object(saved),
});

export const EntryClassified = defineEvent({
  type: 'EntryClassified',
  summary: 'Categories or tags of a post changed; both lists are recorded as they are since.',
  schema: z.object({ categories: z.array(id), tags: z.array(id), ...saved }),
});

export const EntryMoved = defineEvent({
  type: 'EntryMoved',
  summary: 'A page was put below another parent.',
  schema: z.object({ parent: id, ...saved }),
});

export const EntryOrphaned = defineEvent({
  type: 'EntryOrphaned',
  summary: 'The parent of a page was deleted; the page passed to its grandparent.',
  schema: z.object({ parent: id }),
});

export const EntryDetailsChanged = defineEvent({
  type: 'EntryDetailsChanged',
  summary: 'Settings of an entry changed that are no texts; only those that did are recorded.',
  schema: z.object({
    ...saved,
    commentStatus: openness.optional(),
    pingStatus: openness.optional(),
    format: format.optional(),
    template: z.string().optional(),
    menuOrder: z.int().optional(),
    featuredMedia: id.optional(),
  }),
});

const attribute = z.object({ name: z.string(), label: z.string(), options: z.array(z.string()) });

export const EntryProductChanged = defineEvent({
  type: 'EntryProductChanged',
  summary:
    'Price, stock or attributes of a product changed; only what did is recorded. Those of version 1 hold all of them.',
  schema: z.object({
    regularPrice: z.string().describe('decimal number; empty for none').exactOptional(),
    salePrice: z.string().describe('decimal number; empty for none').exactOptional(),
    sku: z.string().exactOptional(),
    stockStatus: z.enum(stockStatuses).exactOptional(),
    featured: z.boolean().exactOptional(),
    averageRating: z.number().exactOptional(),
    totalSales: z.int().min(0).exactOptional(),
    attributes: z.array(attribute).exactOptional(),
    ...saved,
  }),
  sealed: ['sku', 'attributes'],
  erased: { sku: '', attributes: [] },
  subjects: ofItsStream,
  upcasters: [unchangedData],
});

export const EntrySaved = defineEvent({
  type: 'EntrySaved',
  summary: 'An entry was saved without a change; only its time of modification moved.',
  schema: z.object(saved),
});

export const entryEvents = [
  EntryCreated,
  EntryRevised,
  EntryRevisionKept,
  EntryReverted,
  EntryRevisionDeleted,
  EntryAutosaved,
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
  EntryMoved,
  EntryOrphaned,
  EntryDetailsChanged,
  EntryProductChanged,
  EntrySaved,
] as const;

export type EntryEvent = EventOf<(typeof entryEvents)[number]>;
