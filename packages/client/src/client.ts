import { commitsSince } from './feed.ts';
import { itemsById, pagesOf, type Query } from './lists.ts';
import { exchange } from './send.ts';
import type {
  CmsAnswer,
  CmsClient,
  CmsOptions,
  CmsWriteOptions,
  CommonOptions,
  UntypedPaths,
  UploadBody,
} from './types.ts';

interface AnyOptions extends CommonOptions, CmsWriteOptions {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Query | URLSearchParams;
  readonly body?: unknown;
}

interface ListOptions extends AnyOptions {
  readonly query?: Query;
}

/** A client of the interface at an address such as `https://example.org/cms-json`. `Paths`: the generated types. */
export function createClient<Paths extends object = UntypedPaths>(
  root: string,
  options: CmsOptions = {},
): CmsClient<Paths> {
  return clientOf(root.replace(/\/$/, ''), options, {}) as unknown as CmsClient<Paths>;
}

/** `always`: parameters of every request. */
function clientOf(root: string, options: CmsOptions, always: Query) {
  const authorization = authorizationOf(options);
  const headersWith = (own: Readonly<Record<string, string>>) =>
    new Headers({ ...(authorization === null ? {} : { Authorization: authorization }), ...own });

  const request = async (method: string, path: string, sent: AnyOptions = {}): Promise<CmsAnswer<unknown>> => {
    const headers = headersWith(sent.headers ?? {});
    const isWrite = method !== 'GET';
    const hasOwnKey = isWrite && authorization !== null && sent.idempotencyKey === undefined;
    const key = hasOwnKey ? crypto.randomUUID() : sent.idempotencyKey;
    if (isWrite && key) headers.set('Idempotency-Key', key);
    if (sent.ifMatch !== undefined) headers.set('If-Match', tagOf(sent.ifMatch));
    const body = await bodyOf(sent.body, headers);
    const { response, text } = await exchange({
      ...{ method, headers, body, hasOwnKey, signal: sent.signal, retries: options.retries ?? 4 },
      address: addressOf(root + filled(path, sent.path ?? {}), sent.query ?? {}, always).href,
      // The site keeps no answers for nobody.
      isRepeatable: !isWrite || (authorization !== null && Boolean(key)),
    });
    return answerOf(response, text);
  };
  const list = (path: string, sent: AnyOptions) => (query: Query | URLSearchParams) =>
    request('GET', path, { ...sent, query });
  const writing = (method: string) => (path: string, sent?: AnyOptions) => request(method, path, sent);

  return {
    get: (path: string, sent?: AnyOptions) => request('GET', path, sent),
    pages: (path: string, sent: ListOptions = {}) => pagesOf(list(path, sent), sent.query ?? {}),
    each: (path: string, sent: ListOptions = {}) => itemsById(list(path, sent), sent.query ?? {}),
    ...{ post: writing('POST'), put: writing('PUT'), patch: writing('PATCH'), delete: writing('DELETE') },
    changes: ({ since, signal }: { since?: number; signal?: AbortSignal } = {}) =>
      commitsSince({
        ...{ address: new URL(`${root}/cms/v2/changes`), headers: headersWith({ Accept: 'text/event-stream' }) },
        ...{ since, signal },
      }),
    preview: (token: string) => clientOf(root, { retries: options.retries ?? 4 }, { preview: token }),
    release: (id: number) => clientOf(root, options, { ...always, release: id }),
  };
}

function authorizationOf({ login, password, token }: CmsOptions): string | null {
  if (token !== undefined) return `Bearer ${token}`;
  if (login === undefined) return null;
  const bytes = new TextEncoder().encode(`${login}:${password ?? ''}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

function tagOf(match: NonNullable<CmsWriteOptions['ifMatch']>): string {
  const tag = typeof match === 'string' ? match : match.etag;
  if (tag === null) throw new TypeError('The answer has no entity tag: only what was read with `get` has one.');
  return tag;
}

/** The body as it can be sent again: a form gets its bytes and its boundary once. */
async function bodyOf(body: unknown, headers: Headers): Promise<Blob | null> {
  if (body === undefined) return null;
  const isUpload = [FormData, Blob, ArrayBuffer, Uint8Array].some((kind) => body instanceof kind);
  const whole = new Response(isUpload ? (body as UploadBody) : JSON.stringify(body));
  const type = isUpload ? whole.headers.get('Content-Type') : 'application/json';
  if (type !== null && !headers.has('Content-Type')) headers.set('Content-Type', type);
  return whole.blob();
}

function filled(path: string, values: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (/^\.{0,2}$/.test(String(value ?? ''))) throw new TypeError(`${path} needs path.${name}.`);
    return encodeURIComponent(value ?? '');
  });
}

function addressOf(place: string, query: Query | URLSearchParams, always: Query): URL {
  const address = new URL(place);
  const add = (name: string, value: unknown): void => {
    if (value === undefined || value === null) return;
    if (Array.isArray(value)) for (const one of value) add(`${name}[]`, one);
    else if (typeof value === 'object') for (const [key, one] of Object.entries(value)) add(`${name}[${key}]`, one);
    else address.searchParams.append(name, String(value));
  };
  for (const [name, value] of query instanceof URLSearchParams ? query : Object.entries(query)) add(name, value);
  for (const [name, value] of Object.entries(always)) address.searchParams.set(name, String(value));
  return address;
}

function answerOf(response: Response, text: string): CmsAnswer<unknown> {
  const { status, headers } = response;
  const number = (name: string) => (headers.has(name) ? Number(headers.get(name)) : null);
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(headers.get('Content-Type') ?? '');
  return {
    data: isJson ? JSON.parse(text) : text,
    ...{ status, headers, etag: headers.get('ETag') },
    ...{ position: number('X-CMS-Position'), total: number('X-CMS-Total') },
  };
}
