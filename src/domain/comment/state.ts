import type { EntryEvent } from '#domain/entry/events.ts';
import type { MediaDeletedEvent } from '#domain/media/events.ts';
import type { CommentDeletedEvent, CommentEvent } from './events.ts';
import type { CommentKind, CommentStatus, Resolution } from './vocabulary.ts';

export interface Comment extends CommentTexts {
  readonly id: number;
  readonly kind: CommentKind;
  /** Host of the comment: an entry or media item; 0: none. */
  readonly post: number;
  /** Comment that this one replies to; 0: none. It need not exist. */
  readonly parent: number;
  /** User who wrote it; 0: anonymous. */
  readonly author: number;
  readonly status: CommentStatus;
  /** Status to restore when it leaves spam or the trash; null: `hold`. */
  readonly remembered: CommentStatus | null;
  readonly resolution: Resolution | '';
  /** `date` is local, `dateGmt` is UTC. */
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

/** Events of the comment itself, and those of its host and of its parent that affect it. */
export type CommentFact = CommentEvent | HostEvent | CommentDeletedEvent;
export type HostEvent = Extract<EntryEvent, { type: 'EntryTrashed' | 'EntryDeleted' }> | MediaDeletedEvent;

export const commentStream = (id: number): `comment-${number}` => `comment-${id}`;

const unsigned = { name: '', email: '', url: '', ip: '', agent: '' };

/** Folds a fact onto a comment that it concerns; null before the comment is written and after it is deleted. */
export function evolveComment(comment: Comment | null, { type, data }: CommentFact): Comment | null {
  if (type === 'CommentWritten') {
    const { again: _, ...written } = data;
    return { ...unsigned, remembered: null, resolution: '', ...written };
  }
  if (comment === null) return null;
  switch (type) {
    case 'CommentSigned':
    case 'CommentOriginNoted': {
      // The author in these events only identifies the subject of the texts.
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
