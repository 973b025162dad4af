import { defaultSettings } from '#catalogue/plugin-settings.ts';
import type { Session } from '#commands/session.ts';
import { type EntryKind, entryKinds, menuItem, page, post, product } from '#domain/entry/kinds.ts';
import { extensions, hasShop } from '#domain/extensions/area.ts';
import { refuse } from '#domain/kernel/refusal.ts';
import type { Deployment } from '#domain/plugins/deployment.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import { defaultNames, type InterfaceNames, namespaceName } from '#domain/site/interface-names.ts';
import type { GivenSettings } from '#domain/site/state.ts';
import type { PasswordUses } from '#domain/user/state.ts';
import type { Uploads } from '#media/uploads.ts';
import { createOutgoing, type Outgoing } from '#outgoing/fetch.ts';
import type { CrawlerState } from '#plugin/server.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, interfaceUrl } from '#site/addresses/interface.ts';
import type { AuditSource, MakeProof } from '../audit/store.ts';
import type { Route } from '../engine/types.ts';
import { changesRoutes } from '../feed/routes.ts';
import type { Source } from '../feed/source.ts';
import { documentationRoutes } from '../openapi/routes.ts';
import { type AsOf, asOfFields, pageAsOf } from '../pages/as-of.ts';
import type { FindFile } from '../server/files.ts';
import { absentRoutes } from './absent/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { autosaveRoutes } from './autosaves/routes.ts';
import { batchRoutes } from './batch/routes.ts';
import { blockEditorRoutes } from './block-editor/routes.ts';
import { blockPatternRoutes } from './block-patterns/routes.ts';
import { blockRendererRoutes } from './block-renderer/routes.ts';
import { blockTypeRoutes } from './block-types/routes.ts';
import { commentRoutes } from './comments/routes.ts';
import { entryRoutes } from './entries/routes.ts';
import { globalStyleRoutes } from './global-styles/routes.ts';
import { iconRoutes } from './icons/routes.ts';
import { imageAddressRoute } from './media/addressing.ts';
import { mediaRoutes } from './media/routes.ts';
import { menuItemRoutes } from './menu-items/routes.ts';
import { menuLocationRoutes } from './menu-locations/routes.ts';
import { namespacesIn } from './namespaces.ts';
import { oembedRoutes } from './oembed/routes.ts';
import { pluginListRoutes } from './plugin-list/routes.ts';
import type { HookParts, Namespace, PluginParts } from './plugins/kit/namespace.ts';
import { previewRoutes } from './previews/routes.ts';
import { proofRoutes } from './proofs/routes.ts';
import { releaseRoutes } from './releases/routes.ts';
import { resolveRoutes } from './resolve/routes.ts';
import { historyRoutes, revisionRoutes } from './revisions/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { settingRoutes } from './settings/routes.ts';
import { siteFields } from './site.ts';
import { type MeasureSizes, siteHealthRoutes } from './site-health/routes.ts';
import { indexRoutes } from './site-index.ts';
import { statusRoutes } from './statuses/routes.ts';
import { stylesheetRoutes } from './stylesheet/routes.ts';
import { taxonomyRoutes } from './taxonomies/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { termRoutes } from './terms/routes.ts';
import { themeRoutes } from './themes/routes.ts';
import { typeRoutes } from './types/routes.ts';
import { undoRoutes } from './undo/routes.ts';
import { userRoutes } from './users/routes.ts';

/** What routes depend on besides the read model. */
export interface RouteParts {
  readonly clock: () => number;
  readonly source: Source;
  /** Called with the number of open live feeds whenever it changes. */
  readonly onFeeds?: ((open: number) => void) | undefined;
  readonly uploads: Uploads;
  /** Last uses of application passwords; absent: unknown. */
  readonly uses?: Pick<PasswordUses, 'of'>;
  /** Determines the plugin namespaces. Default: the first deployment. */
  readonly deployment?: Deployment;
  readonly settings?: PluginSettings;
  /** Settings of the site given when the server starts. Default: none. */
  readonly given?: GivenSettings;
  /** Comments that visitors without an account may write within a quarter of an hour, per network. Default: none. */
  readonly visitorComments?: number;
  /** Whether responses are compressed. Default: yes. */
  readonly compress?: boolean;
  /** State of the crawlers. Default: there are none. */
  readonly crawlers?: () => readonly CrawlerState[];
  /** Set if a past state of the site is served. */
  readonly asOf?: AsOf | undefined;
  /** Names of the interface. Default: those of the documentation. */
  readonly names?: InterfaceNames;
  /** Finds uploaded files; absent: there are none. */
  readonly files?: FindFile;
  /** Measures the disk usage of the site; absent: unknown. */
  readonly sizes?: MeasureSizes;
  readonly outgoing?: Outgoing;
  /** Absent: nothing can be proved. */
  readonly prove?: MakeProof;
  /** What the audit is answered from; absent: there is none. */
  readonly audit?: AuditSource;
  /** Number of approvals that a release needs. Default: none. */
  readonly approvals?: number;
  /** State of the hooks. Default: unknown. */
  readonly hooks?: HookParts;
}

/** Kinds whose entries have collection, item, revisions and autosaves. */
const usualKinds = entryKinds.filter((kind) => kind !== menuItem);

const noCrawlers = () => [];
const noFiles = () => null;
const noProofs = () => refuse('proof_not_found', 'Nothing can be proved here.');
const notMeasured = async () => null;

export function allRoutes(parts: RouteParts): readonly Route<Model, Session>[] {
  const { clock, source, names = defaultNames, asOf } = parts;
  const own = pluginParts(parts);
  const plugins = namespacesIn(own.deployment);
  const named = (route: Route<Model, Session>) => routeNamed(route, names);
  const listed = listedRoutes(parts, own, plugins);
  const base = (model: Model) => interfaceUrl(model.site());
  const site = (model: Model) => ({ ...siteFields(model, clock), ...(asOf && asOfFields(asOf)) });
  const served = servedNamespaces(plugins).map((name) => namespaceName(names, name));
  const index = openTo('reads', indexRoutes(listed.map(named), { namespaces: served, site, base }));
  // Additions of this server, which the index of the interface does not list.
  const all = [
    ...index,
    ...[
      ...listed,
      ...usualKinds.flatMap((kind) => available(kind, historyRoutes(kind))),
      ...proofRoutes([post, page], parts.prove ?? noProofs),
      ...(parts.audit === undefined
        ? []
        : [
            ...auditRoutes(parts.audit),
            ...openTo('all', undoRoutes(parts.audit)),
            ...releaseRoutes({ approvals: parts.approvals ?? 0 }),
            ...previewRoutes(clock),
          ]),
      imageAddressRoute,
      ...openTo('reads', changesRoutes(source, { onFeeds: parts.onFeeds, clock })),
      ...plugins.flatMap(({ additions }) => additions?.(own) ?? []),
    ].map(named),
  ];
  const title = (model: Model) => model.site().name;
  const finish = (page: string) => (asOf === undefined ? page : pageAsOf([page], asOf).join(''));
  return [
    ...all,
    ...documentationRoutes(all, {
      title,
      base,
      first: namespaceName(names, CONTENT),
      headerPrefix: names.headers,
      finish,
      depends: ['site', 'plugins'],
    }),
  ];
}

function pluginParts(parts: RouteParts): PluginParts {
  const { deployment = 'A', settings = defaultSettings, uploads, clock, uses = { of: () => null } } = parts;
  const { hooks = null, compress = true, crawlers = noCrawlers } = parts;
  return { deployment, settings, uploads, clock, uses, hooks, compress, crawlers };
}

/** The routes that the index lists, in its order. */
function listedRoutes(
  parts: RouteParts,
  own: PluginParts,
  plugins: readonly Namespace[],
): readonly Route<Model, Session>[] {
  const { outgoing = createOutgoing() } = parts;
  const { deployment, settings, uploads, clock, uses } = own;
  return [
    ...oembedRoutes(outgoing, clock),
    ...plugins.flatMap(({ routes }) => routes?.(own) ?? []),
    ...batchRoutes(),
    ...usualKinds.flatMap((kind) => available(kind, routesOf(kind))),
    ...openTo('reads', [...mediaRoutes(uploads), ...typeRoutes(), ...statusRoutes()]),
    ...openTo('reads', [...taxonomyRoutes(), ...termRoutes()]),
    ...menuItemRoutes(),
    ...menuLocationRoutes(),
    ...userRoutes(uses),
    ...commentRoutes({ limit: parts.visitorComments ?? 0 }),
    ...blockRendererRoutes(),
    ...blockEditorRoutes({ outgoing, clock, files: parts.files ?? noFiles, settings }),
    ...siteHealthRoutes(parts.sizes ?? notMeasured),
    ...settingRoutes(parts.given ?? {}),
    ...openTo('reads', searchRoutes()),
    ...openTo('reads', [...resolveRoutes(), ...stylesheetRoutes()]),
    ...themeRoutes(settings),
    ...templateRoutes(settings),
    ...globalStyleRoutes(settings),
    ...blockTypeRoutes(),
    ...blockPatternRoutes(),
    ...iconRoutes(),
    ...absentRoutes(),
    ...pluginListRoutes(deployment),
  ];
}

/** The namespaces that the index lists, in its order. */
function servedNamespaces(plugins: readonly Namespace[]): readonly string[] {
  return [
    'oembed/1.0',
    ...plugins.flatMap(({ name, routes }) => (routes === undefined ? [] : name)),
    CONTENT,
    'cms-site-health/v1',
    'cms-block-editor/v1',
  ];
}

function routesOf(kind: EntryKind): readonly Route<Model, Session>[] {
  return [...entryRoutes(kind), ...revisionRoutes(kind), ...autosaveRoutes(kind)];
}

function routeNamed(route: Route<Model, Session>, names: InterfaceNames): Route<Model, Session> {
  const namespace = namespaceName(names, route.namespace);
  const pattern = route.pattern.replace(`/${route.namespace}`, `/${namespace}`);
  return namespace === route.namespace ? route : { ...route, namespace, pattern };
}

function openTo(tokens: 'reads' | 'all', routes: readonly Route<Model, Session>[]): readonly Route<Model, Session>[] {
  return routes.map((route) => ({ ...route, tokens }));
}

function available(kind: EntryKind, routes: readonly Route<Model, Session>[]): readonly Route<Model, Session>[] {
  if (kind === post || kind === page) return openTo('all', routes);
  if (kind !== product) return routes;
  return routes.map((route) => ({ ...route, present: (model: Model) => hasShop(model.plugin(extensions)) }));
}
