import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { HeaderNames } from '../message/headers.ts';
import type { RawRequest } from './input.ts';
import type { GroupedText } from './late-texts.ts';
import type { ReaderPool } from './pool.ts';
import type { KeptAnswer, NewAnswer } from './retry.ts';
import type { Table } from './table.ts';
import type { Inner, InnerRequest } from './types.ts';

/** What is looked at besides the site as it is. */
export interface HeldLook {
  /** What holds the writes that are to be seen; absent: none. */
  readonly in?: string;
  /** Writes that are to be seen as well. */
  readonly also?: readonly InnerRequest[];
  /** Who asks. */
  readonly viewer: Viewer;
  /** Whoever asks was granted this look. */
  readonly isGranted?: true;
}

/** What a preview lets anybody see who has it. */
export interface Preview {
  /** As whom they read. */
  readonly viewer: Viewer;
  readonly look?: HeldLook;
  /** A moment of the past. */
  readonly asOf?: string;
}

/** Holds writes back, which are carried out later. */
export interface Holding<S> {
  /** Parameter that names what a write is held in. */
  readonly parameter: string;
  /**
   * Holds a write back. `run` carries it out as it will be, and returns whether it changed anything; the session forgets what that staged.
   * Returns why it is refused, besides what `run` says.
   */
  readonly hold: (
    session: S,
    held: { readonly in: string; readonly request: InnerRequest; readonly viewer: Viewer },
    inner: Inner,
    run: () => boolean,
  ) => Refusal | null;
  /** Does work on the site as it will be; the session forgets what was staged. */
  readonly view: <T>(session: S, look: HeldLook, inner: Inner, work: (shown: S) => T) => T | Refusal;
}

/** What the engine answers from, and what it submits writes to. */
export interface EngineHost<M, S extends M> {
  /** The current read model. `modelAt`: the one at a position or date-time, or a refusal. */
  readonly model: () => M;
  readonly modelAt: (asOf: string) => M | Refusal;
  /** Whether so much has changed since a moment that a question across all items takes long. Absent: it never does. */
  readonly isLongAgo?: (asOf: string) => boolean;
  /** The model as the commit that ends at a position has left it. */
  readonly modelAfter: (position: number) => M;
  /** False while a session may see more than the read model: writes are in progress, or other nodes write. Absent: true. */
  readonly isCurrent?: () => boolean;
  /** Takes long work; absent: it is done in this thread. */
  readonly pool?: ReaderPool | undefined;
  /** Maximum bytes of a text in a write. Absent: any. */
  readonly textLimit?: number | undefined;
  /** What a preview shows that is named in the parameters of a read; null: none is named. Absent: there are no previews. */
  readonly preview?:
    | ((request: {
        readonly path: string;
        readonly query: Readonly<Record<string, unknown>>;
      }) => Preview | Refusal | null)
    | undefined;
  /** Absent: writes are carried out at once. */
  readonly holding?: Holding<S> | undefined;
  /** Refuses all writes; absent: writes are accepted. */
  readonly closed?: Refusal;
  /**
   * Runs `work` in a session and commits what it staged; `wrote`: it staged something. `work` may run again if another node commits
   * first.
   */
  readonly submit: <T>(context: EngineWriteContext, work: (session: S) => T) => Promise<HostWritten<T>>;
  readonly attempt: <T>(session: S, work: () => T | Refusal) => T | Refusal;
  /** Runs work whose reactions are done when it returns, so that what follows sees their effects. */
  readonly withImmediateReactions: <T>(session: S, work: () => T) => T;
  /** The answer kept under a key within the last day; null if there is none. */
  readonly keptAnswer: (session: S, key: string) => KeptAnswer | null;
  readonly keepAnswer: (session: S, key: string, answer: NewAnswer) => void;
  /** Makes the late texts of a kept answer again, as they were at the position of its commit. */
  readonly makeAgain: (
    texts: readonly GroupedText[],
    at: { readonly position: number; readonly viewer: Viewer },
  ) => readonly string[];
  /** A number that changes whenever something the key stands for changes; `*` stands for everything. */
  readonly cacheVersion: (key: string) => number;
  /** `now`: milliseconds since 1970. */
  readonly authenticate: (login: string, password: string, now: number) => Viewer | null;
  /** The same for the pages, which also accept the password of the account; absent: they do not. */
  readonly authenticatePerson?: (login: string, password: string, now: number) => Promise<Viewer | null>;
  /** The viewer of a token at time `now`; null if the token is not valid. Absent: no tokens are accepted. */
  readonly authenticateToken?: (token: string, now: number) => Viewer | null;
  /** Whether passwords are currently accepted; absent: they are. */
  readonly takesPasswords?: () => boolean;
  readonly usersKey: string;
  /** Address of the site without trailing slash: the current one, or that in a model. */
  readonly siteUrl: (model?: M) => string;
  readonly addresses: () => string;
}

export interface HostWritten<T> {
  readonly value: T;
  /** Log position of the end of the commit. */
  readonly position: number;
  readonly wrote: boolean;
}

export interface EngineWriteContext {
  readonly viewer: Viewer;
  readonly correlationId: string;
}

/** What the steps of all requests use. */
export interface Runtime<M, S extends M> {
  readonly host: EngineHost<M, S>;
  readonly table: Table<M, S>;
  readonly names: HeaderNames;
  /** Address of the route root without trailing slash: the current one, or that in a model. */
  readonly base: (model?: M) => string;
  /** Maximum characters of the list that a read returns. */
  readonly answerLimit: number;
  /** Called for an exception that fails only a part of a response. */
  readonly onFault: (error: unknown, correlationId: string) => void;
}

export interface Asker {
  readonly viewer: Viewer;
  readonly correlationId: string;
}

export interface Incoming extends RawRequest, Asker {
  readonly url: string;
  /** No client has asked: the answer is made for the cache, or for another thread. */
  readonly ahead?: true;
  /** The result of `match`, if it has been called already. */
  readonly matched?: Matched;
}

export interface Matched {
  readonly method: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** The endpoint receives files, so the body must be left unread. */
  readonly takesFiles: boolean;
  /** Callers authenticate by signing the body instead of logging in, so the limit for anonymous requests does not apply. */
  readonly isSigned: boolean;
}
