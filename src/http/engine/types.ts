import type { z } from 'zod';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { Elsewhere } from '#text/elsewhere.ts';
import type { Inner } from './inner-calls.ts';
import type { KeptAnswer, NewAnswer } from './kept-answer.ts';
import type { JsonText, Method } from './method.ts';
import type { Waits } from './waits.ts';

/**
 * The words in which routes are written. A route is one row of a table: from it come matching, validation,
 * permission, the index descriptor, OPTIONS and the shape of the answer. The engine knows no resource by name;
 * `M` is the read model that a query looks at, `S` the session that a command works in (a read model too,
 * which sees what the session has staged).
 */

export type { JsonText, Method } from './method.ts';
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
  /** For the documentation: what it has to be, where the index does not say all of it. */
  readonly sent?: z.ZodType;
  readonly required?: true;
  /** Which of the two rounds of checking it belongs to; all faults of one round are reported together. Default 1. */
  readonly pass?: 2;
  /** Takes whatever is sent: described, but neither checked nor coerced. */
  readonly unchecked?: true;
  /** Beyond the interface: it works, but the index does not list it. */
  readonly hidden?: true;
  /** Of `per_page`: items that are embedded in other records. Default: its maximum. */
  readonly embedded?: number;
  /** Checks a value (not null) in place of the schema; null when it is fine. */
  readonly check?: (value: unknown, call: Call<M>) => Fault | null;
}
export type Args<M> = Readonly<Record<string, Arg<M>>>;

export interface Call<M> {
  /** OPTIONS: it is only asked what may be done. */
  readonly method: Method | 'OPTIONS';
  /** Path below the route root as it was asked for, `/cms/v2/posts/12`. */
  readonly path: string;
  /** Parameters: coerced and with defaults once they have passed the checks, before that as sent. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The parameter as the client sent it; undefined when it sent none (then `params` may hold a default). */
  readonly sent: (name: string) => unknown;
  readonly query: Readonly<Record<string, unknown>>;
  readonly viewer: Viewer;
  readonly model: M;
  /** Which fields the answer will need: false for those that `_fields` leaves out. Only a hint that saves work. */
  readonly wants: (field: string) => boolean;
  /** What was sent beside parameters. An answer that depends on it must not be cached (`depends: null`). */
  readonly request: Sent;
}

export interface Sent {
  readonly header: (name: string) => string | undefined;
  /** The body's bytes, whatever its type; empty when there was none. */
  readonly body: Buffer;
  /** Network address of who sent it; `''` where nobody did. */
  readonly peer: string;
  readonly files: readonly SentFile[];
  /** Asks for leave to try a password on a post, or on all of them (null). Without it nobody counts. */
  readonly attempt?: PostAttempt;
  /** Takes down how long the request waited; absent where nobody wants to know. */
  readonly waits?: Waits;
  readonly digest?: string;
  /** Aborted when nobody waits for the answer any more: the client has gone, or the server is closing. */
  readonly gone: () => AbortSignal;
}

export type PostAttempt = (post: number | null) => {
  /** Seconds after which it may be made; 0: now. */
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
  /** Names in the order in which they are sent, already those of the context; `_links` is one of them where there are links. */
  readonly names: readonly string[];
  json(name: string): JsonText;
}

export interface ReadyBytes {
  readonly bytes: Buffer;
  /** Stands for the bytes in the entity tag. */
  readonly digest: string;
  /** Gives the bytes back once they were sent. Callers that do not send them need not call it. */
  readonly release?: () => void;
}

export type Body =
  | { readonly kind: 'record'; readonly record: Rec }
  /** `ready`: what the records come to when all of each is shown; then they are looked at only for anything else. */
  | { readonly kind: 'list'; readonly records: readonly Rec[]; readonly ready?: ReadyBytes | undefined }
  | { readonly kind: 'json'; readonly value: unknown }
  /** Anything but JSON; `type` is the whole `Content-Type`. */
  | { readonly kind: 'text'; readonly type: string; readonly text: string }
  /** A file. Never wrapped: within JSON it is its bytes in base64. */
  | { readonly kind: 'bytes'; readonly type: string; readonly bytes: Buffer }
  | { readonly kind: 'stream'; readonly type: string; readonly pieces: Pieces };

export interface Pieces {
  readonly make: () => AsyncIterable<string>;
  /** Ends it, also while the client takes nothing; at the latest when the request is `gone`. */
  readonly until: AbortSignal;
}

export interface Ready extends ReadyBytes {
  readonly version: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly depends: readonly string[];
  readonly allow: string;
}

/** Everything that is stored, or the time, too, so that it is not to be cached; null: nothing. */
export type MoreDependence = 'everything' | 'time' | null;

export interface Answer {
  /** Default 200. */
  readonly status?: number;
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
  /** Version of the one item that is shown; part of its ETag, compared by `If-Match`. */
  readonly version?: string;
  /** Asked once the body is made: what it came to depend on beside what the endpoint says. */
  readonly dependsOnMore?: () => MoreDependence;
  /** No `Allow` header (the item is gone). */
  readonly noAllow?: true;
  /** Nothing was done, although it is no refusal: if the request is sent again, it is decided again. */
  readonly idle?: true;
}

interface EndpointBase<M> {
  readonly methods: readonly Method[];
  /** For the documentation: one line on what it does, where schema and methods do not tell. */
  readonly summary?: string;
  /** For the documentation: status of a good answer, where it is neither 200 nor, for what is new, 201. */
  readonly status?: number;
  /** For the documentation: what a good answer is, where no record schema of the route says it. */
  readonly answers?: z.ZodType;
  /** For the documentation: records come as a map by their names. */
  readonly keyed?: true;
  /** For the documentation: records come as a list, although none has a route below this one. */
  readonly listed?: true;
  /** For the documentation: content types of the answer, where JSON is not the only one. */
  readonly types?: readonly string[];
  readonly args: Args<M>;
  readonly allowBatch?: true;
  /** Null when the viewer may. Also asked, with the same parameters, for the `Allow` header of the other endpoints; so parameters may be unchecked. */
  readonly permission: (call: Call<M>) => Refusal | null;
}

export interface QueryEndpoint<M> extends EndpointBase<M> {
  readonly query: (call: Call<M>) => Answer | Refusal | Promise<Answer | Refusal>;
  /** Keys of what the answer depends on, for the answer cache; absent: everything; null: not to be cached. */
  readonly depends?: ((call: Call<M>) => readonly string[]) | null;
  /** What everybody gets who asks for the address and nothing else, if it is ready; `params` are those of the path. */
  readonly ready?: (model: M, params: Readonly<Record<string, unknown>>) => Ready | null;
}

/**
 * Writes. Runs inside a session: what it stages is one commit. What it staged before it refused or failed is dropped.
 * `inner` carries out requests that are part of this one.
 */
export interface CommandEndpoint<M, S extends M> extends EndpointBase<M> {
  readonly command: (call: Call<S>, inner: Inner) => Answer | Refusal;
  /** The answer where nothing has to be written for it, so that it can be given without a session; null: something has. */
  readonly unwritten?: (call: Call<M>) => Answer | null;
  /** Does what it takes no session for, once the parameters are fine; the command finds it done. */
  readonly prepare?: (call: Call<M>) => void;
  /** The same as the command for a request of requests: its answer if none of them needs a session. */
  readonly ahead?: (call: Call<M>, inner: Inner) => Answer;
  /** The answer holds a secret: it is not kept for an `Idempotency-Key`, since the log would hold it. */
  readonly unkept?: true;
  readonly nobodys?: true;
}

export interface UploadEndpoint<M, S extends M> extends EndpointBase<M> {
  readonly takesFrom: (viewer: Viewer) => boolean;
  /** For the documentation: no file is sent; it only takes its time. */
  readonly fileless?: true;
  readonly upload: (sent: Sent) => Upload<M, S>;
}

export interface Upload<M, S extends M> {
  /**
   * Takes in a file of a form, or a body that is no form (null), as it arrives. False when nothing more needs to be
   * read. Fails as the bytes do.
   */
  readonly take: (file: IncomingFile | null, bytes: AsyncIterable<Buffer>) => Promise<boolean>;
  /** After all checks, before the session: work that takes its time. Null when the command may follow. */
  readonly prepare: (call: Call<M>) => Promise<Refusal | null>;
  readonly command: CommandEndpoint<M, S>['command'];
  readonly digest: () => string;
  /** The end of it. `sure`: what is stored is known to be in the log, or not to be. */
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
  /** For the documentation: parameters of the path under which there is never more than one thing, with its name. */
  readonly only?: Readonly<Record<string, string>>;
  /** Whether it is there at the moment; absent: always. What is not there is neither found nor listed. */
  readonly present?: (model: M) => boolean;
  /** What of it is open to tokens: reads, or all but deletions. Absent: nothing. */
  readonly tokens?: 'reads' | 'all';
  /** Record schema for OPTIONS (JSON Schema draft 4, plain object). */
  readonly schema?: (model: M) => unknown;
  /** Version of the item that the parameters name, for `If-Match`; null when there is none. */
  readonly version?: (call: Call<M>) => string | null;
}

export interface Host<M, S extends M> {
  /** The read model as it is now; with `asOf` (position or date-time) as it was then, or a refusal. */
  readonly model: () => M;
  readonly modelAt: (asOf: string) => M | Refusal;
  /** False while a session may know more than the read model: writes are under way, or other nodes write. Absent: true. */
  readonly isCurrent?: () => boolean;
  /** Does work on long texts in another thread; absent: it is done on the spot. */
  readonly elsewhere?: Elsewhere;
  /** Why nothing can be written here; without it things can. */
  readonly closed?: Refusal;
  /**
   * Runs work in a session and commits what it staged; `wrote`: that was something. Work may run again when another
   * node was faster.
   */
  readonly submit: <T>(
    context: WriteContext,
    work: (session: S) => T,
  ) => Promise<{ readonly value: T; readonly position: number; readonly wrote: boolean }>;
  readonly attempt: <T>(session: S, work: () => T | Refusal) => T | Refusal;
  /** The answer that was kept under a key within the last day; null when there is none. */
  readonly keptAnswer: (session: S, key: string) => KeptAnswer | null;
  readonly keepAnswer: (session: S, key: string, answer: NewAnswer) => void;
  /** A number that changes whenever something changes that the key stands for; `*` stands for everything. */
  readonly cacheVersion: (key: string) => number;
  readonly authenticate: (login: string, password: string) => Viewer | null;
  /** The same at the pages, which take the password of the account as well; absent: they do not. */
  readonly authenticatePerson?: (login: string, password: string) => Promise<Viewer | null>;
  /** Whom a token stands for at the moment; null: nobody. Absent: none are taken. */
  readonly authenticateToken?: (token: string, now: number) => Viewer | null;
  /** Whether any password opens an account at the moment; absent: they do. */
  readonly takesPasswords?: () => boolean;
  readonly usersKey: string;
  /** Address of the site without trailing slash, as it is now; with a model as that has it. */
  readonly siteUrl: (model?: M) => string;
  readonly addresses: () => string;
}

export interface WriteContext {
  readonly viewer: Viewer;
  readonly correlationId: string;
}
