import { argDescriptor } from '../engine/descriptors.ts';
import { argsOf } from '../engine/past.ts';
import type { Endpoint, Method, Route } from '../engine/types.ts';
import { exactSchema } from '../openapi/exact.ts';
import { type Place, placesOf, summaryOf } from '../openapi/place.ts';
import { sentSchema } from '../openapi/schema.ts';
import type { Schema } from '../openapi/types.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [member: string]: unknown };
  readonly reads: boolean;
  readonly method: Method;
  /** A template: `/cms/v2/posts/{id}`. */
  readonly path: string;
  readonly inPath: readonly string[];
}

/** Which of the routes open to tokens are offered, by the first word below the namespace. */
const offered: ReadonlySet<string> = new Set(['posts', 'pages', 'search', 'categories', 'tags']);
/** Not offered: what is stored beside an entry while it is edited. */
const left: ReadonlySet<string> = new Set(['autosaves']);
const fields: Schema = { type: 'string', description: 'Names of the fields to answer, between commas. Default: all.' };

export function toolsOf<M, S extends M>(routes: readonly Route<M, S>[]): readonly Tool[] {
  const open = routes.filter(({ tokens }) => tokens !== undefined);
  return placesOf(open, () => null).flatMap((place) => {
    const words = wordsOf(place);
    if (!offered.has(words[0] ?? '') || words.some((word) => left.has(word))) return [];
    return place.route.endpoints.flatMap((endpoint) => toolOf(place, endpoint, words) ?? []);
  });
}

function toolOf<M, S extends M>(place: Place<M, S>, endpoint: Endpoint<M, S>, words: readonly string[]): Tool | null {
  const reads = 'query' in endpoint;
  const [method] = endpoint.methods;
  if (method === undefined || (!reads && (place.route.tokens !== 'all' || method === 'DELETE'))) return null;
  const { path, names } = place.template;
  const act = actAt(place, reads);
  const name = [...words, ...(act === null ? [] : [act])].join('_').replaceAll('-', '_');
  const summary = endpoint.summary ?? summaryOf({ place: { ...place, title: titleOf(words) }, endpoint, method });
  return { name, description: summary, inputSchema: inputOf(endpoint, names), reads, method, path, inPath: names };
}

function wordsOf<M, S extends M>({ route, template }: Place<M, S>): readonly string[] {
  const below = template.path.slice(`/${route.namespace}/`.length).split('/');
  return below.filter((part) => part !== '' && !part.startsWith('{'));
}

/** The action of a method; null if the path names it. */
function actAt<M, S extends M>({ isCollection, template }: Place<M, S>, reads: boolean): string | null {
  if (isCollection) return reads ? 'list' : 'create';
  if (template.path.endsWith('}')) return reads ? 'get' : 'update';
  return null;
}

function titleOf(words: readonly string[]): string {
  const singular = words.map((word) => word.replace(/ies$/, 'y').replace(/s$/, ''));
  return singular.length === 1 ? (singular[0] ?? '') : `${singular[1]} of a ${singular[0]}`;
}

function inputOf<M, S extends M>(endpoint: Endpoint<M, S>, inPath: readonly string[]): Tool['inputSchema'] {
  const args = argsOf(endpoint);
  const properties = Object.entries(args).map(([name, arg]): [string, Schema] => {
    const { required: _, ...descriptor } = argDescriptor(arg);
    return [name, arg.sent === undefined ? sentSchema(descriptor) : exactSchema(arg.sent, 'input')];
  });
  const required = Object.entries(args).flatMap(([name, arg]) => (arg.required === true ? name : []));
  const ids = inPath.filter((name) => !Object.hasOwn(args, name)).map((name) => [name, { type: 'integer' }]);
  return {
    type: 'object',
    properties: Object.fromEntries([...ids, ...properties, ['_fields', fields]]),
    required: [...new Set([...inPath, ...required])],
  };
}
