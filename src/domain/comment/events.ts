import { z } from 'zod';
import { notSaid, orderFields } from '#domain/kernel/erasure.ts';
import { defineEvent, type EventOf, unchangedData } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { againField, deleted, erased, existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import { ofAddress, ofItem, ofUser, type SealedEvent, type Subject, type Subjects } from '#domain/kernel/subject.ts';
import { commentKinds, commentStatuses, resolutions } from './vocabulary.ts';

type Whose = { readonly post: number; readonly author: number; readonly address: string };
export type CommentEvent = EventOf<(typeof commentEvents)[number]>;
export type CommentDeletedEvent = EventOf<typeof CommentDeleted>;

const id = z.int().min(0);
const status = z.enum(commentStatuses);
const local = limited.word.describe('YYYY-MM-DDTHH:MM:SS, in the zone of the site or in UTC as the field says');
const resolution = z.enum(['', ...resolutions]);
const text = limited.word.exactOptional();

const whose = {
  post: id.describe('entry or media item that the comment is on'),
  author: id.describe('user who wrote the comment; 0: none'),
  address: limited.word.describe('digest of the mail address of the author; empty: none'),
};

export const CommentWritten = defineEvent({
  type: 'CommentWritten',
  summary: 'A comment or a note on an entry was written. Its author and where it came from are in the next two events.',
  schema: z.object({
    id: z.int().min(1),
    kind: z.enum(commentKinds),
    post: whose.post,
    parent: id.describe('comment that it answers; 0: none'),
    author: whose.author,
    status,
    remembered: status.exactOptional().describe('status that it gets when it is no longer spam or in the trash'),
    resolution: resolution.exactOptional().describe('of a note: what it says of the one that it answers'),
    date: local,
    dateGmt: local,
    content: limited.paragraph,
    ...againField,
  }),
  upcasters: [unchangedData],
  sealed: ['content'],
  erased: { content: '' },
  subjects: ({ stream, data }) => [stream as Subject, ...ofItem(data.post)],
});

export const CommentSigned = defineEvent({
  type: 'CommentSigned',
  summary:
    'Name, mail address or web address of the author of a comment were given or changed; only changed ones are recorded.',
  schema: z.object({ ...whose, name: text, email: text, url: text }),
  sealed: ['name', 'email', 'url'],
  erased: { name: '', email: '', url: '' },
  subjects: ofItsAuthor,
});

export const CommentOriginNoted = defineEvent({
  type: 'CommentOriginNoted',
  summary:
    'The network address or the program from which a comment was last saved changed; only changed ones are recorded.',
  schema: z.object({ ...whose, ip: text, agent: text }),
  sealed: ['ip', 'agent'],
  erased: { ip: '', agent: '' },
  subjects: (event) => [
    ...ofItsAuthor(event),
    ...(event.actor === null || event.actor === 0 ? [] : [ofUser(event.actor)]),
  ],
});

export const CommentEdited = defineEvent({
  type: 'CommentEdited',
  summary: 'The words of a comment changed.',
  schema: z.object({ post: whose.post, content: limited.paragraph }),
  sealed: ['content'],
  erased: { content: '' },
  subjects: ({ stream, data }) => [stream as Subject, ...ofItem(data.post)],
});

export const CommentChanged = defineEvent({
  type: 'CommentChanged',
  summary: 'Place, author, date or resolution of a comment changed; only changed ones are recorded.',
  schema: z.object({
    post: whose.post.exactOptional(),
    parent: id.exactOptional(),
    author: id.exactOptional(),
    resolution: resolution.exactOptional(),
    date: local.exactOptional(),
    dateGmt: local.exactOptional(),
  }),
});

export const CommentApproved = defineEvent({
  type: 'CommentApproved',
  summary: 'A comment was approved: all who can read what it is on can read it.',
  schema: z.object({}),
});

export const CommentHeld = defineEvent({
  type: 'CommentHeld',
  summary: 'A comment was held until somebody approves it.',
  schema: z.object({}),
});

export const CommentMarkedAsSpam = defineEvent({
  type: 'CommentMarkedAsSpam',
  summary: 'A comment was marked as spam; the status to which it can return is recorded.',
  schema: z.object({ before: status }),
});

export const CommentTrashed = defineEvent({
  type: 'CommentTrashed',
  summary: 'A comment was moved to the trash; the status to which it can return is recorded.',
  schema: z.object({ before: status }),
});

export const CommentRestored = defineEvent({
  type: 'CommentRestored',
  summary: 'A comment is no longer spam or in the trash.',
  schema: z.object({ status }),
});

export const CommentDeleted = defineEvent({
  type: 'CommentDeleted',
  summary: 'A comment was deleted for good. Answers to it now answer its parent.',
  schema: z.object({ id: z.int().min(1), parent: id }),
});

export const CommentErased = defineEvent({
  type: 'CommentErased',
  ordersErasure: true,
  summary:
    'A deleted comment was ordered to be erased: its words and all data about its author are emptied everywhere.',
  schema: z.object({ id: z.int().min(1), ...orderFields }),
  upcasters: [notSaid],
});

export const commentEvents = [
  CommentWritten,
  CommentSigned,
  CommentOriginNoted,
  CommentEdited,
  CommentChanged,
  CommentApproved,
  CommentHeld,
  CommentMarkedAsSpam,
  CommentTrashed,
  CommentRestored,
  CommentDeleted,
  CommentErased,
] as const;

export const commentSequence: Sequence & { readonly steps: Record<CommentEvent['type'], Step> } = {
  kind: 'comment',
  numbered: true,
  steps: {
    // What a comment is on may have been deleted, which leaves no event in this stream.
    CommentWritten: { from: [initial], again: [existing, deleted], to: existing },
    CommentSigned: { from: [existing] },
    CommentOriginNoted: { from: [existing] },
    CommentEdited: { from: [existing] },
    CommentChanged: { from: [existing] },
    CommentApproved: { from: [existing] },
    CommentHeld: { from: [existing] },
    CommentMarkedAsSpam: { from: [existing] },
    CommentTrashed: { from: [existing] },
    CommentRestored: { from: [existing] },
    CommentDeleted: { from: [existing], to: deleted },
    CommentErased: { from: [deleted], to: erased },
  },
};

function ofItsAuthor({ stream, data: { post, author, address } }: SealedEvent<Whose>): Subjects {
  return [
    stream as Subject,
    ...ofItem(post),
    ...(author === 0 ? [] : [ofUser(author)]),
    ...(address === '' ? [] : [ofAddress(address)]),
  ];
}
