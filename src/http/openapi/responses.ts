import type { Descriptor } from '../engine/descriptor.ts';
import { exactSchema } from './exact.ts';
import { type DescribedOperation, lastWord, type RoutePlace } from './place.ts';
import { shownSchema } from './schema.ts';
import type { SchemaRegistry } from './schema-registry.ts';
import type { MediaObject, Operation, Ref, Response, Schema } from './types.ts';

const JSON_TYPE = 'application/json';

/** The responses of an operation; `record` describes what the route shows, null if it has no schema. */
export function responsesOf<M, S extends M>(
  deed: DescribedOperation<M, S>,
  record: Descriptor | null,
  schemaRegistry: SchemaRegistry,
): Operation['responses'] {
  const { place, method, endpoint } = deed;
  const isNew = makes(deed);
  const isRead = method === 'GET' || method === 'HEAD';
  const isKept = isRead && !('depends' in endpoint && endpoint.depends === null);
  const ref = (name: string): Ref => ({ $ref: `#/components/responses/${name}` });
  const { answers } = endpoint;
  const item =
    answers !== undefined
      ? exactSchema(answers, 'output')
      : record === null
        ? {}
        : schemaRegistry.put(recordNames(place), shownSchema(record));
  const shown: Response = {
    description: isNew ? 'Made.' : 'Done.',
    headers: headersOf(deed),
    ...(method === 'HEAD' ? {} : { content: contentOf(deed, answers === undefined ? shapeOf(deed, item) : item) }),
  };
  return {
    [String(endpoint.status ?? (isNew ? 201 : 200))]: shown,
    ...(isKept ? { '304': ref('NotModified') } : {}),
    ...Object.fromEntries(refusalsOf(deed).map((status) => [status, ref(refusals[status])])),
    default: ref('Error'),
  };
}

const refusals = {
  400: 'Invalid',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'TooLarge',
  422: 'KeyReused',
  429: 'TooMany',
  503: 'Unavailable',
} as const;
type Refused = keyof typeof refusals;

function refusalsOf<M, S extends M>({ place, method, endpoint }: DescribedOperation<M, S>): readonly Refused[] {
  const isWrite = !('query' in endpoint);
  return [
    400,
    401,
    403,
    ...(place.template.names.length > 0 ? ([404] as const) : []),
    ...(isWrite && method !== 'GET' ? ([409, 413, 422] as const) : []),
    ...(isWrite && place.route.version !== undefined ? ([412] as const) : []),
    429,
    503,
  ];
}

function makes<M, S extends M>({ place, method }: DescribedOperation<M, S>): boolean {
  return method === 'POST' && place.isCollection && place.template.names.length === 0;
}

function recordNames<M, S extends M>({ title, template }: RoutePlace<M, S>): readonly string[] {
  return title === null ? [template.path] : [title, `${title}-${lastWord(template)}`];
}

function shapeOf<M, S extends M>({ place, method, endpoint }: DescribedOperation<M, S>, item: Schema): Schema {
  // A map without members is sent as an empty list.
  if (endpoint.keyed === true) return { type: ['object', 'array'], additionalProperties: item, maxItems: 0 };
  if ((place.isCollection || endpoint.listed === true) && method === 'GET') return { type: 'array', items: item };
  if (method !== 'DELETE') return item;
  const deleted = { type: 'object', properties: { deleted: { type: 'boolean' }, previous: item } };
  return 'force' in endpoint.args ? { anyOf: [item, deleted] } : deleted;
}

function contentOf<M, S extends M>(
  { endpoint }: DescribedOperation<M, S>,
  schema: Schema,
): Readonly<Record<string, MediaObject>> {
  const types = endpoint.types ?? [JSON_TYPE];
  return Object.fromEntries(types.map((type) => [type, { schema: type === JSON_TYPE ? schema : { type: 'string' } }]));
}

function headersOf<M, S extends M>(deed: DescribedOperation<M, S>): Readonly<Record<string, Ref>> {
  const { place, method, endpoint } = deed;
  const pages = (place.isCollection || endpoint.listed === true) && 'per_page' in endpoint.args;
  const names = ['Link', 'Allow', 'X-CMS-Truncated'];
  if (method === 'GET' || method === 'HEAD')
    names.push('ETag', 'X-CMS-Age', ...(pages ? ['X-CMS-Total', 'X-CMS-TotalPages'] : []));
  else names.push('X-CMS-Position', ...(makes(deed) ? ['Location'] : []));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
