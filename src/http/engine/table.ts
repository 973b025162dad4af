import type { Params } from '#text/query-string.ts';
import { type CompiledArgs, compileArgs } from './args.ts';
import { argsOf } from './past.ts';
import type { Endpoint, Method, Route } from './types.ts';

export interface CompiledEndpoint<M, S extends M> {
  readonly endpoint: Endpoint<M, S>;
  readonly args: CompiledArgs<M>;
}

export interface CompiledRoute<M, S extends M> {
  readonly route: Route<M, S>;
  /** Index in the table: the first route that matches is used. */
  readonly order: number;
  readonly pattern: RoutePattern;
  readonly endpoints: readonly CompiledEndpoint<M, S>[];
  readonly byMethod: ReadonlyMap<string, CompiledEndpoint<M, S>>;
}

export interface MatchedPlace<M, S extends M> {
  readonly route: CompiledRoute<M, S>;
  readonly path: Params;
}

export interface FoundEndpoint<M, S extends M> extends MatchedPlace<M, S> {
  readonly endpoint: CompiledEndpoint<M, S>;
}

export interface Table<M, S extends M> {
  readonly routes: readonly CompiledRoute<M, S>[];
  /** The endpoint for a method (upper case, HEAD counts as GET) and a path below the route root; null: no route. */
  readonly find: (method: string, path: string, model: M) => FoundEndpoint<M, S> | null;
  readonly at: (path: string, model: M) => MatchedPlace<M, S> | null;
}

interface Node<M, S extends M> {
  readonly words: Map<string, Node<M, S>>;
  digits: Node<M, S> | null;
  readonly here: CompiledRoute<M, S>[];
  /** Routes below this node that need their expression to be matched. */
  readonly open: CompiledRoute<M, S>[];
}

type PatternSegment = { readonly literal: string } | { readonly digits: string };

interface RoutePattern {
  readonly prefix: readonly string[];
  /** All segments, if each is a plain word or a number; null if only the expression can match them. */
  readonly segments: readonly PatternSegment[] | null;
  /** The whole pattern, case-insensitive. A path with white space never matches. */
  readonly expression: RegExp;
}

const WORD = /^(?!\d+$)[\w.~-]+$/;
const NUMBER = /^\(\?P<(\w+)>(?:\[\\d\]|\\d)\+\)$/;

export function compileTable<M, S extends M>(routes: readonly Route<M, S>[]): Table<M, S> {
  const compiled = routes.map(compileRoute);
  const root = newNode<M, S>();
  for (const route of compiled) plant(root, route);
  const places = (path: string) => placesAt(root, trimmed(path));
  return {
    routes: compiled,
    at: (path, model) => places(path).find(({ route }) => isPresent(route.route, model)) ?? null,
    find: (method, path, model) => {
      const wanted = method === 'HEAD' ? 'GET' : method;
      for (const place of places(path)) {
        const endpoint = place.route.byMethod.get(wanted);
        if (endpoint === undefined || !isPresent(place.route.route, model)) continue;
        return { route: place.route, path: place.path, endpoint };
      }
      return null;
    },
  };
}

export function isPresent<M, S extends M>({ present }: Route<M, S>, model: M): boolean {
  return present === undefined || present(model);
}

function compileRoute<M, S extends M>(route: Route<M, S>, order: number): CompiledRoute<M, S> {
  const endpoints = route.endpoints.map(compileEndpoint);
  const byMethod = new Map<Method, CompiledEndpoint<M, S>>();
  for (const compiled of endpoints) {
    for (const method of compiled.endpoint.methods) if (!byMethod.has(method)) byMethod.set(method, compiled);
  }
  return { route, order, pattern: parsePattern(route.pattern), endpoints, byMethod };
}

/** Its arguments are compiled when they are first used: those of most routes never are. */
function compileEndpoint<M, S extends M>(endpoint: Endpoint<M, S>): CompiledEndpoint<M, S> {
  let args: CompiledArgs<M> | undefined;
  return {
    endpoint,
    get args() {
      args ??= compileArgs(argsOf(endpoint), { isRead: 'query' in endpoint });
      return args;
    },
  };
}

function plant<M, S extends M>(root: Node<M, S>, route: CompiledRoute<M, S>): void {
  const { segments, prefix } = route.pattern;
  let node = root;
  for (const segment of segments ?? prefix.map((literal) => ({ literal }))) node = branch(node, segment);
  (segments === null ? node.open : node.here).push(route);
}

function branch<M, S extends M>(node: Node<M, S>, segment: { literal: string } | { digits: string }): Node<M, S> {
  if ('digits' in segment) {
    node.digits ??= newNode();
    return node.digits;
  }
  const known = node.words.get(segment.literal) ?? newNode<M, S>();
  node.words.set(segment.literal, known);
  return known;
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith('/') && !path.endsWith('//') ? path.slice(0, -1) : path;
}

function placesAt<M, S extends M>(root: Node<M, S>, path: string): readonly MatchedPlace<M, S>[] {
  const open: CompiledRoute<M, S>[] = [];
  const numbers: string[] = [];
  if (!path.startsWith('/')) return [];
  const end = path === '/' ? root : walk(root, path, { open, numbers });
  const places = end === null ? [] : end.here.map((route) => ({ route, path: numbered(route, numbers) }));
  if (open.length === 0) return places;
  for (const route of open) {
    const match = route.pattern.expression.exec(path);
    if (match !== null) places.push({ route, path: Object.assign(Object.create(null), match.groups) });
  }
  return places.sort((a, b) => a.route.order - b.route.order);
}

function walk<M, S extends M>(
  root: Node<M, S>,
  path: string,
  seen: { readonly open: CompiledRoute<M, S>[]; readonly numbers: string[] },
): Node<M, S> | null {
  const low = path.toLowerCase();
  let node = root;
  let start = 1;
  while (start <= low.length) {
    const slash = low.indexOf('/', start);
    const end = slash === -1 ? low.length : slash;
    const part = low.slice(start, end);
    let next = node.words.get(part);
    if (next === undefined && node.digits !== null && isDigits(part)) {
      next = node.digits;
      seen.numbers.push(part);
    }
    if (next === undefined) return null;
    if (next.open.length > 0) seen.open.push(...next.open);
    node = next;
    start = end + 1;
  }
  return node;
}

function numbered<M, S extends M>({ pattern }: CompiledRoute<M, S>, numbers: readonly string[]): Params {
  const params: Params = Object.create(null);
  let index = 0;
  for (const segment of pattern.segments ?? []) {
    if ('digits' in segment) params[segment.digits] = numbers[index++];
  }
  return params;
}

function isDigits(part: string): boolean {
  if (part === '') return false;
  for (let i = 0; i < part.length; i += 1) {
    const code = part.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

function newNode<M, S extends M>(): Node<M, S> {
  return { words: new Map(), digits: null, here: [], open: [] };
}

/** Parses a route pattern, so that most routes are found without running an expression. */
function parsePattern(pattern: string): RoutePattern {
  const parts = pattern === '/' ? [] : splitOutsideGroups(pattern.slice(1));
  const segments = parts.map(segmentOf);
  const prefix: string[] = [];
  for (const segment of segments) {
    if (segment === null || 'digits' in segment) break;
    prefix.push(segment.literal);
  }
  return {
    prefix,
    segments: segments.every((segment) => segment !== null) ? segments : null,
    // The lookahead rejects white space at once; without it, backtracking over a long path would take long.
    expression: new RegExp(`^(?=\\S*$)${pattern.replaceAll('(?P<', '(?<')}$`, 'i'),
  };
}

function segmentOf(part: string): PatternSegment | null {
  if (WORD.test(part)) return { literal: part.toLowerCase() };
  const name = NUMBER.exec(part)?.[1];
  return name === undefined ? null : { digits: name };
}

function splitOutsideGroups(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const mark of text) {
    if (mark === '(' || mark === '[') depth += 1;
    if (mark === ')' || mark === ']') depth -= 1;
    if (mark === '/' && depth === 0) parts.push('');
    else parts.push(`${parts.pop()}${mark}`);
  }
  return parts;
}
