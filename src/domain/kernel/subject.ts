/**
 * Whose a sealed text is: it is erased with any of them. A thing or a person goes by the name of the stream that the order
 * to erase them is in; an address, by a digest from which it cannot be guessed.
 */
export type Subject =
  | `${'entry' | 'media' | 'comment' | 'user'}-${number}`
  | `address-${string}`
  /** Nobody's in particular: no order reaches it. */
  | 'site'
  /** Not known any more: every order reaches it. */
  | 'anybody';

/** At least one: a sealed text without a subject could never be erased. */
export type Subjects = readonly [Subject, ...Subject[]];

/** What tells whose the sealed text of an event is. After an erasure it has to be known as well, so `D` has no sealed fields. */
export interface SealedEvent<D = unknown> {
  readonly stream: string;
  /** User id of who did it; 0 when nobody was logged in, null for the system itself. */
  readonly actor: number | null;
  readonly data: D;
  readonly text: string | null;
  /** What the other events of the commit are about, by stream and subject; empty where that is no longer known. */
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

/** `digest` is made with a key of the site, so that it does not tell the address to whoever tries some. */
export function ofAddress(digest: string): Subject {
  return `address-${digest}`;
}
