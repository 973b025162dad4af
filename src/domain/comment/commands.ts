import type { Moment } from '#domain/entry/commands.ts';
import type { Comment } from './state.ts';
import type { CommentKind, Resolution, StatusWord } from './vocabulary.ts';

/** What a request names of a comment; absent members stay as they are. */
export interface CommentFields {
  readonly post?: number;
  readonly parent?: number;
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

export interface NamedText {
  readonly sent: string;
  readonly stored: string;
}

export interface NewComment extends CommentFields {
  readonly kind: CommentKind;
  readonly post: number;
}

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

export interface ModerationFacts {
  readonly moderates: boolean;
  /** Whether a user writes without being moderated: it is their entry, or they moderate. */
  readonly isTrusted: (author: number) => boolean;
  readonly isKnown: (who: Signature) => boolean;
  readonly isThere: (comment: Pick<Comment, 'post' | 'parent' | 'name' | 'email' | 'content'>) => boolean;
  /** UTC date of the last comment of somebody in the hour before; null: none. */
  readonly lastDate: (who: Signature) => string | null;
  readonly links: number;
  /** For those without an account. */
  readonly visitors: VisitorFacts;
}

export interface VisitorFacts {
  readonly recent: number;
  /** Most of these. */
  readonly limit: number;
  /** UTC time of the last comment from their network; null: none of late. */
  readonly last: string | null;
}
