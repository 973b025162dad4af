import type { EntryMoment } from '#domain/entry/commands.ts';
import type { Comment } from './state.ts';
import type { CommentKind, Resolution, StatusWord } from './vocabulary.ts';

/** Fields of a comment that a request sets; absent members are kept. */
export interface CommentFields {
  readonly post?: number;
  readonly parent?: number;
  readonly author?: number;
  readonly name?: NamedText;
  readonly email?: string;
  readonly url?: string;
  /** IP address of the client; always known. */
  readonly ip: string;
  readonly agent?: string;
  readonly content?: NamedText;
  readonly date?: EntryMoment;
  readonly status?: StatusWord;
  readonly resolution?: Resolution | '';
}

export interface NamedText {
  readonly sent: string;
  readonly stored: string;
}

export interface NewComment extends CommentFields {
  readonly kind: CommentKind;
  readonly post: number;
}

export interface Signature extends Pick<Comment, 'author' | 'name' | 'email' | 'url'> {}

/** What decisions depend on besides the comment, as of the position of the decision. */
export interface CommentFacts {
  readonly now: EntryMoment;
  readonly nextComment: number;
  /** Id of the acting user; 0: anonymous. */
  readonly actor: number;
  /** Name and addresses of a user, with the name in its stored form; undefined if there is no such user. */
  readonly user: (id: number) => Omit<Signature, 'author'> | undefined;
  /** Digest that represents a mail address in the log; '' for an empty address. */
  readonly digest: (email: string) => string;
}

export interface ModerationFacts {
  readonly moderates: boolean;
  /** Whether a user's comments skip moderation: the user owns the entry or moderates. */
  readonly isTrusted: (author: number) => boolean;
  readonly isKnown: (who: Signature) => boolean;
  readonly isThere: (comment: Pick<Comment, 'post' | 'parent' | 'name' | 'email' | 'content'>) => boolean;
  /** UTC date of the author's last comment within the past hour; null: none. */
  readonly lastDate: (who: Signature) => string | null;
  readonly links: number;
  /** Facts about comments of visitors without an account. */
  readonly visitors: VisitorFacts;
}

export interface VisitorFacts {
  readonly recent: number;
  /** Maximum number of recent comments. */
  readonly limit: number;
  /** UTC time of the last recent comment from the same network; null: none. */
  readonly last: string | null;
}
