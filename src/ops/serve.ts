import { randomUUID } from 'node:crypto';
import { createServer as createProbe, isIP } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { addUser } from '#commands/users.ts';
import { likelyTypos } from '#config/likely-typos.ts';
import { UnknownEvent } from '#domain/kernel/codec.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { isAnnounced } from '#eventstore/port.ts';
import { buildApp } from '#http/app.ts';
import { sourceOf } from '#http/feed/source.ts';
import { filesOf, hostOf, recencyOf } from '#http/host.ts';
import { createConnections } from '#http/server/connections.ts';
import { createCrawler } from '#http/server/crawler.ts';
import { addressReader } from '#http/server/origin.ts';
import { listenWhileStarting } from '#http/server/starting.ts';
import { allRoutes } from '#http/tables/all.ts';
import { createImagePuller, startPulling } from '#http/tables/plugins/cache/pull-images.ts';
import { measureDirectory } from '#node/directory-sizes.ts';
import { startIdleWork } from '#node/idle-work.ts';
import type { Node } from '#node/node.ts';
import { openJournal } from '#node/origins.ts';
import { Readiness } from '#node/readiness.ts';
import { openSessionsFile } from '#node/sessions-file.ts';
import { createOutgoing } from '#outgoing/fetch.ts';
import { createPoster } from '#outgoing/post.ts';
import { inheritedSocket } from '#process/inherited-socket.ts';
import { interfaceUrl } from '#site/addresses/interface.ts';
import { type Config, readConfig, settings } from '../config.ts';
import { refuseToBeginAgain } from './backups/former-site.ts';
import { startBackups } from './backups/service.ts';
import { controlPath, listenControl } from './control.ts';
import { eraseControls } from './erase-orders.ts';
import { requireFolder } from './explain.ts';
import { hookStatusesOf } from './hook-statuses.ts';
import { createLogger } from './logger.ts';
import { healthOf } from './metrics/health.ts';
import { createMetrics } from './metrics/metrics.ts';
import { serveMetrics } from './metrics/serve.ts';
import { logNotable } from './notable.ts';
import { openNode } from './open-node.ts';
import { performOn } from './perform.ts';
import { rebuildControls } from './rebuild.ts';
import { sendToHooks } from './send-to-hooks.ts';
import { shownSettings } from './shown-settings.ts';
import { statusControl } from './status.ts';
import { openThemeFonts } from './theme-fonts.ts';
import { verbs } from './verbs.ts';
import { version } from './version.ts';

/** Limits prerendering to a twentieth of a processor, since nobody has requested those pages yet. */
const CRAWLER_RESTS = 19;

export interface Server {
  readonly logger: Logger;
  readonly url: string;
  /** Port of the metrics; null: not served. */
  readonly metricsPort: number | null;
  /** Rejects with the reason when the server cannot continue; it must still be closed. */
  readonly failed: Promise<never>;
  /** Maximum duration of `close` in milliseconds. */
  readonly longestStop: number;
  close(): Promise<void>;
}

export async function serve(env: Readonly<Record<string, string | undefined>>): Promise<Server> {
  const started = Date.now();
  const config = await settle(readConfig(env), env);
  requireFolder(config.dataDir);
  await refuseToBeginAgain(config);
  const fonts = openThemeFonts(config.plugins.themes);
  const logger = createLogger({ level: config.logLevel, isTerminal: process.stdout.isTTY });
  for (const [name, meant] of likelyTypos(env, Object.keys(settings.shape)))
    logger.warn(`${name} is no setting; is ${meant} meant?`);
  logger.info({ version, settings: shownSettings({ ...env, PORT: String(config.port) }) }, 'starting');
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const onFault = (error: unknown) => {
    if (isAnnounced(error)) return;
    logger.error({ err: error }, 'background work failed');
    if (error instanceof UnknownEvent) fail(error);
  };
  const metrics = config.metrics === null ? null : createMetrics();
  const meter = metrics === null ? {} : { meter: metrics };
  // Loaded only if enabled.
  const telemetry = config.telemetry ? (await import('./telemetry.ts')).createTelemetry() : null;
  const tracing = telemetry === null ? {} : { tracing: telemetry };
  const { outgoing: traced = same, poster: tracedPoster = same } = telemetry ?? {};
  const readiness = new Readiness();
  readiness.hold('starting');
  const onWarning = (message: string) => logger.warn(message);
  const onInfo = (message: string) => logger.info(message);
  const starting = await listenWhileStarting({
    ...config,
    socket: inheritedSocket(env, process.pid),
    health: { reasons: () => readiness.reasons },
    newId: randomUUID,
  });
  const onProgress = progress(logger, readiness);
  const node = await openNode(config, {
    onProgress,
    onFault,
    onWarning,
    onInfo,
    readiness,
    ...meter,
    ...tracing,
  }).catch((error: unknown) => {
    starting.close();
    throw error;
  });
  const backing = startBackups({ config, env, head: () => node.log.head().position, onInfo, onWarning });
  const hookFares = () => hookStatusesOf(node.store);
  metrics?.watch({ ...node, hookFares }, config.dataDir, backing);
  const { dataDir, originDays: days } = config;
  const journal = days === 0 ? undefined : openJournal({ dataDir, days, clock: Date.now, onError: onFault, onWarning });
  const connections = createConnections();
  const crawler =
    config.cacheBytes === 0
      ? undefined
      : createCrawler(
          () => node.store.reader,
          () => performance.now(),
        );
  metrics?.crawl(() => crawler?.states() ?? []);
  const health = healthOf({ ...node, hookFares }, backing);
  const poster = tracedPoster(createPoster({ networks: config.webhookNetworks }));
  const app = buildApp({
    host: hostOf(node.store, { outgoing: traced(createOutgoing()), clock: Date.now, ...meter }),
    routes: allRoutes({
      clock: Date.now,
      source: sourceOf(node.store),
      onFeeds: metrics?.feeds,
      uploads: node.store.uploads,
      uses: node.store.uses,
      deployment: config.deployment,
      settings: config.plugins,
      given: config.site,
      visitorComments: config.visitorComments,
      compress: config.compress,
      crawlers: () => crawler?.states() ?? [],
      names: config.names,
      files: filesOf(node.store),
      sizes: measureDirectory(config.dataDir, Date.now),
      outgoing: traced(createOutgoing()),
      hooks: { ...node.store.hooks, mayReach: poster.mayReach },
    }),
    files: filesOf(node.store),
    pages: () => node.store.reader,
    fonts,
    audit: node.store,
    accounts: node.store,
    visitorComments: config.visitorComments > 0,
    origins: { addressOf: addressReader(config.trustedProxies), ...journal },
    recency: recencyOf(node, config.positionWait),
    bodyLimit: config.bodyLimit,
    parameterLimit: config.parameterLimit,
    bodiesLimit: config.bodiesLimit,
    bodyTimeout: config.bodyTimeout * 1000,
    cacheBytes: config.cacheBytes,
    compress: config.compress,
    uses: node.store.uses,
    sessions: openSessionsFile(config.dataDir, onWarning),
    guessLimit: config.guessLimit,
    connectionLimit: config.connections,
    onDropped: metrics?.connectionDropped,
    corsOrigins: config.corsOrigins,
    names: config.names,
    logger,
    logRequests: config.logRequests,
    slowRequest: config.slowRequest,
    ...meter,
    ...tracing,
    health: crawler === undefined ? health : { ...health, crawlers: crawler.states },
    connections,
    crawler,
    onFault: (error) => node.report(error),
  });
  const about = statusControl(node, { since: new Date(started).toISOString(), health });
  const perform = performOn(
    node.store,
    [...verbs, ...rebuildControls, ...eraseControls, about],
    onFault,
    (verb, ended, ms) => {
      if (verb.isQuiet !== true) logger.info({ verb: verb.name, ended, ms }, 'command');
    },
  );
  const control = await listenControl(controlPath(config.dataDir), perform);
  const watched = metrics && config.metrics && (await serveMetrics(metrics, config.metrics));
  starting.handOver(app);
  await app.listen({ host: config.host, port: config.port });
  node.start(onFault);
  const stopHooks = config.webhooks
    ? sendToHooks({ store: node.store, poster, logger, onFault, meter: metrics })
    : null;
  const stopCrawling =
    crawler &&
    startIdleWork({
      ...{ work: crawler.step, isBusy: () => node.store.writes.waiting() > 0, onError: onFault },
      restsFor: CRAWLER_RESTS,
    });
  const pulling = {
    uploads: node.store.uploads,
    outgoing: traced(createOutgoing()),
    hosts: config.plugins.optimiserHosts,
  };
  const model = () => node.store.reader;
  const stopPulling = startPulling(
    createImagePuller({ ...pulling, model, submit: (context, work) => node.store.submit(context, work) }),
    { model, changed: (listener) => node.store.changed(listener), onFault },
  );
  const stopNotable = logNotable({ log: node.log, store: node.store, logger, onFault });
  await greet(node, config);
  logger.info({ position: node.store.reader.position }, 'started');
  readiness.release('starting');
  return {
    logger,
    url: node.store.reader.site().url,
    metricsPort: watched?.port ?? null,
    failed,
    longestStop: config.stopDelay + config.stopDeadline + 2000,
    async close() {
      const until = performance.now() + config.stopDelay + config.stopDeadline;
      logger.info('stopping');
      readiness.hold('stopping');
      connections.close();
      await wait(config.stopDelay);
      await connections.quiet();
      const deadline = setTimeout(connections.end, config.stopDeadline);
      await app.close();
      clearTimeout(deadline);
      await control.close();
      await watched?.close();
      journal?.close();
      stopHooks?.();
      poster.close();
      stopNotable();
      await backing?.close(until - performance.now());
      stopCrawling?.();
      stopPulling();
      await node.close();
      logger.info('stopped');
    },
  };
}

/** A free port is chosen first, because the site's address contains it. */
async function settle(config: Config, env: Readonly<Record<string, string | undefined>>): Promise<Config> {
  if (config.port !== 0) return config;
  const port = await freePort(config.host);
  return env['SITE_URL'] ? { ...config, port } : readConfig({ ...env, PORT: String(port) });
}

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createProbe();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function greet({ store, changedSettings }: Node, { host, port, dataDir }: Config): Promise<void> {
  const site = store.reader.site();
  const lines = [
    `Palimpsest ${version} listens on http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
    `  site       ${site.url}/`,
    `  interface  ${interfaceUrl(site)}/`,
    `  docs       ${interfaceUrl(site)}/docs/`,
    `  audit      ${site.url}/cms-audit/`,
    `  data       ${resolve(dataDir)}`,
  ];
  if (store.reader.users().length === 0) {
    const context = { viewer: null, correlationId: 'start' };
    const { value } = await store.submit(context, (session) =>
      // Another node may have created it meanwhile.
      session.users().length === 0 ? addUser(session, { login: 'admin', role: 'administrator' }) : null,
    );
    if (isRefusal(value)) throw new Error(value.message);
    if (value !== null) {
      lines.push(
        `  first user ${value.username}`,
        `  password   ${value.password}   (application password; shown only now)`,
        '  next       log in at the audit pages with it, or follow “Five minutes” in the README',
      );
    }
  }
  for (const { name, was, is } of changedSettings) {
    lines.push(`  ${variables[name]}: was ${was || 'empty'}, is ${is || 'empty'}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

const variables: Readonly<Record<string, string>> = {
  url: 'SITE_URL',
  name: 'SITE_NAME',
  description: 'SITE_DESCRIPTION',
  timezone: 'SITE_TIMEZONE',
  templates: 'PAGE_TEMPLATES',
  menuLocations: 'MENU_LOCATIONS',
};

function progress(logger: Logger, readiness: Readiness): (position: number, head: number) => void {
  let last = performance.now();
  return (position, head) => {
    if (readiness.reasons.some(({ code }) => code === 'starting')) {
      readiness.hold('starting', `it starts: the projections are at position ${position} of ${head}`);
    }
    if (performance.now() - last < 1000) return;
    last = performance.now();
    logger.info({ position, head }, 'catching up with the log');
  };
}

function same<T>(value: T): T {
  return value;
}
