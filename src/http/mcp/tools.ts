import { argDescriptor } from '../engine/descriptors.ts';
import { argsOf } from '../engine/past.ts';
import type { Endpoint, Method, Route } from '../engine/types.ts';
import { type RoutePlace, routePlaces, routeSummary } from '../openapi/place.ts';
import { exactSchema, sentSchema } from '../openapi/schema.ts';
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
  /** Default of `_fields`; '': all. */
  readonly fields: string;
}

/** Which of the routes open to tokens are offered, by the first word below the namespace. */
const offered: ReadonlySet<string> = new Set(['posts', 'pages', 'search', 'categories', 'tags', 'history']);
/** Not offered: what is stored beside an entry while it is edited. */
const left: ReadonlySet<string> = new Set(['autosaves']);
/** Parameters that programs are told of: a model reads all of them before it does anything. Routes take the others as well. */
const described: ReadonlySet<string> = new Set([
  ...['id', 'parent', 'page', 'per_page', 'search', 'after', 'before', 'author', 'order', 'orderby', 'slug', 'status'],
  ...['include', 'categories', 'tags', 'as_of', 'type', 'subtype', 'title', 'content', 'excerpt', 'date', 'name'],
  ...['description', 'featured_media', 'sticky', 'post', 'from', 'to'],
  ...['commits', 'user', 'entry', 'dry_run', 'conflicts'],
]);
/** Fields that are answered unless others are asked for. */
const usual = {
  list: 'id,title,name,slug,status,date,modified,link,url,type,subtype,count,parent',
  get: 'id,title,name,slug,status,date,modified,link,content,excerpt,description,author,categories,tags,featured_media,parent,type,count',
  written: 'id,title,name,slug,status,date,modified,author,link,type',
} as const;

export function toolsOf<M, S extends M>(routes: readonly Route<M, S>[]): readonly Tool[] {
  const open = routes.filter(({ tokens }) => tokens !== undefined);
  return routePlaces(open, () => null).flatMap((place) => {
    const words = wordsOf(place);
    if (!offered.has(words[0] ?? '') || words.some((word) => left.has(word))) return [];
    return place.route.endpoints.flatMap((endpoint) => toolOf(place, endpoint, words) ?? []);
  });
}

function toolOf<M, S extends M>(
  place: RoutePlace<M, S>,
  endpoint: Endpoint<M, S>,
  words: readonly string[],
): Tool | null {
  const reads = 'query' in endpoint;
  const [method] = endpoint.methods;
  if (method === undefined || (!reads && (place.route.tokens !== 'all' || method === 'DELETE'))) return null;
  const { path, names } = place.template;
  const act = actAt(place, reads);
  const name = [...words, ...(act === null ? [] : [act])].join('_').replaceAll('-', '_');
  const summary = endpoint.summary ?? routeSummary({ place: { ...place, title: titleOf(words) }, endpoint, method });
  const shown = act === 'list' ? usual.list : act === 'get' ? usual.get : reads || act === null ? '' : usual.written;
  const inputSchema = inputOf(endpoint, names);
  return { name, description: summary, inputSchema, reads, method, path, inPath: names, fields: shown };
}

function wordsOf<M, S extends M>({ route, template }: RoutePlace<M, S>): readonly string[] {
  const below = template.path.slice(`/${route.namespace}/`.length).split('/');
  return below.filter((part) => part !== '' && !part.startsWith('{'));
}

/** The action of a method; null if the path names it. */
function actAt<M, S extends M>({ isCollection, template }: RoutePlace<M, S>, reads: boolean): string | null {
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
  const named = Object.entries(args).filter(([name, { required }]) => described.has(name) || required === true);
  const properties = named.map(([name, arg]): [string, Schema] => {
    const { required: _, ...descriptor } = argDescriptor(arg);
    return [name, brief(arg.sent === undefined ? sentSchema(descriptor) : exactSchema(arg.sent, 'input'))];
  });
  const required = Object.entries(args).flatMap(([name, arg]) => (arg.required === true ? name : []));
  const ids = inPath.filter((name) => !Object.hasOwn(args, name)).map((name) => [name, { type: 'integer' }]);
  return {
    type: 'object',
    properties: Object.fromEntries([...ids, ...properties, ['_fields', { type: 'string' }]]),
    required: [...new Set([...inPath, ...required])],
  };
}

/** What a model needs of a schema: types and choices, and a description only where the name does not say it. */
function brief(schema: Schema): Schema {
  const {
    type,
    enum: choices,
    items,
    anyOf,
    oneOf,
    maximum,
    description,
  } = schema as Readonly<Record<string, unknown>>;
  const described =
    typeof description === 'string' && /position|date-time|password/i.test(description) ? { description } : {};
  return {
    ...(type === undefined ? {} : { type }),
    ...(choices === undefined ? {} : { enum: choices }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(items === undefined ? {} : { items: brief(items as Schema) }),
    ...(anyOf === undefined ? {} : { anyOf: (anyOf as Schema[]).map(brief) }),
    ...(oneOf === undefined ? {} : { oneOf: (oneOf as Schema[]).map(brief) }),
    ...described,
  } as Schema;
}
