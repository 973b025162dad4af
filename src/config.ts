import { z } from 'zod';
import { allPluginSettings, pluginSecrets, secretsOf } from '#catalogue/plugin-settings.ts';
import { type BackupConfig, backupSettings, backupsIn, storeAddress } from '#config/backups.ts';
import { cachingIn, cachingSettings } from '#config/caching.ts';
import { type CheckpointConfig, checkpointSettings, checkpointsIn } from '#config/checkpoints.ts';
import { type ImageConfig, imageSettings, imagesIn } from '#config/images.ts';
import { type ReleaseConfig, releaseSettings, releasesIn } from '#config/releases.ts';
import { type Deployment, deployments } from '#domain/plugins/deployment.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import { type InterfaceNames, interfaceNames } from '#domain/site/interface-names.ts';
import { addressFault } from '#eventstore/eventstoredb/address.ts';
import { parseAddress } from '#objects/address.ts';
import {
  bytes,
  credential,
  faultWithin,
  isAbsent,
  isSameHost,
  isSiteUrl,
  isTimezone,
  items,
  jsonIn,
  jsonOrFile,
  localPath,
  origins,
  secret,
  wholeNumber,
  withoutSlash,
} from './config/values.ts';

/** Settings of a process. All come from environment variables; an empty one counts as unset. */
export interface Config extends ReleaseConfig<InterfaceNames>, ImageConfig {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly dataDir: string;
  /** Address of the store for uploaded files; null: a folder in `dataDir`. */
  readonly mediaUrl: string | null;
  /** Automatic backups; null: none. */
  readonly backups: BackupConfig | null;
  /** Encryption key of backups; null: not encrypted. */
  readonly backupKey: Buffer | null;
  /** Settings given for the site; the log supplies the others. */
  readonly site: SiteGiven;
  /** The server's own address from host and port; without a port if that is 0. */
  readonly ownUrl: string;
  readonly deployment: Deployment;
  readonly plugins: PluginSettings;
  /** Address of the server or cluster with the log; null: a file in `dataDir`. */
  readonly eventStoreUrl: string | null;
  readonly eventStoreSite: string;
  /** Maximum size of one append to the event store, in bytes. */
  readonly eventStoreAppendBytes: number;
  /** How long a request waits for the position that it names, in milliseconds. */
  readonly positionWait: number;
  /** Milliseconds for which writes wait for an event store that was lost. */
  readonly storeWait: number;
  /** Maximum sudden lead of the clock over a monotonic one, in milliseconds. */
  readonly clockTolerance: number;
  /** How long a stopping server still accepts connections, in milliseconds. */
  readonly stopDelay: number;
  /** Time after `stopDelay` in which requests must arrive and be answered, in milliseconds. */
  readonly stopDeadline: number;
  readonly logLevel: (typeof logLevels)[number];
  readonly logRequests: (typeof loggedRequests)[number];
  /** Duration from which a request is logged as slow, in milliseconds. */
  readonly slowRequest: number;
  /** Maximum size of a request body, in bytes. */
  readonly bodyLimit: number;
  /** Maximum size of a text in a write, in bytes. */
  readonly textLimit: number;
  /** Maximum size of the parameters of a GET, and of any unauthenticated request, in bytes. */
  readonly parameterLimit: number;
  /** Maximum total size of bodies in memory, in bytes. */
  readonly bodiesLimit: number;
  /** Time in which a body without files must arrive, in seconds. */
  readonly bodyTimeout: number;
  /** Maximum size of an uploaded file, in bytes. */
  readonly uploadLimit: number;
  /** Maximum size of the events of one commit, in bytes. */
  readonly commitBytes: number;
  /** Maximum number of waiting writes. */
  readonly writeQueue: number;
  /** Maximum size of the caches of answers, in bytes; 0 disables them. */
  readonly cacheBytes: number;
  readonly compress: boolean;
  readonly publicCaching: ReturnType<typeof cachingIn>;
  /** Where metrics are served; null: not served. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Days for which client addresses of writes are kept; 0: none are kept. */
  readonly originDays: number;
  readonly checkpoints: CheckpointConfig;
  readonly trustedProxies: readonly string[];
  /** Wrong passwords allowed per quarter of an hour, address and login; 0: unlimited. */
  readonly guessLimit: number;
  readonly connections: number;
  /** Threads that answer reads beside the main one, on the same port. */
  readonly readers: number;
  /** `idle`: rebuilds use the processor only when nothing else needs it. */
  readonly rebuildPriority: RebuildPriority;
  /** Comments that anonymous visitors may write per quarter of an hour and network; 0: none. */
  readonly visitorComments: number;
  readonly corsOrigins: readonly string[];
  readonly telemetry: boolean;
  readonly webhooks: boolean;
  readonly webhookNetworks: readonly string[];
}

export interface SiteGiven {
  /** Base of all links, without a trailing slash. */
  readonly url?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** IANA name or ±HH:MM. */
  readonly timezone?: string | undefined;
  readonly templates?: string[] | undefined;
  /** Each as `name=description`. */
  readonly menuLocations?: string[] | undefined;
}

/** Thrown for invalid settings; one line per wrong variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export const rebuildPriorities = ['idle', 'normal'] as const;
export type RebuildPriority = (typeof rebuildPriorities)[number];

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const loggedRequests = ['all', 'writes', 'slow', 'none'] as const;

const hostName = /^[\w.:%-]+$/;
const networks = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()] as const;
const everywhere = ['127.0.0.1', '0.0.0.0', '::', '::1'];

/** All variables: validation, default as text, and a description of allowed values. */
export const settings = z.object({
  HOST: z.string().regex(hostName).prefault('127.0.0.1').describe('a host name or IP address'),
  PORT: wholeNumber(0, 65535).prefault('8080').describe('a whole number from 0 (any free port) to 65535'),
  DATA_DIR: localPath().prefault('./data').describe('a folder of this machine'),
  MEDIA_URL: storeAddress(),
  ...backupSettings,
  SITE_URL: z
    .string()
    .refine(isSiteUrl)
    .transform(withoutSlash)
    .optional()
    .describe('an http or https address without user, query and fragment'),
  SITE_NAME: z.string().optional().describe('any text'),
  SITE_DESCRIPTION: z.string().trim().optional().describe('any text'),
  SITE_TIMEZONE: z
    .string()
    .refine(isTimezone)
    .optional()
    .describe('a time zone such as Europe/Berlin, or an offset such as +05:30'),
  DEPLOYMENT: z.enum(deployments).prefault('A').describe('A or B'),
  PLUGIN_SETTINGS: z
    .string()
    .transform(jsonIn)
    .pipe(allPluginSettings)
    .prefault('{}')
    .describe('JSON with settings of the plugin namespaces, as in docs/plugins.md'),
  PLUGINS: z.string().optional().describe('names of packages or paths of plugins, separated by commas'),
  ...(Object.fromEntries(pluginSecrets.map((name) => [name, secret()])) as object),
  EVENTSTORE_URL: z
    .string()
    .refine((text) => addressFault(text) === null)
    .optional()
    .describe('esdb://user:password@host:2113, with more hosts and options as the client for EventStoreDB has them'),
  EVENTSTORE_SITE: z
    .string()
    .regex(/^\w[\w.]{0,63}$/)
    .prefault('site')
    .describe('a name of letters, digits, dots and underscores'),
  EVENTSTORE_APPEND_BYTES: bytes(65_536, 2 ** 28).prefault('1000000'),
  POSITION_WAIT: wholeNumber(0, 60_000).prefault('5000').describe('a number of milliseconds up to 60000'),
  STORE_WAIT: wholeNumber(0, 60_000).prefault('3000').describe('a number of milliseconds up to 60000'),
  CLOCK_TOLERANCE: wholeNumber(1, 1e9).prefault('60').describe('a number of seconds from 1 to 1000000000'),
  STOP_DELAY: wholeNumber(0, 300_000).prefault('500').describe('a number of milliseconds up to 300000'),
  STOP_DEADLINE: wholeNumber(0, 300_000).prefault('8000').describe('a number of milliseconds up to 300000'),
  LOG_LEVEL: z
    .enum(logLevels)
    .prefault('info')
    .describe(`one of ${logLevels.join(', ')}`),
  LOG_REQUESTS: z.enum(loggedRequests).prefault('all').describe('all, writes, slow or none'),
  SLOW_REQUEST: wholeNumber(1, 3_600_000).prefault('1000').describe('a number of milliseconds from 1 to 3600000'),
  BODY_LIMIT: bytes(1024, 2 ** 30).prefault('10485760'),
  TEXT_LIMIT: bytes(1024, 2 ** 30).prefault('1048576'),
  PARAMETER_LIMIT: bytes(1024, 2 ** 30).prefault('65536'),
  BODIES_LIMIT: bytes(65_536, 2 ** 36).prefault('67108864'),
  BODY_TIMEOUT: wholeNumber(1, 3600).prefault('120').describe('a number of seconds from 1 to 3600'),
  UPLOAD_LIMIT: bytes(1024, 2 ** 40).prefault('1073741824'),
  ...imageSettings,
  PAGE_TEMPLATES: z
    .string()
    .transform(items)
    .refine((names) => names.every((name) => /^[\w./-]+$/.test(name)))
    .optional()
    .describe('names of letters, digits, hyphens, dots and slashes, separated by commas'),
  MENU_LOCATIONS: z
    .string()
    .transform(items)
    .refine((places) => places.every((place) => /^[a-z0-9_-]+=.+$/.test(place)))
    .optional()
    .describe('name=description of each, separated by commas; names of small letters, digits, hyphens and underscores'),
  COMMIT_BYTES: bytes(65_536, 2 ** 30).prefault('33554432'),
  WRITE_QUEUE: wholeNumber(1, 1_000_000).prefault('2000').describe('a whole number from 1 to 1000000'),
  CACHE_BYTES: bytes(0, 2 ** 36).prefault('16777216'),
  COMPRESS: z.enum(['on', 'off']).prefault('on').describe('on or off'),
  ...cachingSettings,
  METRICS_PORT: wholeNumber(0, 65535).optional().describe('a whole number from 0 (any free port) to 65535'),
  METRICS_HOST: z.string().regex(hostName).prefault('127.0.0.1').describe('a host name or IP address'),
  INTERFACE_NAMES: z
    .string()
    .transform(jsonOrFile)
    .pipe(interfaceNames)
    .prefault('{}')
    .describe('JSON with names of the interface, or a file that holds it, as in docs/operations/other-names.md'),
  ...checkpointSettings,
  ORIGIN_DAYS: wholeNumber(0, 36_500).prefault('90').describe('a number of days from 0 (keep none) to 36500'),
  TRUSTED_PROXIES: z
    .string()
    .transform(items)
    .pipe(z.array(z.union([z.enum(['loopback', 'linklocal', 'uniquelocal']), ...networks])))
    .prefault('')
    .describe('IP addresses or ranges such as 10.0.0.0/8, loopback, linklocal, uniquelocal, separated by commas'),
  REBUILD_PRIORITY: z.enum(rebuildPriorities).prefault('idle').describe('idle or normal'),
  GUESS_LIMIT: wholeNumber(0, 1_000_000).prefault('20').describe('a whole number from 0 (no limit) to 1000000'),
  CONNECTIONS: wholeNumber(1, 1_000_000).prefault('4096').describe('a whole number from 1 to 1000000'),
  READERS: wholeNumber(0, 16).prefault('0').describe('a whole number from 0 to 16'),
  VISITOR_COMMENTS: wholeNumber(0, 1_000_000).prefault('0').describe('a whole number from 0 (none) to 1000000'),
  ...releaseSettings,
  CORS_ORIGINS: origins.prefault('').describe('origins such as https://app.example.org, separated by commas'),
  TELEMETRY: z.enum(['on', 'off']).prefault('off').describe('on or off'),
  WEBHOOKS: z.enum(['on', 'off']).optional().describe('on or off'),
  WEBHOOK_NETWORKS: z
    .string()
    .transform(items)
    .pipe(z.array(z.union(networks)))
    .prefault('')
    .describe('IP addresses or ranges such as 10.0.0.0/8, separated by commas'),
});

/** Reads the settings from environment variables and from files of the same names in `CREDENTIALS_DIRECTORY`. Throws `ConfigError`. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return configOf(readSettings(env));
}

type Settings = z.infer<typeof settings>;

function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const folder = env['CREDENTIALS_DIRECTORY'];
  const given = Object.fromEntries(
    Object.keys(settings.shape).map((name) => [name, env[name] || credential(folder, name) || undefined]),
  );
  const result = settings.safeParse(given);
  if (folder && isAbsent(folder)) throw new ConfigError(`CREDENTIALS_DIRECTORY is ${folder}, which does not exist`);
  if (!result.success) {
    const wrong = Map.groupBy(result.error.issues, (issue) => String(issue.path[0]));
    throw new ConfigError([...wrong].map(([name, issues]) => complaint(name, given[name] ?? '', issues)).join('\n'));
  }
  const read = result.data;
  if (read.BACKUP_SHIP === 'on' && read.BACKUP_TO === undefined)
    throw new ConfigError('BACKUP_SHIP is on, but BACKUP_TO, which says where to, is not set');
  if (read.TEXT_LIMIT > read.BODY_LIMIT && given['TEXT_LIMIT'] !== undefined)
    throw new ConfigError(`TEXT_LIMIT is "${read.TEXT_LIMIT}"; allowed: at most BODY_LIMIT, ${read.BODY_LIMIT}`);
  if (read.METRICS_PORT === read.PORT && read.PORT !== 0 && isSameHost(read.METRICS_HOST, read.HOST))
    throw new ConfigError(`METRICS_PORT and PORT are both ${read.PORT}; set one of them to another port`);
  if (read.READERS > 0 && read.EVENTSTORE_URL !== undefined)
    throw new ConfigError('READERS must be 0 where EVENTSTORE_URL is set: start more nodes instead');
  return read;
}

function configOf(read: Settings): Config {
  return {
    host: read.HOST,
    port: read.PORT,
    dataDir: read.DATA_DIR,
    mediaUrl: read.MEDIA_URL ?? null,
    backups: backupsIn(read),
    backupKey: read.BACKUP_KEY ?? null,
    site: {
      url: read.SITE_URL,
      name: read.SITE_NAME,
      description: read.SITE_DESCRIPTION,
      timezone: read.SITE_TIMEZONE,
      templates: read.PAGE_TEMPLATES,
      menuLocations: read.MENU_LOCATIONS,
    },
    ownUrl: addressOf(read.HOST, read.PORT),
    deployment: read.DEPLOYMENT,
    plugins: { ...read.PLUGIN_SETTINGS, secrets: secretsOf(read) },
    eventStoreUrl: read.EVENTSTORE_URL ?? null,
    eventStoreSite: read.EVENTSTORE_SITE,
    eventStoreAppendBytes: read.EVENTSTORE_APPEND_BYTES,
    positionWait: read.POSITION_WAIT,
    storeWait: read.STORE_WAIT,
    clockTolerance: read.CLOCK_TOLERANCE * 1000,
    stopDelay: read.STOP_DELAY,
    stopDeadline: read.STOP_DEADLINE,
    logLevel: read.LOG_LEVEL,
    logRequests: read.LOG_REQUESTS,
    slowRequest: read.SLOW_REQUEST,
    bodyLimit: read.BODY_LIMIT,
    textLimit: Math.min(read.TEXT_LIMIT, read.BODY_LIMIT),
    parameterLimit: read.PARAMETER_LIMIT,
    bodiesLimit: read.BODIES_LIMIT,
    bodyTimeout: read.BODY_TIMEOUT,
    uploadLimit: read.UPLOAD_LIMIT,
    ...imagesIn(read),
    commitBytes: read.COMMIT_BYTES,
    writeQueue: read.WRITE_QUEUE,
    cacheBytes: read.CACHE_BYTES,
    compress: read.COMPRESS === 'on',
    publicCaching: cachingIn(read),
    metrics: read.METRICS_PORT === undefined ? null : { host: read.METRICS_HOST, port: read.METRICS_PORT },
    checkpoints: checkpointsIn(read),
    originDays: read.ORIGIN_DAYS,
    trustedProxies: read.TRUSTED_PROXIES,
    guessLimit: read.GUESS_LIMIT,
    connections: read.CONNECTIONS,
    readers: read.READERS,
    rebuildPriority: read.REBUILD_PRIORITY,
    visitorComments: read.VISITOR_COMMENTS,
    corsOrigins: read.CORS_ORIGINS,
    telemetry: read.TELEMETRY === 'on',
    webhooks: read.WEBHOOKS === undefined ? read.EVENTSTORE_URL === undefined : read.WEBHOOKS === 'on',
    webhookNetworks: read.WEBHOOK_NETWORKS,
    ...releasesIn(read),
  };
}

// Values of EVENTSTORE_URL, of store addresses and of secrets are never shown.
function complaint(name: string, value: string, issues: readonly z.core.$ZodIssue[]): string {
  if (name === 'EVENTSTORE_URL') return `EVENTSTORE_URL ${addressFault(value)}`;
  if (name === 'MEDIA_URL' || name === 'BACKUP_TO') return `${name} ${parseAddress(value)}`;
  const allowed = settings.shape[name as keyof typeof settings.shape].description;
  if (/_(SECRET|KEY)$/.test(name)) return `${name} is not as it has to be; allowed: ${allowed}`;
  const faults = issues.flatMap(faultWithin);
  const why = faults.length === 0 ? '' : `: ${faults.join(', ')}`;
  return `${name} is ${JSON.stringify(value)}${why}; allowed: ${allowed}`;
}

export function addressOf(host: string, port: number): string {
  const name = everywhere.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return port === 0 || port === 80 ? `http://${name}` : `http://${name}:${port}`;
}
