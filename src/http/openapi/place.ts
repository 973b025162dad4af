import type { Endpoint, Method, Route } from '../engine/types.ts';

export interface RoutePlace<M, S extends M> {
  readonly route: Route<M, S>;
  readonly template: PathTemplate;
  readonly isCollection: boolean;
  /** The title in its schema; null without a schema. */
  readonly title: string | null;
}

export interface DescribedOperation<M, S extends M> {
  readonly place: RoutePlace<M, S>;
  readonly endpoint: Endpoint<M, S>;
  readonly method: Method | 'HEAD';
}

/** A route's path in the notation of OpenAPI: `/cms/v2/posts/{id}`. */
interface PathTemplate {
  readonly path: string;
  readonly names: readonly string[];
  readonly numbers: readonly string[];
}

const NUMBER = /^(?:\[\\d\]|\\d)\+$/;

export function routePlaces<M, S extends M>(
  routes: readonly Route<M, S>[],
  titleOf: (route: Route<M, S>) => string | null,
): readonly RoutePlace<M, S>[] {
  const found = routes.flatMap((route) => routeTemplates(route).map((template) => ({ route, template })));
  const parents = new Set(found.flatMap(({ template }) => /^(.*)\/\{\}$/.exec(nameless(template.path))?.[1] ?? []));
  return found.map(({ route, template }) => {
    const isCollection = parents.has(nameless(template.path));
    return {
      route,
      template,
      isCollection,
      get title() {
        return titleOf(route);
      },
    };
  });
}

export function routeSummary<M, S extends M>({ place, endpoint, method }: DescribedOperation<M, S>): string {
  const { title, isCollection, template } = place;
  if (method === 'HEAD') return `${routeSummary({ place, endpoint, method: 'GET' })}, without the body`;
  if (endpoint.summary !== undefined) return endpoint.summary;
  if (title === null) return method === 'GET' ? `Show ${template.path}` : `Send to ${template.path}`;
  if (isCollection) return method === 'GET' ? `List ${lastWord(template)}` : `Create ${withArticle(title)}`;
  const verbs: Readonly<Record<Method | 'HEAD', string>> = {
    GET: 'Show',
    HEAD: 'Show',
    POST: 'Change',
    PUT: 'Change',
    PATCH: 'Change',
    DELETE: 'Delete',
  };
  return `${verbs[method]} ${withArticle(title)}`;
}

export function lastWord({ path }: PathTemplate): string {
  return path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
}

function nameless(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

function withArticle(noun: string): string {
  return /^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** All templates of a route: OpenAPI has no optional parts, so each gets a path with it and one without. */
function routeTemplates({ pattern, only = {} }: Described): readonly PathTemplate[] {
  return alternatives(pattern).map((one) => routeTemplate({ pattern: one, only }));
}

type Described = Pick<Route<never, never>, 'pattern' | 'only'>;

function alternatives(pattern: string): readonly string[] {
  for (let i = 0; i < pattern.length; i += 1) {
    if (pattern[i] !== '(') continue;
    const end = endOfGroup(pattern, i);
    if (pattern.startsWith('(?:', i) && pattern[end] === '?') {
      const [before, inner, after] = [pattern.slice(0, i), pattern.slice(i + 3, end - 1), pattern.slice(end + 1)];
      return [before + inner + after, before + after].flatMap(alternatives);
    }
    i = end - 1;
  }
  return [pattern];
}

/** The template of a route; parameters with a single value are replaced by it. */
export function routeTemplate({ pattern, only = {} }: Described): PathTemplate {
  const { path, names, numbers } = templateOf(pattern);
  const open = (name: string) => !Object.hasOwn(only, name);
  return {
    path: path.replaceAll(/\{(\w+)\}/g, (written, name: string) => only[name] ?? written),
    names: names.filter(open),
    numbers: numbers.filter(open),
  };
}

/** The template of a route pattern; optional parts are included. */
export function templateOf(pattern: string): PathTemplate {
  const names: string[] = [];
  const numbers: string[] = [];
  let path = '';
  for (let i = 0; i < pattern.length; ) {
    if (pattern[i] !== '(') {
      path += pattern[i];
      i += 1;
      continue;
    }
    const end = endOfGroup(pattern, i);
    const group = pattern.slice(i, end);
    const named = /^\(\?P<(\w+)>(.*)\)$/s.exec(group);
    if (named === null) {
      const inner = templateOf(group.slice(group.startsWith('(?:') ? 3 : 1, -1));
      path += inner.path;
      names.push(...inner.names);
      numbers.push(...inner.numbers);
    } else {
      const [, name = '', expression = ''] = named;
      path += `{${name}}`;
      names.push(name);
      if (NUMBER.test(expression)) numbers.push(name);
    }
    i = pattern[end] === '?' ? end + 1 : end;
  }
  return { path, names, numbers };
}

/** Index after the group that begins at a parenthesis; escaped parentheses and those in classes do not count. */
function endOfGroup(pattern: string, start: number): number {
  let depth = 0;
  let inClass = false;
  for (let i = start; i < pattern.length; i += 1) {
    const mark = pattern[i];
    if (mark === '\\') i += 1;
    else if (inClass) inClass = mark !== ']';
    else if (mark === '[') inClass = true;
    else if (mark === '(') depth += 1;
    else if (mark === ')') depth -= 1;
    if (depth === 0) return i + 1;
  }
  return pattern.length;
}
