import type { Session } from '#commands/session.ts';
import type { Deployment } from '#domain/plugins/deployment.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Uploads } from '#media/uploads.ts';
import type { Model } from '#projections/model.ts';
import type { Route } from '../../../engine/types.ts';

/** What routes of plugins need besides the read model. */
export interface PluginParts {
  readonly deployment: Deployment;
  readonly settings: PluginSettings;
  readonly uploads: Uploads;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** A namespace of routes, as the index names it. */
export interface Namespace {
  readonly name: string;
  /** Deployments that have it; absent: all. */
  readonly deployments?: readonly Deployment[];
  /** Absent: it is beyond the interface altogether. */
  readonly routes?: (parts: PluginParts) => readonly Route<Model, Session>[];
  /** Further routes, beyond the interface, which the index does not list. */
  readonly additions?: (parts: PluginParts) => readonly Route<Model, Session>[];
}
