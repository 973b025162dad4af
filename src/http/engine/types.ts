import type { z } from 'zod';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { JsonText } from '#text/json.ts';
import type { PreparedTexts } from '#text/prepared-texts.ts';
import type { IncomingFile, SentFile } from '../message/multipart.ts';
import type { Pieces } from '../message/reply.ts';
import type { LateTexts } from './late-texts.ts';
import type { Waits } from './waits.ts';

/**
 * The types in which routes are declared. A route is one row of a table and determines matching, validation, permission, the index
 * descriptor, OPTIONS and the shape of the response. The engine knows no resource by name. `M` is the read model of a query, `S`
 * the session of a command (a read model too, which sees what the session has staged).
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
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
  /** Whether `_fields` names a field, or a part of one by a path with dots. */
  readonly asksFor: (path: string) => boolean;
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

export interface Rec {
  /** Field names of the context in the order in which they are sent; includes `_links` if there are any. */
  readonly names: readonly string[];
  json(name: string): JsonText;
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
  /** A write that can be held back, to be carried out later. What it makes is an item, whose number can be kept. */
  readonly mayWait?: true;
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
  /** Whether the query finds by itself what was then, on the present model. */
  readonly byItself?: (sent: (name: string) => unknown) => boolean;
  /** Whether it asks something across all items, which takes some tenths of a second for a position far back. */
  readonly isLong?: true;
  /** Decided by the present alone, before the past is read: whoever is refused learns nothing of it. */
  readonly permission: (call: Call<M>) => Refusal | null;
  /** What those are told who may edit nothing and cannot read the present item: that there is none. Default: what `permission` says. */
  readonly hidden?: (call: Call<M>) => Refusal | null;
}

interface LongRead<M> {
  readonly model: M;
  readonly params: Readonly<Record<string, unknown>>;
  readonly sent: (name: string) => unknown;
}

export interface QueryEndpoint<M> extends EndpointBase<M> {
  readonly query: (call: Call<M>) => Answer | Refusal | Promise<Answer | Refusal>;
  /** Absent: `as_of` is refused. */
  readonly past?: RoutePast<M>;
  /** Whether answering takes long, as the rows show that it names; `params` are those of the path. Absent: it does not. */
  readonly isLong?: (read: LongRead<M>) => boolean;
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
  /** The answer if nothing has to be written, given without a session; null if something has. `inner` carries out reads. */
  readonly unwritten?: (call: Call<M>, inner: Pick<Inner, 'prepare'>) => Answer | null;
  /** Works on long texts once the parameters are valid; the command then finds the results. Undefined: there is nothing to wait for. */
  readonly prepare?: (call: Call<M>, texts: PreparedTexts) => Promise<void> | undefined;
  /** The requests that it carries out by `inner`. */
  readonly requests?: (call: Call<M>) => readonly InnerRequest[];
  /** The answer shows nothing of other items and users, except in texts that are made after the commit. */
  readonly showsOwn?: true;
  /** The answer contains a secret: it cannot be kept for an `Idempotency-Key`, because the log would contain it. */
  readonly unkept?: true;
  readonly runsAsAnonymous?: true;
}

/**
 * Carries out the requests of a batch within its session. Only endpoints with `allowBatch` may be used for writes, and for reads those that
 * answer from what is stored.
 */
export interface Inner {
  readonly prepare: (request: InnerRequest) => InnerCall;
  readonly attempt: <T>(work: () => T | Refusal) => T | Refusal;
  /** The same in the name of another user. */
  readonly as: (viewer: Viewer) => Inner;
}

export interface InnerRequest {
  readonly method: Method;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface InnerCall {
  readonly fault: InnerAnswer | null;
  /** Carries out the request as if it were sent alone; a faulty one only returns its fault. */
  readonly run: () => InnerAnswer;
}

export interface InnerAnswer {
  readonly refused: boolean;
  readonly idle: boolean;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonText;
}

export interface UploadEndpoint<M, S extends M> extends EndpointBase<M> {
  readonly takesFrom: (viewer: Viewer) => boolean;
  /** For the documentation: no file is sent; only `prepare` is needed. */
  readonly fileless?: true;
  /** As for a command, after the file has been received. */
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
