import type { z } from 'zod';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { JsonText } from '#text/json.ts';
import type { RunText } from '#text/suspended.ts';
import type { Elsewhere } from './elsewhere.ts';
import type { Inner, Method } from './inner-calls.ts';
import type { KeptAnswer, NewAnswer } from './kept-answer.ts';
import type { GroupedText, LateTexts } from './late-texts.ts';
import type { Waits } from './waits.ts';

/**
 * The types in which routes are declared. A route is one row of a table and determines matching, validation, permission, the index
 * descriptor, OPTIONS and the shape of the response. The engine knows no resource by name. `M` is the read model of a query, `S`
 * the session of a command (a read model too, which sees what the session has staged).
 */

export type { Method } from './inner-calls.ts';
export type Context = 'view' | 'embed' | 'edit';

export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly data: unknown;
  /** Named in `data.params` only, without an entry in `data.details`. */
  readonly bare?: true;
}

export interface Arg<M> {
  /** Its type, default and description; the index descriptor is made from it. */
  readonly schema: z.ZodType;
  /** For the documentation: the full type, where the index is less precise. */
  readonly sent?: z.ZodType;
  readonly required?: true;
  /** Which of the two rounds of checking it belongs to; all faults of one round are reported together. Default 1. */
  readonly pass?: 2;
  /** Accepts any value: described, but neither checked nor coerced. */
  readonly unchecked?: true;
  /** An addition to the interface: accepted, but not listed by the index. */
  readonly hidden?: true;
  /** For `per_page`: its value when the collection is embedded in other records. Default: its maximum. */
  readonly embedded?: number;
  /** Validates a value other than null in place of the schema; null if it is valid. */
  readonly check?: (value: unknown, call: Call<M>) => Fault | null;
}
export type Args<M> = Readonly<Record<string, Arg<M>>>;

export interface Call<M> {
  /** OPTIONS when only the `Allow` header is computed. */
  readonly method: Method | 'OPTIONS';
  /** Path below the route root as requested: `/cms/v2/posts/12`. */
  readonly path: string;
  /** Parameters: as sent before the checks, coerced and with defaults after them. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The parameter as sent; undefined if absent (`params` may then hold a default). */
  readonly sent: (name: string) => unknown;
  readonly query: Readonly<Record<string, unknown>>;
  readonly viewer: Viewer;
  readonly model: M;
  /** False for fields that `_fields` leaves out. Only a hint that saves work. */
  readonly wants: (field: string) => boolean;
  /** The rest of the request. An answer that depends on it must not be cached (`depends: null`). */
  readonly request: Sent;
  /** Of a write in its session: the texts of its answer that are made after the commit. */
  readonly late?: LateTexts | undefined;
}

export interface Sent {
  readonly header: (name: string) => string | undefined;
  /** The body's bytes, whatever its type; empty if there is none. */
  readonly body: Buffer;
  /** Network address of the client; `''` if there is none. */
  readonly peer: string;
  readonly files: readonly SentFile[];
  /** Limits attempts at the password of a post, or of all posts (null). Absent: attempts are not counted. */
  readonly attempt?: PostAttempt;
  /** Records how long the request waits; absent if that is not measured. */
  readonly waits?: Waits;
  readonly digest?: string;
  /** Aborted when the client has disconnected or, with the reason `closing`, the server closes. */
  readonly gone: () => AbortSignal;
  /** Values computed once per request; see `oncePerRequest`. */
  readonly once: Map<unknown, unknown>;
}

export type PostAttempt = (post: number | null) => {
  /** Seconds until the attempt is allowed; 0: now. */
  readonly wait: number;
  readonly failed: () => void;
};

export interface SentFile {
  readonly field: string;
  /** File name as the client gave it; `''` when it gave none. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Rec {
  /** Field names of the context in the order in which they are sent; includes `_links` if there are any. */
  readonly names: readonly string[];
  json(name: string): JsonText;
  /** The same of a long field, as one text after the other, which need not be joined; undefined of a short one. */
  texts?(name: string): readonly JsonText[] | undefined;
}

export interface ReadyBytes {
  readonly bytes: Buffer;
  /** Identifies the bytes in the entity tag. */
  readonly digest: string;
  /** Returns the bytes to their pool once they are sent. Callers that do not send them need not call it. */
  readonly release?: () => void;
}

export type Body =
  | { readonly kind: 'record'; readonly record: Rec }
  /** `ready`: the bytes of the list when every field is shown; the records are then read only for other purposes. */
  | {
      readonly kind: 'list';
      readonly records: readonly Rec[];
      readonly ready?: ReadyBytes | undefined;
    }
  | { readonly kind: 'json'; readonly value: unknown }
  /** Anything but JSON; `type` is the complete `Content-Type`. */
  | { readonly kind: 'text'; readonly type: string; readonly text: string }
  /** A file. Within JSON its bytes are in base64. */
  | { readonly kind: 'bytes'; readonly type: string; readonly bytes: Buffer }
  | { readonly kind: 'stream'; readonly type: string; readonly pieces: Pieces };

export interface Pieces {
  readonly make: () => AsyncIterable<string>;
  /** Ends the stream, even while the client is not reading; at the latest when the request is `gone`. */
  readonly until: AbortSignal;
}

export interface Ready extends ReadyBytes {
  readonly version: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly depends: readonly string[];
  readonly allow: string;
}

/** A further dependence: on everything stored, or on the time, which rules out caching; null: none. */
export type MoreDependence = 'everything' | 'time' | null;

export interface Answer {
  /** Default 200. */
  readonly status?: number;
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
  /** Version of the one item that is shown; part of its ETag, compared by `If-Match`. */
  readonly version?: string;
  /** Called once the body is made: what it depends on beyond the endpoint's `depends`. */
  readonly dependsOnMore?: () => MoreDependence;
  /** No `Allow` header (the item no longer exists). */
  readonly noAllow?: true;
  /** Nothing changed, but the request was not refused. Such an answer is not kept: if sent again, the request is decided again. */
  readonly idle?: true;
}

interface EndpointBase<M> {
  readonly methods: readonly Method[];
  /** For the documentation: one line on what it does, where schema and methods do not show it. */
  readonly summary?: string;
  /** For the documentation: status of a successful response, if it is neither 200 nor 201 for a new item. */
  readonly status?: number;
  /** For the documentation: the body of a successful response, where the route's record schema does not describe it. */
  readonly answers?: z.ZodType;
  /** For the documentation: records are sent as a map by name. */
  readonly keyed?: true;
  /** For the documentation: records are sent as a list, although no route for one of them exists below this one. */
  readonly listed?: true;
  /** For the documentation: content types of the response, if not only JSON. */
  readonly types?: readonly string[];
  readonly args: Args<M>;
  readonly allowBatch?: true;
  /**
   * Null if the viewer is allowed. Also called for the `Allow` header of other endpoints, with their parameters, which may be
   * unchecked.
   */
  readonly permission: (call: Call<M>) => Refusal | null;
}

/** What `as_of` shows on a route, and the right to it. */
export interface RoutePast<M> {
  /** For the documentation: `the item`. */
  readonly what: string;
  /** Name of the parameter. Default: `as_of`. */
  readonly parameter?: string;
  /** Decided by the present alone, before the past is read: whoever is refused learns nothing of it. */
  readonly permission: (call: Call<M>) => Refusal | null;
  /** What those are told who may edit nothing and cannot read the present item: that there is none. Default: what `permission` says. */
  readonly hidden?: (call: Call<M>) => Refusal | null;
}

export interface QueryEndpoint<M> extends EndpointBase<M> {
  readonly query: (call: Call<M>) => Answer | Refusal | Promise<Answer | Refusal>;
  /** Absent: `as_of` is refused. */
  readonly past?: RoutePast<M>;
  /** Cache keys that the answer depends on; absent: everything; null: it must not be cached. */
  readonly depends?: ((call: Call<M>) => readonly string[]) | null;
  /** The ready answer for anonymous requests without a query string, if there is one; `params` are those of the path. */
  readonly ready?: (model: M, params: Readonly<Record<string, unknown>>) => Ready | null;
}

/**
 * A write. Runs inside a session: what it stages becomes one commit, or is dropped on a refusal or exception. `inner` carries out
 * requests that are part of this one.
 */
export interface CommandEndpoint<M, S extends M> extends EndpointBase<M> {
  readonly command: (call: Call<S>, inner: Inner) => Answer | Refusal;
  /** The answer if nothing has to be written, given without a session; null if something has. */
  readonly unwritten?: (call: Call<M>) => Answer | null;
  /** Does work that needs no session once the parameters are valid; the command then uses the result. */
  readonly prepare?: (call: Call<M>) => void;
  /** For a batch: the command's answer if none of its requests needs a session. */
  readonly ahead?: (call: Call<M>, inner: Inner) => Answer;
  /** The answer shows nothing of other items and users, except in texts that are made after the commit. */
  readonly showsOwn?: true;
  /** The answer contains a secret: it cannot be kept for an `Idempotency-Key`, because the log would contain it. */
  readonly unkept?: true;
  readonly runsAsAnonymous?: true;
}

export interface UploadEndpoint<M, S extends M> extends EndpointBase<M> {
  readonly takesFrom: (viewer: Viewer) => boolean;
  /** For the documentation: no file is sent; only `prepare` is needed. */
  readonly fileless?: true;
  /** As for a command; also after the work of the upload. */
  readonly prepare?: CommandEndpoint<M, S>['prepare'];
  readonly upload: (sent: Sent) => Upload<M, S>;
}

export interface Upload<M, S extends M> {
  /**
   * Receives a file of a form, or a body that is not a form (null), as it arrives. False if the rest need not be read. Rejects if
   * the bytes do.
   */
  readonly take: (file: IncomingFile | null, bytes: AsyncIterable<Buffer>) => Promise<boolean>;
  /** Asynchronous work after all checks and before the session. Null if the command may follow. */
  readonly prepare: (call: Call<M>) => Promise<Refusal | null>;
  readonly command: CommandEndpoint<M, S>['command'];
  readonly digest: () => string;
  /** Called at the end. `sure`: it is known whether the log contains the upload. */
  readonly close: (sure: boolean) => Promise<void>;
}

export interface IncomingFile {
  readonly field: string;
  /** File name as the client gave it; `''` when it gave none. */
  readonly name: string;
}

export type Endpoint<M, S extends M> = QueryEndpoint<M> | CommandEndpoint<M, S> | UploadEndpoint<M, S>;

export interface Route<M, S extends M> {
  readonly namespace: string;
  /** As the index names it: `/cms/v2/posts/(?P<id>[\d]+)`. */
  readonly pattern: string;
  readonly endpoints: readonly Endpoint<M, S>[];
  /** For the documentation: path parameters that have a single value, with that value. */
  readonly only?: Readonly<Record<string, string>>;
  /** Whether the route currently exists; absent: always. A route that does not exist is neither found nor listed. */
  readonly present?: (model: M) => boolean;
  /** What tokens may do here: read, or everything but delete. Absent: nothing. */
  readonly tokens?: 'reads' | 'all';
  /** Record schema for OPTIONS (JSON Schema draft 4, plain object). */
  readonly schema?: (model: M) => unknown;
  /** Version of the item named by the parameters, for `If-Match`; null if it does not exist. */
  readonly version?: (call: Call<M>) => string | null;
}

export interface EngineHost<M, S extends M> {
  /** The current read model. `modelAt`: the one at a position or date-time, or a refusal. */
  readonly model: () => M;
  readonly modelAt: (asOf: string) => M | Refusal;
  /** The model as the commit that ends at a position has left it. */
  readonly modelAfter: (position: number) => M;
  /** False while a session may see more than the read model: writes are in progress, or other nodes write. Absent: true. */
  readonly isCurrent?: () => boolean;
  /** Does work on long texts in another thread; absent: it is done in this one. */
  readonly runText?: RunText;
  /** Answers long reads in another thread; absent: they are answered in this one. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Refuses all writes; absent: writes are accepted. */
  readonly closed?: Refusal;
  /**
   * Runs `work` in a session and commits what it staged; `wrote`: it staged something. `work` may run again if another node commits
   * first.
   */
  readonly submit: <T>(context: EngineWriteContext, work: (session: S) => T) => Promise<HostWritten<T>>;
  /** Told when a write has to be decided again because only its session showed that it needs a long text. */
  readonly decidesAgain?: () => void;
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
  readonly authenticate: (login: string, password: string) => Viewer | null;
  /** The same for the pages, which also accept the password of the account; absent: they do not. */
  readonly authenticatePerson?: (login: string, password: string) => Promise<Viewer | null>;
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
