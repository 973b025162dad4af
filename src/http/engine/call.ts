import type { Viewer } from '#domain/user/roles.ts';
import type { Params } from '#text/query-string.ts';
import type { OpenCall } from './args.ts';
import type { Input } from './input.ts';
import type { LateTexts } from './late-texts.ts';
import { parseSelection, type Selection } from './select.ts';
import type { Call } from './types.ts';

/** Which parts of a record the client wants (interface behaviour, section 5). */
export interface Wanted {
  /** Null: every field. */
  readonly selection: Selection | null;
  /** Whether the selection includes all of an item's `_links`. */
  readonly links: boolean;
}

const EVERYTHING: Wanted = { selection: null, links: true };
const always = () => true;

/** Reads `_fields`, from the query string or the body. */
export function wantedBy(input: Input): Wanted {
  const selection = parseSelection(sentIn(input, '_fields'));
  if (selection === null) return EVERYTHING;
  const embedded = selection.has('_embedded') && input.query['_embed'] !== undefined;
  return { selection, links: selection.has('_links') || embedded };
}

export function openCall<M>(
  input: Input,
  path: Params,
  {
    viewer,
    model,
    wanted,
    late,
  }: { readonly viewer: Viewer; readonly model: M; readonly wanted: Wanted; readonly late?: LateTexts | undefined },
): OpenCall<M> {
  const { method, sources } = input;
  return {
    method: (method === 'HEAD' ? 'GET' : method) as Call<M>['method'],
    path: input.path,
    params: merged(sources, path),
    sent: (name) => {
      const value = sentIn(input, name);
      return value === undefined ? path[name] : value;
    },
    query: input.query,
    viewer,
    model,
    wants: wants(wanted),
    request: input.sent,
    late,
  };
}

/** A call that tells whether somebody has looked at its model. */
export class WatchedCall<M> implements OpenCall<M> {
  readonly method: OpenCall<M>['method'];
  readonly path: OpenCall<M>['path'];
  readonly params: OpenCall<M>['params'];
  readonly sent: OpenCall<M>['sent'];
  readonly query: OpenCall<M>['query'];
  readonly viewer: OpenCall<M>['viewer'];
  readonly wants: OpenCall<M>['wants'];
  readonly request: OpenCall<M>['request'];
  readonly #model: M;
  hasLooked = false;

  constructor({ method, path, params, sent, query, viewer, wants, request, model }: OpenCall<M>) {
    this.method = method;
    this.path = path;
    this.params = params;
    this.sent = sent;
    this.query = query;
    this.viewer = viewer;
    this.wants = wants;
    this.request = request;
    this.#model = model;
  }

  get model(): M {
    this.hasLooked = true;
    return this.#model;
  }
}

export function callOn<M, N>(
  { method, path, params, sent, query, viewer, wants, request }: OpenCall<M>,
  { model, late }: { readonly model: N; readonly late: LateTexts },
): OpenCall<N> {
  return { method, path, params, sent, query, viewer, wants, request, model, late };
}

/** A parameter of the query string or the body, as sent; undefined if absent. Null is a value. */
export function sentIn({ sources }: Input, name: string): unknown {
  for (const source of sources) if (Object.hasOwn(source, name)) return source[name];
  return undefined;
}

function merged(sources: Input['sources'], path: Params): Params {
  const params: Params = Object.create(null);
  for (const name in path) if (path[name] !== undefined) params[name] = path[name];
  for (let i = sources.length - 1; i >= 0; i -= 1) {
    const source = sources[i];
    for (const name in source) params[name] = source[name];
  }
  return params;
}

function wants({ selection, links }: Wanted): (field: string) => boolean {
  if (selection === null) return always;
  return (field) => selection.has(field) || (links && field === '_links');
}

/** Computes a value from a request once, however often the request is checked or its command repeated. */
export function oncePerRequest<T>(make: (call: Call<unknown>) => T): (call: Call<unknown>) => T {
  return (call) => {
    const { once } = call.request;
    if (once.has(make)) return once.get(make) as T;
    const value = make(call);
    once.set(make, value);
    return value;
  };
}

/** The id in a parameter, checked or not; 0 if it is not an id. */
export function idFrom(value: unknown): number {
  const id = typeof value === 'string' ? Number(value.trim()) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : 0;
}
