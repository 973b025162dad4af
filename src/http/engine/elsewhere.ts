import type { Viewer } from '#domain/user/roles.ts';
import type { Standing } from '#text/cost.ts';
import type { FlatHeaders } from './headers.ts';
import type { LateText } from './late-texts.ts';

/** A read as another thread gets it. Its client has been identified, and may send it. */
export interface MovedRead {
  readonly method: string;
  readonly url: string;
  /** Path below the route root, percent-decoded. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly peer: string;
  readonly viewer: Viewer;
  readonly correlationId: string;
  /** Absent: it is empty. */
  readonly body?: Uint8Array;
}

export interface MovedReply {
  readonly status: number;
  readonly head: FlatHeaders;
  readonly body: Uint8Array;
  readonly tag: string | null;
}

/** An answer made by another thread. */
export interface MovedAnswer {
  readonly reply: MovedReply;
  /** Pattern of the matched route; null if there was none. */
  readonly route: string | null;
  readonly isTruncated: boolean;
  readonly isText: boolean;
  /** What it depends on, if it may be cached; else null. */
  readonly depends: readonly string[] | null;
  readonly isSecret: boolean;
  /** Log position that it shows. */
  readonly position: number;
}

/** The late texts of the answer to a write, by groups, as its commit at a position has left them. */
export interface MovedTexts {
  readonly groups: readonly (readonly LateText[])[];
  readonly viewer: Viewer;
  readonly position: number;
  readonly cost: Standing | undefined;
}

export interface MadeTexts {
  readonly groups: readonly (readonly string[])[];
  readonly cost: Standing;
}

/** A page as another thread makes it. */
export interface MovedPage {
  readonly reply: MovedReply;
  /** Whether it may be cached: it does not show the time. */
  readonly lasts: boolean;
  /** Log position that it shows. */
  readonly position: number;
}

/** Answers reads in a thread of its own. What it returns null for has to be answered here. */
export interface Elsewhere {
  /** Milliseconds that a read may take here before it is left to the other thread, once that is ready. */
  readonly share: number;
  /** Whether it answers; otherwise it has to start first. */
  readonly isReady: boolean;
  /** Lets it start, if it is not there. */
  wake(): void;
  /** `isGone`: whether nobody waits for the answer any more; it may then be null. */
  read(read: MovedRead, isGone: () => boolean): Promise<MovedAnswer | null>;
  /** A page that is the same for everybody. */
  page(url: string, isGone: () => boolean): Promise<MovedPage | null>;
  texts(texts: MovedTexts): Promise<MadeTexts | null>;
}
