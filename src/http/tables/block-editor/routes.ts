import type { Session } from '#commands/session.ts';
import { navigation } from '#domain/entry/kinds.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import { may } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { collectionUrl } from '#site/addresses/items.ts';
import { methodsForEntry } from '#site/rights.ts';
import { asciiJson } from '#text/json.ts';
import type { Answer, Call, Route } from '../../engine/types.ts';
import { recordSchema } from '../records/field.ts';
import { exportRoute } from './export.ts';
import { type UrlDetailsParts, urlDetailsRoute } from './url-details.ts';

const namespace = 'cms-block-editor/v1';

/** The menu that is shown if none was chosen (interface behaviour, section 28). */
const navigationFallbackRoute: Route<Model, Session> = {
  namespace,
  pattern: `/${namespace}/navigation-fallback`,
  schema: () => recordSchema('navigation-fallback', { id: { type: 'integer', readonly: true } }),
  endpoints: [
    {
      methods: ['GET'],
      summary: 'Show the newest published menu',
      args: {},
      permission: mayAsk,
      query: (call) => answerOf(call, call.model.entry(call.model.find(newest).ids[0] ?? 0)),
      depends: () => ['entries', 'site'],
    },
  ],
};

const newest: CollectionQuery = {
  kind: navigation.name,
  statuses: [{ status: 'publish' }],
  orderBy: 'date',
  order: 'desc',
  offset: 0,
  limit: 1,
};

export function blockEditorRoutes(
  parts: UrlDetailsParts & { readonly settings: PluginSettings },
): readonly Route<Model, Session>[] {
  return [urlDetailsRoute(parts), exportRoute(parts.settings), navigationFallbackRoute];
}

function mayAsk({ viewer }: Call<Model>): Refusal | null {
  return may(viewer, navigation.rights.create)
    ? null
    : refuse('rest_cannot_create', 'Sorry, you are not allowed to create Navigation Menus as this user.');
}

function answerOf({ model, viewer }: Call<Model>, row: EntryRow | undefined): Answer | Refusal {
  if (row === undefined) return refuse('no_fallback_menu', 'No fallback menu found.');
  const href = `${collectionUrl(navigation, model)}/${row.id}`;
  const self = { href, embeddable: true, targetHints: { allow: methodsForEntry(viewer, row) } };
  const texts = { id: String(row.id), _links: asciiJson({ self: [self] }) };
  const record = { names: ['id', '_links'], json: (name: string) => texts[name as keyof typeof texts] ?? 'null' };
  return { body: { kind: 'record', record } };
}
