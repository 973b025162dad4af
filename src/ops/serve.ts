import { createServer as createProbe } from 'node:net';
import type { Logger } from 'pino';
import { likelyTypos } from '#config/likely-typos.ts';
import { type Config, readConfig, settings } from '#config.ts';
import { UnknownEvent } from '#domain/kernel/codec.ts';
import { isAnnounced, LogDamaged } from '#eventstore/port.ts';
import { Readiness } from '#node/readiness.ts';
import { openParts } from '#process/parts.ts';
import { reporterOf } from '#process/reporter.ts';
import { refuseToBeginAgain } from './backups/former-site.ts';
import { requireFolder } from './explain.ts';
import { createLogger } from './logger.ts';
import { serverParts } from './server/all.ts';
import { type Environment, type ServerParts, StopTime } from './server/parts.ts';
import { openThemeFonts } from './theme-fonts.ts';
import { version } from './version.ts';

export interface RunningServer {
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

const HIDDEN = '(hidden)';

/** Starts the server that an environment describes. Throws what keeps it from starting; nothing stays open then. */
export async function serve(env: Environment, parts = serverParts): Promise<RunningServer> {
  const started = Date.now();
  const config = await settle(readConfig(env), env);
  requireFolder(config.dataDir);
  await refuseToBeginAgain(config);
  // Unusable fonts are named before anything opens.
  openThemeFonts(config.plugins.themes);
  const logger = loggerOf(config, env);
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const reporter = reporterOf({
    fault(error) {
      if (isAnnounced(error)) return;
      // Its sentence is for the operator, who has to act.
      if (error instanceof LogDamaged) logger.error(error.message);
      else logger.error({ err: error }, 'background work failed');
      if (error instanceof UnknownEvent) fail(error);
    },
    warning: (message) => logger.warn(message),
    info: (message) => logger.info(message),
  });
  const readiness = new Readiness();
  readiness.hold('starting');
  await using scope = new AsyncDisposableStack();
  scope.defer(() => logger.info('stopped'));
  const stop = new StopTime(config.stopDelay + config.stopDeadline);
  const given = { config, env, logger, reporter, readiness, started, stop };
  const { node, metricsPort } = await openParts<ServerParts>(parts, given, scope);
  const end = scope.move();
  return {
    logger,
    url: node.store.reader.site().url,
    metricsPort,
    failed,
    longestStop: config.stopDelay + config.stopDeadline + 2000,
    close: () => end.disposeAsync(),
  };
}

function loggerOf(config: Config, env: Environment): Logger {
  const logger = createLogger({ level: config.logLevel, isTerminal: process.stdout.isTTY });
  for (const [name, meant] of likelyTypos(env, Object.keys(settings.shape)))
    logger.warn(`${name} is no setting; is ${meant} meant?`);
  logger.info({ version, settings: shownSettings({ ...env, PORT: String(config.port) }) }, 'starting');
  return logger;
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

/** The settings of an environment that differ from their defaults, for display: secrets are omitted. */
export function shownSettings(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const values = Object.entries(settings.shape).flatMap(([name, { def }]) => {
    const preset = 'defaultValue' in def ? String(def.defaultValue) : '';
    const value = env[name] || preset;
    return value === preset ? [] : [[name, withoutSecret(name, value)] as const];
  });
  return Object.fromEntries(values);
}

function withoutSecret(name: string, value: string): string {
  if (/_(SECRET|KEY)$/.test(name)) return HIDDEN;
  return name === 'EVENTSTORE_URL' ? value.replace(/\/\/[^@/]*@/, `//${HIDDEN}@`) : value;
}
