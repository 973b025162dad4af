import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { Params } from '#text/query-string.ts';
import { MAX_ITEMS, splitList } from '#text/shapes.ts';
import { checkArgs, type OpenCall, settleArgs } from './args.ts';
import type { Input } from './input.ts';
import type { LateTexts } from './late-texts.ts';
import type { FoundEndpoint } from './table.ts';
import { textFault } from './text-limit.ts';
import type { Call } from './types.ts';

/** The selected fields: `true` for a whole field, a nested selection for parts of it. */
export type Selection = Map<string, Selection | true>;

/** In characters; no field has a longer name. */
const LONGEST_NAME = 512;

/** Reads `_fields`: a list of names, with dots for parts of a field. Null if it has no effect. A whole field includes its parts. */
export function parseSelection(value: unknown): Selection | null {
  const names = namesIn(value).slice(0, MAX_ITEMS);
  if (names.length === 0) return null;
  const root: Selection = new Map();
  for (const name of names) if (name.length <= LONGEST_NAME) add(root, name.trim().split('.'));
  return root;
}

/** Reduces a value to a selection. One that goes deeper than the data gives the deepest level that exists. */
export function selectFrom(value: unknown, selection: Selection): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const inner = selection.get(key);
    if (inner === undefined) return [];
    return [[key, inner === true ? member : selectFrom(member, inner)]];
  });
  const isList = Array.isArray(value) && kept.every(([key], index) => key === String(index));
  return isList ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}

function add(root: Selection, path: readonly string[]): void {
  let level = root;
  for (const part of path.slice(0, -1)) {
    const known = level.get(part);
    if (known === true) return;
    const next: Selection = known ?? new Map();
    level.set(part, next);
    level = next;
  }
  const last = path.at(-1);
  if (last !== undefined) level.set(last, true);
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string');
  return typeof value === 'string' ? splitList(value) : [];
}

/** Which parts of a record the client wants (interface behaviour, section 5). */
export interface Wanted {
  /** Null: every field. */
  readonly selection: Selection | null;
  /** Whether the selection includes all of an item's `_links`. */
  readonly links: boolean;
}

interface CallBy<M> {
  readonly viewer: Viewer;
  readonly model: M;
  readonly late?: LateTexts | undefined;
  /** Maximum bytes of a text. Default: none. */
  readonly textLimit?: number | undefined;
}

/** A call whose parameters have been checked. */
export interface CheckedCall<M, S extends M, N extends M = M> {
  readonly found: FoundEndpoint<M, S>;
  readonly call: RequestCall<N>;
  readonly wanted: Wanted;
  /** Set if the checks failed. */
  readonly refusal: Refusal | null;
  /** Whether the checks read the model, so that on another one they might end otherwise. */
  readonly isProvisional: boolean;
}

/** Checks a request's parameters: malformed body, required ones, first round, second round (interface behaviour, section 3). */
export function checkedCall<M, S extends M, N extends M>(
  found: FoundEndpoint<M, S>,
  input: Input,
  by: CallBy<N>,
): CheckedCall<M, S, N> {
  const call = openCall(input, found.path, by);
  const { args } = found.endpoint;
  const fault = input.broken ?? textFault(input, by.textLimit);
  if (fault !== null) settleArgs<M>(args, call);
  const refusal = fault ?? checkArgs<M>(args, call);
  return { found, call, wanted: wantedBy(input), refusal, isProvisional: call.hasLooked };
}

/** Reads `_fields`, from the query string or the body. */
export function wantedBy(input: Input): Wanted {
  const selection = parseSelection(sentIn(input, '_fields'));
  if (selection === null) return EVERYTHING;
  const embedded = selection.has('_embedded') && input.query['_embed'] !== undefined;
  return { selection, links: selection.has('_links') || embedded };
}

const EVERYTHING: Wanted = { selection: null, links: true };

/** A call whose parameters have not been checked. `path`: its parameters. */
export function openCall<M>(input: Input, path: Params, { viewer, model, late }: CallBy<M>): RequestCall<M> {
  const params = merged(input.sources, path);
  return new RequestCall({ input, path, params, wanted: wantedBy(input), viewer, late }, model);
}

interface CallParts {
  readonly input: Input;
  readonly path: Params;
  readonly params: Record<string, unknown>;
  readonly wanted: Wanted;
  readonly viewer: Viewer;
  readonly late: LateTexts | undefined;
}

/** A request as its endpoint sees it. */
export class RequestCall<M> implements OpenCall<M> {
  readonly #parts: CallParts;
  readonly #model: M;
  readonly params: Record<string, unknown>;
  readonly query: Call<M>['query'];
  readonly viewer: Viewer;
  readonly wants: Call<M>['wants'];
  readonly asksFor: Call<M>['asksFor'];
  readonly request: Call<M>['request'];
  readonly late: LateTexts | undefined;
  readonly sent: Call<M>['sent'];
  /** Whether somebody has looked at the model. */
  hasLooked = false;

  constructor(parts: CallParts, model: M) {
    const { input, path } = parts;
    this.#parts = parts;
    this.#model = model;
    this.params = parts.params;
    this.query = input.query;
    this.viewer = parts.viewer;
    this.wants = wants(parts.wanted);
    this.asksFor = (path) => names(parts.wanted.selection, path.split('.'));
    this.request = input.sent;
    this.late = parts.late;
    this.sent = (name) => {
      const value = sentIn(input, name);
      return value === undefined ? path[name] : value;
    };
  }

  get method(): Call<M>['method'] {
    const { method } = this.#parts.input;
    return (method === 'HEAD' ? 'GET' : method) as Call<M>['method'];
  }

  get path(): string {
    return this.#parts.input.path;
  }

  get model(): M {
    this.hasLooked = true;
    return this.#model;
  }

  /** The same call on another model. */
  withModel<N>(model: N, late: LateTexts): RequestCall<N> {
    return new RequestCall({ ...this.#parts, late }, model);
  }
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

const always = () => true;

function names(selection: Selection | null, path: readonly string[]): boolean {
  let level: Selection | true | undefined = selection ?? undefined;
  for (const part of path) level = level instanceof Map ? level.get(part) : undefined;
  return level !== undefined;
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
