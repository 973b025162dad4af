import { setTimeout as wait } from 'node:timers/promises';
import { createConnections } from '#http/server/connections.ts';
import { createCrawler } from '#http/server/crawler.ts';
import { addressReader } from '#http/server/origin.ts';
import { openSessionsFile } from '#node/sessions-file.ts';
import { createOutgoing, type Outgoing } from '#outgoing/fetch.ts';
import { createPoster } from '#outgoing/post.ts';
import { hookStatusesOf } from '../hook-statuses.ts';
import { healthOf } from '../metrics/health.ts';
import { ReaderThreads } from '../readers/pool.ts';
import { nodeApp } from '../site-app.ts';
import { definePart, type ServerParts } from './parts.ts';

export const connections = definePart({ name: 'connections', needs: [], open: () => createConnections() });

/** Makes answers ahead of requests; undefined where none are cached. */
export const crawler = definePart({
  name: 'crawler',
  needs: ['config', 'node'],
  open({ config, node }) {
    if (config.cacheBytes === 0) return undefined;
    return createCrawler(
      () => node.store.reader,
      () => performance.now(),
    );
  },
});

export const poster = definePart({
  name: 'poster',
  needs: ['config', 'telemetry'],
  open({ config, telemetry }, scope) {
    const opened = createPoster({ networks: config.webhookNetworks });
    scope.defer(() => opened.close());
    return telemetry === null ? opened : telemetry.poster(opened);
  },
});

export const health = definePart({
  name: 'health',
  needs: ['config', 'node', 'metrics', 'backups', 'crawler'],
  open({ config, node, metrics, backups, crawler: ahead }) {
    const watched = { ...node, webhookStatuses: () => hookStatusesOf(node.store) };
    metrics?.watch(watched, config.dataDir, backups);
    metrics?.crawl(() => ahead?.states() ?? []);
    const state = healthOf(watched, backups);
    return ahead === undefined ? state : { ...state, crawlers: ahead.states };
  },
});

/** Threads that answer long reads, and with `READERS` share the port. */
export const readers = definePart({
  name: 'readers',
  needs: ['config', 'env', 'reporter', 'metrics', 'node'],
  open({ config, env, reporter, metrics, node }, scope) {
    const threads = new ReaderThreads({ env, onFault: reporter.fault, count: config.readers, meter: metrics });
    if (config.readers > 0) metrics?.readers(() => threads.live);
    scope.defer(() => threads.close());
    scope.defer(node.store.changed((published) => threads.publish(published)));
    return threads;
  },
});

export const app = definePart({
  name: 'app',
  needs: [
    ...(['config', 'logger', 'reporter', 'node', 'metrics', 'telemetry', 'journal', 'connections'] as const),
    ...(['crawler', 'poster', 'health', 'readers'] as const),
  ],
  open(parts, scope) {
    const { config, logger, reporter, node, metrics, telemetry, journal } = parts;
    const built = nodeApp(node, config, {
      outgoing: outgoingOf(parts),
      pool: parts.readers,
      mayReach: parts.poster.mayReach,
      onFeeds: metrics?.feeds,
      served: {
        logger,
        origins: { addressOf: addressReader(config.trustedProxies), ...journal },
        sessions: openSessionsFile(config.dataDir, reporter),
        health: parts.health,
        connections: parts.connections,
        crawler: parts.crawler,
        onDropped: metrics?.connectionDropped,
        ...(metrics === null ? {} : { meter: metrics }),
        ...(telemetry === null ? {} : { tracing: telemetry }),
      },
    });
    scope.defer(async () => {
      const deadline = setTimeout(parts.connections.end, config.stopDeadline);
      await built.close();
      clearTimeout(deadline);
    });
    return built;
  },
});

/** Takes the port over. At the end, clients are told first, and get time to go. */
export const listening = definePart({
  name: 'listening',
  needs: ['config', 'logger', 'readiness', 'stop', 'starting', 'app', 'connections', 'readers'],
  async open({ config, logger, readiness, stop, starting, app: built, connections: open, readers: threads }, scope) {
    starting.handOver(built);
    if (config.readers > 0) threads.share({ server: built.server, connectionLimit: config.connections });
    await built.listen({ host: config.host, port: config.port });
    threads.listen();
    scope.defer(async () => {
      logger.info('stopping');
      stop.begin();
      readiness.hold('stopping');
      open.close();
      threads.stopping();
      await wait(config.stopDelay);
      await open.quiet();
      // The application answers what they hand over, so they end before it.
      await threads.close(config.stopDeadline + 1000);
    });
    return undefined;
  },
});

export function outgoingOf({ telemetry }: Pick<ServerParts, 'telemetry'>): Outgoing {
  return telemetry === null ? createOutgoing() : telemetry.outgoing(createOutgoing());
}
