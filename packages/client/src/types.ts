/** Methods of the interface. */
export type CmsMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface UntypedOperation {
  readonly parameters: {
    readonly path?: Readonly<Record<string, string | number>>;
    readonly query?: Readonly<Record<string, unknown>>;
  };
  readonly requestBody?: { readonly content: { readonly 'application/json': unknown; readonly '*/*': string } };
  readonly responses: { readonly 200: { readonly content: { readonly 'application/json': unknown } } };
}

/** Stands for `paths` where a program has no generated types: any path and parameter, and answers of an unknown type. */
export type UntypedPaths = Readonly<Record<string, Readonly<Record<CmsMethod, UntypedOperation>>>>;

/** What the types say of a method at a path; never, if the path does not have it. */
export type OperationOf<Paths, P extends keyof Paths, M extends CmsMethod> = M extends keyof Paths[P]
  ? NonNullable<Paths[P][M]>
  : never;

/** Paths that have a method. */
export type PathsWith<Paths, M extends CmsMethod> = {
  [P in keyof Paths]: [OperationOf<Paths, P, M>] extends [never] ? never : P;
}[keyof Paths] &
  string;

/** What the answer to a request contains: its JSON, or a text where it is of another type. */
export type DataOf<Op> = Op extends { responses: infer R }
  ? { [S in keyof R & (200 | 201 | 207)]: ContentOf<R[S]> }[keyof R & (200 | 201 | 207)]
  : never;

type ContentOf<R> = R extends { content: { 'application/json': infer T } } ? T : string;

/** Items of a list. */
export type ItemOf<Op> = DataOf<Op> extends readonly (infer T)[] ? T : unknown;

/** Bytes of an upload, or a form with them. They can be sent again, so streams are not among them. */
export type UploadBody = FormData | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

type PathOf<Op> = Op extends { parameters: { path: infer V } }
  ? { readonly path: V }
  : Op extends { parameters: { path?: infer V } }
    ? { readonly path?: V }
    : { readonly path?: never };
type QueryOf<Op> = Op extends { parameters: { query: infer V } }
  ? { readonly query: V }
  : Op extends { parameters: { query?: infer V } }
    ? { readonly query?: V }
    : { readonly query?: never };
type BodyOf<Op> = Op extends { requestBody: { content: infer C } }
  ? { readonly body: SentAs<C> }
  : Op extends { requestBody?: { content: infer C } }
    ? { readonly body?: SentAs<C> }
    : { readonly body?: never };
type SentAs<C> =
  | (C extends { 'application/json': infer T } ? T : never)
  | (C extends { 'multipart/form-data': unknown } | { '*/*': unknown } ? UploadBody : never);

/** Whatever every request may have. */
export interface CommonOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the request, its waits and repetitions. */
  readonly signal?: AbortSignal | undefined;
}

export interface CmsWriteOptions extends CommonOptions {
  /** The answer that the write is based on, or its entity tag: if the item has changed since, the write fails with a `StaleError`. */
  readonly ifMatch?: string | { readonly etag: string | null };
  /** Key under which the write is carried out only once. Default: a random one for each call. Null: none, and no repetition. */
  readonly idempotencyKey?: string | null;
}

/** Options of a request; they may be left out if none of them is required. */
export type OptionsOf<Op, M extends CmsMethod> = Op extends unknown
  ? Expected<PathOf<Op> & QueryOf<Op> & (M extends 'get' ? CommonOptions : BodyOf<Op> & CmsWriteOptions)>
  : never;
type Expected<T> = Record<never, never> extends T ? [options?: T] : [options: T];

export interface CmsAnswer<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** Names what was read, for `ifMatch`. */
  readonly etag: string | null;
  /** Position of a write in the log. */
  readonly position: number | null;
  /** Number of all items of a list, of which this is a page. */
  readonly total: number | null;
}

/** A commit of the feed: what it changed, as far as the reader may know. */
export interface FeedCommit {
  readonly position: number;
  readonly at: string | null;
  readonly changes: readonly FeedChange[];
}

export interface FeedChange {
  readonly resource: string;
  /** 0: any item of the resource may have changed. */
  readonly id: number;
  readonly what: string;
  readonly link?: string | null;
  readonly heir?: number;
}

/** Who asks: a login with an application password, or a token. Neither: nobody. */
export interface CmsOptions {
  readonly login?: string;
  readonly password?: string;
  readonly token?: string;
  /** How often a request is sent again that was not answered, or with 429, 502, 503 or 504. Default: 4. */
  readonly retries?: number;
}

/** Reads one thing or a list. */
export interface CmsReader<Paths> {
  get<P extends PathsWith<Paths, 'get'>>(
    path: P,
    ...options: OptionsOf<OperationOf<Paths, P, 'get'>, 'get'>
  ): Promise<CmsAnswer<DataOf<OperationOf<Paths, P, 'get'>>>>;
  /** A list page by page, in its own order: what others write meanwhile can move items from one page to another. */
  pages<P extends PathsWith<Paths, 'get'>>(
    path: P,
    ...options: OptionsOf<OperationOf<Paths, P, 'get'>, 'get'>
  ): AsyncGenerator<CmsAnswer<DataOf<OperationOf<Paths, P, 'get'>>>>;
  /** All items of a list by their ids, each exactly once, whatever others write meanwhile. */
  each<P extends PathsWith<Paths, 'get'>>(
    path: P,
    ...options: OptionsOf<OperationOf<Paths, P, 'get'>, 'get'>
  ): AsyncGenerator<ItemOf<OperationOf<Paths, P, 'get'>>>;
}

type Write<Paths, M extends CmsMethod> = <P extends PathsWith<Paths, M>>(
  path: P,
  ...options: OptionsOf<OperationOf<Paths, P, M>, M>
) => Promise<CmsAnswer<DataOf<OperationOf<Paths, P, M>>>>;

export interface CmsClient<Paths> extends CmsReader<Paths> {
  readonly post: Write<Paths, 'post'>;
  readonly put: Write<Paths, 'put'>;
  readonly patch: Write<Paths, 'patch'>;
  readonly delete: Write<Paths, 'delete'>;
  /** Commits after a position, or from now on, without an end: a lost connection is made again from where it was. */
  changes(options?: { readonly since?: number; readonly signal?: AbortSignal }): AsyncGenerator<FeedCommit>;
  /** Reads what a preview shows, without an account. */
  preview(token: string): CmsReader<Paths>;
  /** Reads and writes within a release. */
  release(id: number): CmsClient<Paths>;
}
