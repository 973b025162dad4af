import type { Descriptor } from '../engine/descriptor.ts';
import type { Endpoint, Route } from '../engine/types.ts';
import { operationOf, security } from './operation.ts';
import { type DescribedOperation, type RoutePlace, routePlaces } from './place.ts';
import { createSchemaRegistry, type SchemaRegistry } from './schema-registry.ts';
import { errorSchema, sharedHeaders, sharedParameters, sharedResponses } from './shared.ts';
import type { Document, PathItem } from './types.ts';

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

/** Describes a server in OpenAPI 3.1 from its table of routes. */
export function describe<M, S extends M>(routes: readonly Route<M, S>[], describing: Describing<M>): Document {
  const steps = describeInSteps(routes, describing);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same as steps of a few milliseconds each. */
export function* describeInSteps<M, S extends M>(
  routes: readonly Route<M, S>[],
  { model, title, base, first }: Describing<M>,
): Generator<void, Document> {
  const records = new Map<Route<M, S>, Descriptor | null>();
  for (const route of routes) {
    records.set(route, (route.schema?.(model) ?? null) as Descriptor | null);
    yield;
  }
  const recordOf = (route: Route<M, S>) => records.get(route) ?? null;
  const places = routePlaces(routes, (route) => recordOf(route)?.title ?? null);
  const schemaRegistry = createSchemaRegistry();
  schemaRegistry.put(['error'], errorSchema);
  const paths: Record<string, PathItem> = {};
  for (const place of places) {
    const { path } = place.template;
    paths[path] = { ...pathItem(place, recordOf(place.route), schemaRegistry), ...paths[path] };
    yield;
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
