import type { Moment } from '#domain/entry/commands.ts';
import type { Comment } from './state.ts';
import type { CommentKind, Resolution, StatusWord } from './vocabulary.ts';

/** What a request names of a comment; absent members stay as they are. */
export interface CommentFields {
  readonly post?: number;
  readonly parent?: number;
  /** The comment is that user's, and gets their name and addresses where nothing else is named. */
  readonly author?: number;
  readonly name?: NamedText;
  readonly email?: string;
  readonly url?: string;
  /** Where it came from; always known. */
  readonly ip: string;
  readonly agent?: string;
  readonly content?: NamedText;
  readonly date?: Moment;
  readonly status?: StatusWord;
  readonly resolution?: Resolution | '';
}

/** A text as it was sent, and in the form in which it is stored. */
export interface NamedText {
  readonly sent: string;
  readonly stored: string;
}

/** A new comment. */
export interface NewComment extends CommentFields {
  readonly kind: CommentKind;
  readonly post: number;
}

/** Who wrote a comment, by all that tells. */
export interface Signature extends Pick<Comment, 'author' | 'name' | 'email' | 'url'> {}

/** What decisions depend on besides the comment itself, all as of the position that is decided upon. */
export interface CommentFacts {
  readonly now: Moment;
  readonly nextComment: number;
  /** User who asks; 0: nobody. */
  readonly actor: number;
  /** Name and addresses of a user, the name as it is stored in comments; undefined: there is none. */
  readonly user: (id: number) => Omit<Signature, 'author'> | undefined;
  /** What stands for a mail address in the log; '' for none. */
  readonly digest: (email: string) => string;
}

/** What decides whether a new comment is taken, and what becomes of it. */
export interface ModerationFacts {
  /** The actor is not slowed down. */
  readonly moderates: boolean;
  /** Whether a user writes without being moderated: it is their entry, or they moderate. */
  readonly isTrusted: (author: number) => boolean;
  /** Whether somebody has a comment that stands approved. */
  readonly isKnown: (who: Signature) => boolean;
  /** Whether there is such a comment already, outside of the trash. */
  readonly isThere: (comment: Pick<Comment, 'post' | 'parent' | 'name' | 'email' | 'content'>) => boolean;
  /** UTC date of the last comment of somebody in the hour before; null: none. */
  readonly lastDate: (who: Signature) => string | null;
  /** Links in the words, as they are shown. */
  readonly links: number;
  /** For those without an account. */
  readonly visitors: VisitorFacts;
}

export interface VisitorFacts {
  /** Comments from their network in the last quarter of an hour. */
  readonly recent: number;
  /** Most of these. */
  readonly limit: number;
  /** UTC time of the last comment from their network; null: none of late. */
  readonly last: string | null;
}
