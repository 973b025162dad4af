import type { Route } from '../engine/types.ts';

/** A route's path in the notation of OpenAPI: `/cms/v2/posts/{id}`. */
export interface PathTemplate {
  readonly path: string;
  readonly names: readonly string[];
  readonly numbers: readonly string[];
}

const NUMBER = /^(?:\[\\d\]|\\d)\+$/;

/** All templates of a route: OpenAPI has no optional parts, so each gets a path with it and one without. */
export function routeTemplates({ pattern, only = {} }: Described): readonly PathTemplate[] {
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
