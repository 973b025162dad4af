import type { Session } from '#commands/session.ts';
import type { Model } from '#projections/model.ts';
import type { Route } from '../../engine/types.ts';
import { navigationFallbackRoute } from './navigation-fallback.ts';

/** What editors ask for that is no content of the site. */
export function blockEditorRoutes(): readonly Route<Model, Session>[] {
  return [navigationFallbackRoute];
}
