import { argDescriptor, type Descriptor } from '../engine/descriptors.ts';
import { argsOf } from '../engine/past.ts';
import type { Arg, Args } from '../engine/types.ts';
import { usualDescription } from './parameters.ts';
import { type DescribedOperation, lastWord, type RoutePlace, routeSummary } from './place.ts';
import { exactSchema, type SchemaRegistry, schemaOf, sentSchema, shownSchema } from './schema.ts';
import type { MediaObject, Operation, Parameter, Ref, RequestBody, Response, Schema } from './types.ts';

const JSON_TYPE = 'application/json';

export function operationOf<M, S extends M>(
  deed: DescribedOperation<M, S>,
  record: Descriptor | null,
  schemaRegistry: SchemaRegistry,
): Operation {
  const { place, endpoint, method } = deed;
  const { path } = place.template;
  const args = argsOf(endpoint);
  const isRead = method === 'GET' || method === 'HEAD';
  const inBody = !isRead && method !== 'DELETE';
  // DELETE takes parameters in the query or in the body.
  const mayBeInBody = method === 'DELETE';
  const rest = Object.entries(args).filter(([name]) => !place.template.names.includes(name));
  return {
    operationId: `${method.toLowerCase()}-${path.replaceAll(/[^a-zA-Z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'index'}`,
    summary: routeSummary(deed),
    description: descriptionOf(deed),
    tags: [place.route.namespace || 'index'],
    parameters: [
      ...pathParameters(deed),
      ...(inBody ? [] : rest.map(([name, arg]) => queryParameter(name, arg))),
      ...headerParameters(deed),
    ],
    ...((inBody || mayBeInBody) && rest.length > 0
      ? { requestBody: bodyOf(deed, Object.fromEntries(rest), schemaRegistry) }
      : {}),
    responses: responsesOf(deed, record, schemaRegistry),
    ...(isOpenToTokens(deed) ? { security: [...security, { token: [] }] } : {}),
  };
}

/** What an operation does, and what its answers can be relied on for. */
function descriptionOf<M, S extends M>(deed: DescribedOperation<M, S>): string {
  const { place, endpoint, method } = deed;
  const isRead = 'query' in endpoint;
  const isList = (place.isCollection || endpoint.listed === true) && 'per_page' in endpoint.args;
  const sentences = [
    `${routeSummary(deed)}.`,
    isRead && isList ? 'Answers a page; `X-CMS-Total` is the exact number of all.' : '',
    isRead && endpoint.past !== undefined ? `\`${endpoint.past.parameter ?? 'as_of'}\` shows an earlier moment.` : '',
    isRead && endpoint.depends !== null ? 'An answer that the client knows (`If-None-Match`) is 304.' : '',
    isRead || method === 'GET' ? '' : 'In one commit: all of it is stored, or nothing.',
    !isRead && place.route.version !== undefined ? '`If-Match` refuses it if the item has changed since.' : '',
    method === 'DELETE' && 'force' in endpoint.args
      ? 'Without `force` the item goes to the trash, if its kind has one.'
      : '',
    isOpenToTokens(deed) ? 'Open to tokens.' : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** The authentication that every operation accepts. */
export const security = [{}, { basic: [] }];

function isOpenToTokens<M, S extends M>({ place, endpoint }: DescribedOperation<M, S>): boolean {
  const { tokens } = place.route;
  return tokens === 'all' ? !endpoint.methods.includes('DELETE') : tokens === 'reads' && 'query' in endpoint;
}

function pathParameters<M, S extends M>({ place, endpoint }: DescribedOperation<M, S>): Parameter[] {
  const { names, numbers } = place.template;
  return names.map((name) => {
    const arg = argsOf(endpoint)[name];
    const { description = usualDescription(name), ...said } = arg === undefined ? {} : descriptorOf(arg);
    const schema = { ...schemaOf(said), type: numbers.includes(name) ? 'integer' : 'string' };
    return { name, in: 'path', required: true, description, schema };
  });
}

function queryParameter<M>(name: string, arg: Arg<M>): Parameter {
  const { description = usualDescription(name), ...said } = descriptorOf(arg);
  const isList = [arg.sent === undefined ? said.type : exactSchema(arg.sent, 'input')['type']].flat().includes('array');
  return {
    name,
    in: 'query',
    ...(arg.required === true ? { required: true } : {}),
    description,
    // Lists are also accepted as `name[]=1&name[]=2`.
    ...(isList ? { style: 'form', explode: false } : {}),
    schema: arg.sent === undefined ? schemaOf(said) : exactSchema(arg.sent, 'input'),
  };
}

function headerParameters<M, S extends M>({ place, endpoint, method }: DescribedOperation<M, S>): Ref[] {
  const named = (name: string): Ref => ({ $ref: `#/components/parameters/${name}` });
  if (method === 'GET' || method === 'HEAD') {
    const global = [named('fields'), named('embed'), named('envelope'), named('seen')];
    return 'depends' in endpoint && endpoint.depends === null ? global : [...global, named('ifNoneMatch')];
  }
  const always = [named('fields'), named('idempotencyKey'), named('seen')];
  return place.route.version === undefined ? always : [...always, named('ifMatch')];
}

/** Parameters of a write, which may also be sent as a form or in the query. */
function bodyOf<M, S extends M>(
  { place, endpoint, method }: DescribedOperation<M, S>,
  args: Args<M>,
  schemaRegistry: SchemaRegistry,
): RequestBody {
  const properties = Object.entries(args).map(([name, arg]): [string, Descriptor] => [name, argDescriptor(arg)]);
  const schema = schemaRegistry.put(
    [`${place.template.path}.body`, `${place.template.path}.${method.toLowerCase()}.body`],
    withSent(sentSchema({ type: 'object', properties: Object.fromEntries(properties) }), args),
  );
  const isRequired = method !== 'DELETE' && Object.values(args).some(({ required }) => required === true);
  return {
    ...(isRequired ? { required: true } : {}),
    content:
      'upload' in endpoint && endpoint.fileless !== true
        ? fileBodies(schema)
        : { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
  };
}

function withSent<M>(schema: Schema, args: Args<M>): Schema {
  const said = Object.entries(args).flatMap(([name, { sent }]): [string, Schema][] =>
    sent === undefined ? [] : [[name, exactSchema(sent, 'input')]],
  );
  const properties = { ...(schema['properties'] as Readonly<Record<string, Schema>>), ...Object.fromEntries(said) };
  return { ...schema, properties };
}

function fileBodies(fields: Schema): RequestBody['content'] {
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  return {
    'multipart/form-data': { schema: { allOf: [fields, { type: 'object', properties: { file } }] } },
    '*/*': { schema: file },
  };
}

function descriptorOf<M>(arg: Arg<M>): Descriptor {
  const { required: _, ...descriptor } = argDescriptor(arg);
  return descriptor;
}

/** The responses of an operation; `record` describes what the route shows, null if it has no schema. */
function responsesOf<M, S extends M>(
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
  const names = ['Link', 'Allow', 'X-CMS-Truncated', 'X-CMS-Ignored'];
  if (method === 'GET' || method === 'HEAD')
    names.push('ETag', 'X-CMS-Age', ...(pages ? ['X-CMS-Total', 'X-CMS-TotalPages'] : []));
  else names.push('X-CMS-Position', ...(makes(deed) ? ['Location'] : []));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
