import type { Descriptor } from '../engine/descriptor.ts';
import { argDescriptor } from '../engine/descriptors.ts';
import { argsOf } from '../engine/past.ts';
import type { Arg, Args } from '../engine/types.ts';
import { exactSchema } from './exact.ts';
import { type DescribedOperation, routeSummary } from './place.ts';
import { responsesOf } from './responses.ts';
import { schemaOf, sentSchema } from './schema.ts';
import type { SchemaRegistry } from './schema-registry.ts';
import type { Operation, Parameter, Ref, RequestBody, Schema } from './types.ts';

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
    const { description, ...said } = arg === undefined ? {} : descriptorOf(arg);
    const schema = { ...schemaOf(said), type: numbers.includes(name) ? 'integer' : 'string' };
    return { name, in: 'path', required: true, ...(description === undefined ? {} : { description }), schema };
  });
}

function queryParameter<M>(name: string, arg: Arg<M>): Parameter {
  const { description, ...said } = descriptorOf(arg);
  const isList = [arg.sent === undefined ? said.type : exactSchema(arg.sent, 'input')['type']].flat().includes('array');
  return {
    name,
    in: 'query',
    ...(arg.required === true ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
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
    content: {
      // The first is what generated clients send.
      ...('upload' in endpoint && endpoint.fileless !== true ? fileBodies(schema) : {}),
      'application/json': { schema },
      'application/x-www-form-urlencoded': { schema },
    },
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
