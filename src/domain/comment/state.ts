import type { EntryEvent } from '#domain/entry/events.ts';
import type { MediaDeletedEvent } from '#domain/media/events.ts';
import type { CommentDeletedEvent, CommentEvent } from './events.ts';
import type { CommentKind, CommentStatus, Resolution } from './vocabulary.ts';

export interface Comment extends CommentTexts {
  readonly id: number;
  readonly kind: CommentKind;
  /** Entry or media item that it is on; 0: nothing. */
  readonly post: number;
  /** Comment that it answers; 0: none. There need not be such a comment. */
  readonly parent: number;
  /** User who wrote it; 0: none. */
  readonly author: number;
  readonly status: CommentStatus;
  /** Status that it gets when it is no longer spam or in the trash; null: it is held then. */
  readonly remembered: CommentStatus | null;
  readonly resolution: Resolution | '';
  /** Local and UTC. */
  readonly date: string;
  readonly dateGmt: string;
}

export interface CommentTexts {
  readonly name: string;
  readonly email: string;
  readonly url: string;
  readonly ip: string;
  readonly agent: string;
  readonly content: string;
}

/** Its own events, and those of others that reach into it: of what it is on, and of the comment that it answers. */
export type CommentFact = CommentEvent | HostEvent | CommentDeletedEvent;
export type HostEvent = Extract<EntryEvent, { type: 'EntryTrashed' | 'EntryDeleted' }> | MediaDeletedEvent;

export const commentStream = (id: number): `comment-${number}` => `comment-${id}`;

const unsigned = { name: '', email: '', url: '', ip: '', agent: '' };

/** Folds a fact that concerns a comment; null before it is written and after it is deleted. */
export function evolveComment(comment: Comment | null, { type, data }: CommentFact): Comment | null {
  if (type === 'CommentWritten') return { ...unsigned, remembered: null, resolution: '', ...data };
  if (comment === null) return null;
  switch (type) {
    case 'CommentSigned':
    case 'CommentOriginNoted': {
      // The author named there tells whose the text is, and changes nothing.
      const { post: _, author: __, address: ___, ...texts } = data;
      return { ...comment, ...texts };
    }
    case 'CommentEdited':
      return { ...comment, content: data.content };
    case 'CommentChanged':
      return { ...comment, ...data };
    case 'CommentApproved':
      return { ...comment, status: 'approved' };
    case 'CommentHeld':
      return { ...comment, status: 'hold' };
    case 'CommentMarkedAsSpam':
      return { ...comment, status: 'spam', remembered: data.before };
    case 'CommentTrashed':
      return { ...comment, status: 'trash', remembered: data.before };
    case 'CommentRestored':
      return { ...comment, status: data.status, remembered: null };
    case 'CommentDeleted':
      return data.id === comment.id ? null : { ...comment, parent: data.parent };
    case 'EntryTrashed':
      return { ...comment, status: 'post-trashed' };
    case 'CommentErased':
    case 'EntryDeleted':
    case 'MediaDeleted':
      return null;
    default:
      return type satisfies never;
  }
}
