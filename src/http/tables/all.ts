import type { Session } from '#commands/session.ts';
import { page, post } from '#domain/entry/kinds.ts';
import type { Model } from '#projections/model.ts';
import { indexRoutes } from '../engine/siteindex.ts';
import type { Route } from '../engine/types.ts';
import { batchRoutes } from './batch/routes.ts';
import { entryRoutes } from './entries/routes.ts';
import { siteFields } from './site.ts';
import { termRoutes } from './terms/routes.ts';
import { userRoutes } from './users/routes.ts';

/** Every route of the server, the index of them first. */
export function allRoutes(clock: () => number): readonly Route<Model, Session>[] {
  const content = [...batchRoutes(), ...entryRoutes(post), ...entryRoutes(page), ...termRoutes(), ...userRoutes()];
  const index = indexRoutes(content, {
    namespaces,
    site: (model) => siteFields(model, clock),
    base: (model) => `${model.site().url}/cms-json`,
  });
  return [...index, ...content];
}

const namespaces = ['oembed/1.0', 'cms/v2', 'cms-site-health/v1', 'cms-block-editor/v1'];
