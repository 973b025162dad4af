import type { Descriptor } from '../engine/descriptors.ts';
import { argsOf } from '../engine/past.ts';
import { errorSchema, sharedParameters } from './document.ts';
import { operationOf } from './operation.ts';
import type { DescribedOperation } from './place.ts';
import type { SchemaRegistry } from './schema.ts';
import { isRef, type Operation, type Parameter, type Schema } from './types.ts';

/** The JSON schemas of an operation as Fastify takes them; without its id, since several methods share them. */
export interface RouteSchema {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly params?: Schema;
  readonly querystring: Schema;
  readonly body?: Schema;
  readonly response: Readonly<Record<string, Schema>>;
}

const inline: SchemaRegistry = { put: (_, schema) => schema, schemas: () => ({}) };

/**
 * Describes an operation as OpenAPI does, but only when somebody looks below the first level, which Fastify itself does not: making all
 * of them takes a quarter of a second.
 */
export function routeSchema<M, S extends M>(
  described: DescribedOperation<M, S>,
  recordOf: () => Descriptor | null,
): RouteSchema {
  const { place, endpoint, method } = described;
  let made: Operation | undefined;
  const operation = () => {
    made ??= operationOf(described, recordOf(), inline);
    return made;
  };
  const parameters = (where: Parameter['in']) => objectLater(() => parametersIn(where, operation()));
  const hasBody =
    method !== 'GET' && Object.keys(argsOf(endpoint)).some((name) => !place.template.names.includes(name));
  return {
    get summary() {
      return operation().summary;
    },
    tags: [place.route.namespace || 'index'],
    ...(place.template.names.length > 0 ? { params: parameters('path') } : {}),
    querystring: parameters('query'),
    ...(hasBody ? { body: objectLater(() => operation().requestBody?.content['application/json']?.schema ?? {}) } : {}),
    response: {
      // A number as name would make an array of as many members.
      '2xx': {
        description: 'Done.',
        get allOf() {
          return [shownIn(operation())];
        },
      },
      default: errorSchema,
    },
  };
}

/** The schema of an object whose members are described when they are first looked at. */
function objectLater(make: () => Schema): Schema {
  return {
    type: 'object',
    get properties() {
      return make()['properties'] ?? {};
    },
    get required() {
      return make()['required'] ?? [];
    },
  };
}

function parametersIn(place: Parameter['in'], { parameters }: Operation): Schema {
  const all = parameters.map((one) => (isRef(one) ? sharedParameter(one.$ref) : one));
  const here = all.filter((one) => one.in === place);
  return {
    properties: Object.fromEntries(here.map(({ name, description, schema }) => [name, { description, ...schema }])),
    required: here.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

function sharedParameter(ref: string): Parameter {
  const found = sharedParameters[ref.slice(ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`no parameter ${ref}`);
  return found;
}

function shownIn({ responses }: Operation): Schema {
  const [shown] = Object.values(responses).flatMap((one) => (isRef(one) ? [] : [one]));
  const [content] = Object.values(shown?.content ?? {});
  return content?.schema ?? {};
}
