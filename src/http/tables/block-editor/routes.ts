import type { Session } from '#commands/session.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Route } from '../../engine/types.ts';
import { exportRoute } from './export/route.ts';
import { navigationFallbackRoute } from './navigation-fallback.ts';
import { type UrlDetailsParts, urlDetailsRoute } from './url-details/route.ts';

export function blockEditorRoutes(
  parts: UrlDetailsParts & { readonly settings: PluginSettings },
): readonly Route<Model, Session>[] {
  return [urlDetailsRoute(parts), exportRoute(parts.settings), navigationFallbackRoute];
}
