import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { LimitedWrites } from '#commands/write-limit.ts';
import type { WriteMeter } from '#commands/writer.ts';
import type { AnswerSource, RequestMeter } from '#http/server/tracing.ts';
import type { Erasing } from '#node/erasure/erasing.ts';
import type { Integrity } from '#node/integrity.ts';
import type { Rebuilding } from '#node/rebuild/rebuilding.ts';
import type { Transparency } from '#node/tree/transparency.ts';
import type { CrawlerState } from '#plugin/server.ts';
import { createServer } from '#process/node-http.ts';
import { furthest, type HookStatus, isTroubled, longestFailing } from '../hook-statuses.ts';
import { version } from '../version.ts';
import { Durations } from './durations.ts';
import { type LogReach, lagOf } from './health.ts';
import { type MetricReading, placeReadings } from './place.ts';

export interface Metrics extends Required<RequestMeter>, WriteMeter {
  watch(
    node: LogReach & {
      readonly store: {
        readonly rebuilding: Rebuilding;
        readonly erasing: Pick<Erasing, 'pending'>;
        readonly writes: Pick<LimitedWrites, 'waiting' | 'turnedAway'>;
        readonly transparency: Pick<Transparency, 'signed'>;
      };
      /** State of the hooks. Default: none. */
      readonly webhookStatuses?: () => readonly HookStatus[];
      readonly integrity: Pick<Integrity, 'found'>;
    },
    dataDir: string,
    shipping?: Shipping | null,
  ): void;
  /** Reports the number of open feed connections whenever it changes. */
  feeds(open: number): void;
  connectionDropped(count?: number): void;
  /** Reports the outcome of each message to a hook. */
  hook(outcome: 'taken' | 'failed', changes: number): void;
  crawl(states: () => readonly CrawlerState[]): void;
  /** `live`: the number of reader threads that take connections. */
  readers(live: () => number): void;
  readonly contentType: string;
  text(): Promise<string>;
}

interface Shipping {
  readonly shipped: number;
  lag(): number;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const meters = { ...requestMeter(registry), ...writeMeter(registry) };
  addBuildInfo(registry);
  return {
    ...meters,
    ...connectionMeter(registry),
    ...hookMeter(registry),
    contentType: registry.contentType,
    text: () => registry.metrics(),
    crawl: (states) => addCrawled(registry, states),
    readers: (live) => addReading(registry, ['readers', 'Reader threads that take connections.', live]),
    watch(node, dataDir, shipping = null) {
      const readings = [...gauges(node), ...placeReadings(dataDir), ...shippingReadings(shipping)];
      for (const reading of readings) addReading(registry, reading);
    },
  };
}

function requestMeter(registry: Registry): Required<RequestMeter> {
  const registers = [registry];
  const durations = new Durations();
  // The registry only needs the metric's name and its values.
  registry.registerMetric(durations as unknown as Metric);
  const reads: Record<AnswerSource, number> = { kept: 0, ready: 0, made: 0, thread: 0 };
  new Counter({
    name: 'palimpsest_reads_total',
    help: 'Reads of the interface by where their answer came from: kept in memory, ready in the projections, made, or made in the reader thread.',
    labelNames: ['source'],
    registers,
    collect() {
      this.reset();
      for (const [source, count] of Object.entries(reads)) this.inc({ source }, count);
    },
  });
  const caches = new Map<string, () => number>();
  new Gauge({
    name: 'palimpsest_cache_bytes',
    help: 'Approximate size of the cache that CACHE_BYTES limits.',
    labelNames: ['cache'],
    registers,
    collect() {
      for (const [cache, bytes] of caches) this.set({ cache }, bytes());
    },
  });
  const attempts = new Counter({
    name: 'palimpsest_password_attempts_total',
    help: 'Passwords of accounts and of protected posts that were wrong, and those not looked at because too many were.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  return {
    request: (route, method, status, ms) => durations.note(route, method, status, ms),
    read(source, count = 1) {
      reads[source] += count;
    },
    attempt: (kind, outcome) => attempts.inc({ kind, outcome }),
    cache: (name, bytes) => void caches.set(name, bytes),
  };
}

function writeMeter(registry: Registry): WriteMeter {
  const registers = [registry];
  const groups = new Histogram({
    name: 'palimpsest_commit_group_size',
    help: 'Writes that shared one append; their count is that of the appends.',
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers,
  });
  const commits = new Counter({
    name: 'palimpsest_commits_total',
    help: 'Writes that were committed, those that changed nothing among them.',
    registers,
  });
  const events = new Counter({ name: 'palimpsest_events_total', help: 'Events appended by this node.', registers });
  const conflicts = new Counter({
    name: 'palimpsest_conflicts_total',
    help: 'Groups of writes that were decided again because another node was faster.',
    registers,
  });
  return {
    group(works, count) {
      groups.observe(works);
      commits.inc(works);
      events.inc(count);
    },
    conflict: () => conflicts.inc(),
  };
}

function addBuildInfo(registry: Registry): void {
  new Gauge({
    name: 'palimpsest_build_info',
    help: 'Always 1; the labels tell which program this is.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.versions.node }, 1);
}

function connectionMeter(registry: Registry): Pick<Metrics, 'connectionDropped' | 'feeds'> {
  const registers = [registry];
  const dropped = new Counter({
    name: 'palimpsest_connections_dropped_total',
    help: 'Connections closed at once because as many were open as CONNECTIONS allows.',
    registers,
  });
  const feeds = new Gauge({
    name: 'palimpsest_feeds_open',
    help: 'Answers of the live feed that are open.',
    registers,
  });
  return { connectionDropped: (count = 1) => dropped.inc(count), feeds: (open) => feeds.set(open) };
}

function hookMeter(registry: Registry): Pick<Metrics, 'hook'> {
  const registers = [registry];
  const messages = new Counter({
    name: 'palimpsest_webhook_messages_total',
    help: 'Messages to hooks by how they ended.',
    labelNames: ['outcome'],
    registers,
  });
  const delivered = new Counter({
    name: 'palimpsest_webhook_changes_total',
    help: 'Changes in messages that hooks have taken.',
    registers,
  });
  return {
    hook(outcome, changes) {
      messages.inc({ outcome });
      delivered.inc(changes);
    },
  };
}

function addCrawled(registry: Registry, states: () => readonly CrawlerState[]): void {
  new Gauge({
    name: 'palimpsest_crawled',
    help: 'Pages and answers that crawlers made ahead since the start; none are added while their crawler is paused.',
    labelNames: ['crawler'],
    registers: [registry],
    collect() {
      for (const { name, made } of states()) this.set({ crawler: name }, made);
    },
  });
}

function addReading(registry: Registry, [name, help, value]: MetricReading): void {
  new Gauge({
    name: `palimpsest_${name}`,
    help,
    registers: [registry],
    async collect() {
      this.set(await value());
    },
  });
}

function shippingReadings(shipping: Shipping | null): readonly MetricReading[] {
  return [
    [
      'backup_shipped_position',
      'Position up to which the log was shipped; 0: it is not.',
      () => shipping?.shipped ?? 0,
    ],
    ['backup_lag_seconds', 'Time for which something is acknowledged and not shipped.', () => shipping?.lag() ?? 0],
  ];
}

type Watched = Parameters<Metrics['watch']>[0];

function gauges(node: Watched): readonly MetricReading[] {
  const { log, store, replica } = node;
  const { rebuilding } = store;
  const { webhookStatuses: statuses = () => [] } = node;
  const { found } = node.integrity;
  const differing = () => rebuilding.state.ended?.differences?.length ?? 0;
  return [
    ['log_position', "Position of the log's last event that this node has.", () => log.head().position],
    ['read_position', 'Position of the log that reads show.', () => store.reader.position],
    ['replica_lag_events', 'Events that the log is known to have and reads do not show.', () => lagOf(node)],
    ['replica_age_seconds', 'Time since reads were last known to show all.', () => (replica?.ageMs ?? 0) / 1000],
    [
      'subscription_ends',
      'Subscriptions to the event store that ended and began again.',
      () => replica?.resubscriptions ?? 0,
    ],
    ['writes_waiting', 'Writes of requests that wait or are under way.', store.writes.waiting],
    ['writes_turned_away', 'Writes that were answered 503 because too many waited.', store.writes.turnedAway],
    ['erasures_pending', 'Orders to erase that are not carried out yet.', () => store.erasing.pending],
    [
      'webhooks_troubled',
      'Hooks that fail, or were stopped because they did.',
      () => statuses().filter(isTroubled).length,
    ],
    [
      'webhook_failing_seconds',
      'For how long the hook has failed that fails longest.',
      () => longestFailing(statuses()),
    ],
    [
      'webhook_lag_events',
      'Events that the hook that is furthest behind has not been told of.',
      () => furthest(statuses()),
    ],
    ['log_connected', '1 while the log takes writes, as far as is known.', () => Number(replica?.connected ?? true)],
    ['signed_position', 'Position up to which the log is signed.', () => store.transparency.signed()?.size ?? 0],
    [
      'signed_timestamp_seconds',
      'When the latest checkpoint of the log was signed; 0: never.',
      () => Date.parse(store.transparency.signed()?.at ?? '1970-01-01T00:00:00Z') / 1000,
    ],
    [
      'checkpoint_cosignatures_missing',
      'Organisations that have not cosigned the latest checkpoint.',
      () => store.transparency.signed()?.missing.length ?? 0,
    ],
    ['damaged_rows_found', 'Rows of the tables that were found damaged since the start.', () => found.rows],
    ['damaged_answers_found', 'Answers kept ready that were found damaged since the start.', () => found.answers],
    ['damaged_files_found', 'Uploaded files that were found damaged since the start.', () => found.files],
    ['rebuild_running', '1 while projections are made anew.', () => Number(rebuilding.state.task !== null)],
    ['rebuild_done', 'How far the task under way has come.', () => rebuilding.state.task?.done ?? 0],
    ['rebuild_total', 'How far it has to go; 0 where that is not known.', () => rebuilding.state.task?.total ?? 0],
    ['rebuild_last_seconds', 'How long the last rebuild took.', () => rebuilding.state.ended?.seconds ?? 0],
    ['rebuild_last_differing_tables', 'Tables that the last rebuild found to differ from the log.', differing],
  ];
}

/** Serves metrics at `/metrics` on a separate address, so that access can be restricted by network. */
export function serveMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(async ({ url, method }, response) => {
    if (url?.split('?')[0] !== '/metrics' || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await metrics.text();
      response.writeHead(200, { 'content-type': metrics.contentType }).end(method === 'HEAD' ? undefined : text);
    } catch {
      // A gauge could not be read because of the log or the projections; `/health/ready` explains it.
      response.writeHead(503).end();
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(Object.assign(error, { setting: 'METRICS_PORT' })));
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      const address = server.address();
      resolve({
        port: address !== null && typeof address === 'object' ? address.port : port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}
