import type { Endpoint, Method, Route } from '../engine/types.ts';
import { type PathTemplate, routeTemplates } from './path.ts';

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

export function routePlaces<M, S extends M>(
  routes: readonly Route<M, S>[],
  titleOf: (route: Route<M, S>) => string | null,
): readonly RoutePlace<M, S>[] {
  const found = routes.flatMap((route) => routeTemplates(route).map((template) => ({ route, template })));
  const parents = new Set(found.flatMap(({ template }) => /^(.*)\/\{\}$/.exec(nameless(template.path))?.[1] ?? []));
  return found.map(({ route, template }) => {
    return { route, template, isCollection: parents.has(nameless(template.path)), title: titleOf(route) };
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
