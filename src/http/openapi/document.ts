import type { Descriptor } from '../engine/descriptors.ts';
import type { Endpoint, Route } from '../engine/types.ts';
import { blockSchemas } from './block-schemas.ts';
import { operationOf, security } from './operation.ts';
import { type DescribedOperation, type RoutePlace, routePlaces } from './place.ts';
import { createSchemaRegistry, type SchemaRegistry } from './schema.ts';
import type { Document, Header, Parameter, PathItem, Response, Schema } from './types.ts';

export interface Describing<M> {
  readonly model: M;
  readonly title: string;
  /** Address of the route root without trailing slash. */
  readonly base: string;
  /** Name of the most used namespace, which is described first. */
  readonly first: string;
}

const description = `A JSON interface to posts, pages and what belongs to them. \`OPTIONS\` on any route describes its
parameters. Parameters of a write may be sent as JSON, as a form or in the query. A text with the
members raw and rendered, such as \`title\`, may be sent as a string. Without credentials you see what
is public.`;

const namespaces: Readonly<Record<string, string>> = {
  index: 'The index of all routes, batches, and this description.',
};

const flag = { type: 'string' };

export const sharedParameters: Readonly<Record<string, Parameter>> = {
  fields: {
    name: '_fields',
    in: 'query',
    description: 'Returns only these fields; a dot selects a part of a field.',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
  },
  embed: {
    name: '_embed',
    in: 'query',
    description: 'Embeds the linked records: all of them, or those of the named relations.',
    schema: flag,
  },
  envelope: {
    name: '_envelope',
    in: 'query',
    description: 'Answers with status 200 and an object with `body`, `status` and `headers` of the answer.',
    schema: flag,
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Writes only if the item still has one of these entity tags; otherwise answers 412.',
    schema: flag,
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags that the client has cached; answers 304 if one of them is current.',
    schema: flag,
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Carries the write out only once, however often it is sent with this key within a day. For users only.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  seen: {
    name: 'X-CMS-Position',
    in: 'header',
    description:
      'Answers from this position in the log or a later one: waits for it, and answers 503 if it does not arrive in time.',
    schema: { type: 'integer', minimum: 0 },
  },
};

const sharedHeaders: Readonly<Record<string, Header>> = {
  'X-CMS-Total': { description: 'Number of items on all pages.', schema: { type: 'integer', minimum: 0 } },
  'X-CMS-TotalPages': { description: 'Number of pages.', schema: { type: 'integer', minimum: 0 } },
  'X-CMS-Position': {
    description: 'Position of the write in the log.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-CMS-Age': {
    description:
      'Seconds for which it has not been known whether the answer is the newest; only from a node that has lost the event store.',
    schema: { type: 'integer', minimum: 1 },
  },
  'X-CMS-Ignored': {
    description: 'Names of parameters and members that were sent and have no effect.',
    schema: { type: 'string' },
  },
  'X-CMS-Truncated': {
    description:
      'Present, with the value `true`, if parts of texts were left out because they cost too much to render.',
    schema: flag,
  },
  Link: { description: 'Related addresses: next and previous page, the page for people.', schema: flag },
  ETag: { description: 'Changes with the answer.', schema: flag },
  Location: { description: 'Address of the created item.', schema: { type: 'string', format: 'uri' } },
  Allow: { description: 'Methods that the viewer may use here.', schema: flag },
  'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
};

export const errorSchema: Schema = {
  type: 'object',
  title: 'error',
  required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string', description: 'Error code, for programs.' },
    message: { type: 'string', description: 'Error message, for people.' },
    data: {
      type: ['object', 'null'],
      required: ['status'],
      properties: {
        status: { type: 'integer', description: 'The HTTP status.' },
        params: {
          description: 'Names of missing parameters, or the error in each parameter.',
          oneOf: [
            { type: 'array', items: { type: 'string' } },
            { type: 'object', additionalProperties: { type: 'string' } },
          ],
        },
        details: {
          type: 'object',
          description: 'The same with error codes.',
          additionalProperties: {
            type: 'object',
            properties: { code: { type: 'string' }, message: { type: 'string' }, data: {} },
          },
        },
      },
    },
  },
};

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } as const };

const sharedResponses: Readonly<Record<string, Response>> = {
  Error: refused('The request was refused or failed.', retryAfter),
  Invalid: refused('A parameter is missing or wrong, or the item cannot be what is asked.'),
  Unauthorized: refused('Only users may do this, and nobody is logged in.'),
  Forbidden: refused('The user may not do this.'),
  NotFound: refused('The item does not exist, or not here.'),
  Conflict: refused('The item exists already, or another write with the same key is under way.'),
  PreconditionFailed: refused('The item has changed: none of its entity tags is the current one.'),
  TooLarge: refused('The body or its commit is too large.'),
  KeyReused: refused('The `Idempotency-Key` belongs to another write.'),
  TooMany: refused('There were too many attempts.', retryAfter),
  Unavailable: refused('This cannot be done at the moment.', retryAfter),
  NotModified: {
    description: 'The client already has the current answer.',
    headers: { ETag: { $ref: '#/components/headers/ETag' } as const },
  },
};

/** Describes a server in OpenAPI 3.1 from its table of routes. */
export function describe<M, S extends M>(
  routes: readonly Route<M, S>[],
  { model, title, base, first }: Describing<M>,
): Document {
  const records = new Map<Route<M, S>, Descriptor | null>();
  for (const route of routes) {
    records.set(route, (route.schema?.(model) ?? null) as Descriptor | null);
  }
  const recordOf = (route: Route<M, S>) => records.get(route) ?? null;
  const places = routePlaces(routes, (route) => recordOf(route)?.title ?? null);
  const schemaRegistry = createSchemaRegistry();
  schemaRegistry.put(['error'], errorSchema);
  for (const [name, schema] of Object.entries(blockSchemas)) schemaRegistry.put([name], schema);
  const paths: Record<string, PathItem> = {};
  for (const place of places) {
    const { path } = place.template;
    paths[path] = { ...pathItem(place, recordOf(place.route), schemaRegistry), ...paths[path] };
  }
  const named = new Set(places.map(({ route }) => route.namespace || 'index'));
  const tags = [...named].sort((a, b) => Number(b === first) - Number(a === first));
  return {
    openapi: '3.1.0',
    info: { title, version: '2', description, license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: base }],
    tags: tags.map((name) => ({ name, description: namespaces[name] ?? `Routes below /${name}.` })),
    security,
    paths,
    components: {
      schemas: schemaRegistry.schemas(),
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: sharedResponses,
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'A login and an application password.' },
        token: { type: 'http', scheme: 'bearer', description: 'A token for programs, for some operations.' },
      },
    },
  };
}

function pathItem<M, S extends M>(
  place: RoutePlace<M, S>,
  record: Descriptor | null,
  schemaRegistry: SchemaRegistry,
): PathItem {
  const item: Record<string, PathItem[string]> = {};
  const describeMethod = (endpoint: Endpoint<M, S>, method: DescribedOperation<M, S>['method']) => {
    item[method.toLowerCase()] ??= operationOf({ place, endpoint, method }, record, schemaRegistry);
  };
  for (const endpoint of place.route.endpoints) {
    for (const method of endpoint.methods) {
      describeMethod(endpoint, method);
      if (method === 'GET') describeMethod(endpoint, 'HEAD');
    }
  }
  return item;
}

function refused(description: string, headers: NonNullable<Response['headers']> = {}): Response {
  return { description, headers, content: { 'application/json': { schema: { $ref: '#/components/schemas/error' } } } };
}
