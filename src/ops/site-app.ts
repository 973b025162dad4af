import type { Session } from '#commands/session.ts';
import type { Config } from '#config.ts';
import { type App, type AppOptions, buildApp } from '#http/app/app.ts';
import { filesOf, hostOf, recencyOf } from '#http/app/host.ts';
import type { Visits } from '#http/audit/visit.ts';
import type { ReaderPool } from '#http/engine/pool.ts';
import { type Source, sourceOf } from '#http/feed/source.ts';
import type { AsOf } from '#http/pages/as-of.ts';
import type { FindFile } from '#http/server/files.ts';
import { lookUpOf } from '#http/server/origin.ts';
import { allRoutes, type RouteParts } from '#http/tables/all.ts';
import { startReleases } from '#http/tables/releases/due.ts';
import type { Uploads } from '#media/uploads.ts';
import { measureDirectory } from '#node/directory-sizes.ts';
import type { Node, Store } from '#node/node.ts';
import { createOutgoing, type Outgoing } from '#outgoing/fetch.ts';
import { createPoster } from '#outgoing/post.ts';
import type { Model } from '#projections/reading/model.ts';
import { followFeeds } from '#site/rendering/feeds.ts';
import { openThemeFonts } from './theme-fonts.ts';

type Options = AppOptions<Model, Session>;

/** What an application serves, and what it is served with. */
export interface SiteApp {
  readonly config: Config;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly host: Options['host'];
  readonly model: () => Model;
  readonly source: Source;
  readonly files: FindFile;
  readonly uploads: Uploads;
  /** Absent: nothing can be written, so there are no audit pages, no accounts and no forms. */
  readonly store?: Store;
  readonly asOf?: AsOf | undefined;
  readonly outgoing?: Outgoing | undefined;
  readonly mayReach?: ((address: string) => boolean) | undefined;
  readonly onFeeds?: RouteParts['onFeeds'];
  readonly sizes?: RouteParts['sizes'];
  /** What the process has that serves it: logger, origins, health; and limits other than the configured ones. */
  readonly served?: Partial<Options>;
}

/** The application of a site, as every part of this program serves it: a server, the past, the demo, the tests. */
export function siteApp(parts: SiteApp): App {
  return buildApp(appOptionsOf(parts));
}

export function appOptionsOf(parts: SiteApp): Options {
  const { config, store, model, files, asOf, clock, host, served = {} } = parts;
  return {
    ...limitsOf(config),
    host,
    routes: routesOf(parts),
    files,
    partials: parts.uploads.partials,
    pages: model,
    fonts: openThemeFonts(config.plugins.themes),
    asOf,
    clock,
    names: config.names,
    corsOrigins: config.corsOrigins,
    ...(store && { store, userNamed: (name) => model().userByName(name)?.id ?? 0 }),
    visitorComments: store !== undefined && config.visitorComments > 0,
    ...served,
  };
}

/** The routes of a site. */
export function routesOf(parts: Omit<SiteApp, 'host' | 'model'>): RouteList {
  const { config, store, source, clock, uploads, files, asOf, outgoing, mayReach, onFeeds, sizes, served } = parts;
  return allRoutes({
    clock,
    source,
    onFeeds,
    uploads,
    deployment: config.deployment,
    settings: config.plugins,
    compress: config.compress,
    approvals: config.releaseApprovals,
    names: config.names,
    files,
    ...(sizes === undefined ? {} : { sizes }),
    asOf,
    ...(outgoing === undefined ? {} : { outgoing }),
    ...(served?.crawler === undefined ? {} : { crawlers: served.crawler.states }),
    ...(store === undefined ? {} : writable(store, config, mayReach)),
    ...(store === undefined ? {} : { audit: { store, origins: lookUpOf(served?.origins) } }),
  });
}

type RouteList = ReturnType<typeof allRoutes>;

function writable(
  { uses, hooks, prove }: Store,
  config: Config,
  mayReach = createPoster({ networks: config.webhookNetworks }).mayReach,
): Pick<RouteParts, 'uses' | 'given' | 'visitorComments' | 'hooks' | 'prove'> {
  return { uses, prove, given: config.site, visitorComments: config.visitorComments, hooks: { ...hooks, mayReach } };
}

function limitsOf(config: Config) {
  const { bodyLimit, parameterLimit, bodiesLimit, cacheBytes, compress, publicCaching, guessLimit } = config;
  const { connections: connectionLimit, logRequests, slowRequest } = config;
  const limits = { bodyLimit, parameterLimit, bodiesLimit, bodyTimeout: config.bodyTimeout * 1000, connectionLimit };
  return { ...limits, cacheBytes, compress, publicCaching, guessLimit, logRequests, slowRequest };
}

export interface NodeApp extends Pick<SiteApp, 'outgoing' | 'mayReach' | 'onFeeds'> {
  /** Answers long reads; default: they are answered in this thread. */
  readonly pool?: ReaderPool & Visits;
  /** Default: the wall clock. */
  readonly clock?: () => number;
  readonly served?: Partial<Options>;
}

/** The application of a node that is written to. */
export function nodeApp(node: Node, config: Config, parts: NodeApp = {}): App {
  const { store } = node;
  const { clock = Date.now, outgoing = createOutgoing(), pool, served, ...others } = parts;
  const app = siteApp({
    config,
    clock,
    store,
    outgoing,
    ...others,
    uploads: store.uploads,
    sizes: measureDirectory(config.dataDir, clock),
    host: { ...hostOf(store, clock), pool, textLimit: config.textLimit },
    model: () => store.reader,
    source: sourceOf(store),
    files: filesOf(store, config.imageBytes === 0 ? null : { views: store.views, lengths: config.imageLengths }),
    served: {
      recency: recencyOf(node, config.positionWait),
      onFault: (error) => node.report(error),
      visits: pool,
      duties: (engine) =>
        startReleases({ engine, store, clock, names: config.names, onFault: (error) => node.report(error) }),
      ...served,
    },
  });
  app.addHook('onClose', followFeeds({ feeds: store.feeds, outgoing }));
  return app;
}
