import type { Viewer } from '#domain/user/roles.ts';
import type { HeaderNames } from './headers.ts';
import type { Table } from './table.ts';
import type { EngineHost } from './types.ts';

export interface Runtime<M, S extends M> {
  readonly host: EngineHost<M, S>;
  readonly table: Table<M, S>;
  readonly names: HeaderNames;
  /** Address of the route root without trailing slash: the current one, or that in a model. */
  readonly base: (model?: M) => string;
  /** Called for an exception that fails only a part of a response. */
  readonly onFault: (error: unknown, correlationId: string) => void;
}

export interface Asker {
  readonly viewer: Viewer;
  readonly correlationId: string;
}
