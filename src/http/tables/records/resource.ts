import type { CommandEndpoint, QueryEndpoint, Route, UploadEndpoint } from '../../engine/types.ts';

type Read<M> = Omit<QueryEndpoint<M>, 'methods' | 'allowBatch' | 'mayWait'>;
type Write<M, S extends M> = Omit<CommandEndpoint<M, S>, 'methods' | 'allowBatch' | 'mayWait'>;
type Upload<M, S extends M> = Omit<UploadEndpoint<M, S>, 'methods' | 'allowBatch' | 'mayWait'>;

/** A resource: a collection and its items. Operations that are absent are not offered. */
export interface Resource<M, S extends M> extends Pick<Route<M, S>, 'namespace' | 'schema' | 'version'> {
  /** Path of the collection below the namespace, `/posts`. */
  readonly path: string;
  readonly allowBatch?: true;
  readonly mayWait?: true;
  readonly list: Read<M>;
  readonly create?: Write<M, S> | Upload<M, S>;
  readonly show: Read<M>;
  readonly update?: Write<M, S>;
  readonly remove?: Write<M, S>;
}

/** The routes of a resource: its collection, and an item by its id. `version` is that of the item. */
export function resourceRoutes<M, S extends M>(resource: Resource<M, S>): readonly Route<M, S>[] {
  const { namespace, path, allowBatch, mayWait, list, create, show, update, remove } = resource;
  const pattern = `/${namespace}${path}`;
  const flags = { ...(allowBatch === undefined ? {} : { allowBatch }), ...(mayWait === undefined ? {} : { mayWait }) };
  const schema = resource.schema === undefined ? {} : { schema: resource.schema };
  const version = resource.version === undefined ? {} : { version: resource.version };
  return [
    {
      namespace,
      pattern,
      ...schema,
      endpoints: [
        { methods: ['GET'], ...flags, ...list },
        ...(create === undefined ? [] : [{ methods: ['POST'] as const, ...flags, ...create }]),
      ],
    },
    {
      namespace,
      pattern: `${pattern}/(?P<id>[\\d]+)`,
      ...schema,
      ...version,
      endpoints: [
        { methods: ['GET'], ...flags, ...show },
        ...(update === undefined ? [] : [{ methods: ['POST', 'PUT', 'PATCH'] as const, ...flags, ...update }]),
        ...(remove === undefined ? [] : [{ methods: ['DELETE'] as const, ...flags, ...remove }]),
      ],
    },
  ];
}
