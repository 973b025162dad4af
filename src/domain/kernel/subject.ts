/**
 * Owner of a sealed text: erasing any of its subjects erases the text. Items and users are named like the stream that holds the order to
 * erase them; addresses, by a digest that cannot be guessed.
 */
export type Subject =
  | `${'entry' | 'media' | 'comment' | 'user'}-${number}`
  | `address-${string}`
  /** Of no user, item or address: no erasure reaches it. */
  | 'site'
  /** No longer known: every erasure reaches it. */
  | 'anybody';

/** At least one: a sealed text without a subject could never be erased. */
export type Subjects = readonly [Subject, ...Subject[]];

/** What the subjects of a sealed text are derived from. They must also be known after an erasure, so `D` has no sealed fields. */
export interface SealedEvent<D = unknown> {
  readonly stream: string;
  /** Id of the acting user; 0: anonymous; null: the system itself. */
  readonly actor: number | null;
  readonly data: D;
  readonly text: string | null;
  /** Streams and subjects of the other events of the commit; empty if no longer known. */
  readonly others: readonly string[];
}

export function ofItsStream({ stream }: SealedEvent): Subjects {
  return [stream as Subject];
}

export function ofTheSite(): Subjects {
  return ['site'];
}

export function ofUser(id: number): Subject {
  return `user-${id}`;
}

export function ofItem(id: number): [Subject, Subject] {
  return [`entry-${id}`, `media-${id}`];
}

/** `digest` is keyed by the site, so that it cannot be matched by trying addresses. */
export function ofAddress(digest: string): Subject {
  return `address-${digest}`;
}
