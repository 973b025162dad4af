import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { addUser } from '#commands/users.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Role } from '#domain/user/roles.ts';
import type { AppOptions } from '#http/app/app.ts';
import { createCrawler } from '#http/server/crawler.ts';
import type { Origins } from '#http/server/origin.ts';
import type { SessionKeeper } from '#http/server/sessions.ts';
import type { RequestMeter } from '#http/server/tracing.ts';
import { createJobs } from '#http/tables/plugins/jobs.ts';
import type { Node } from '#node/node.ts';
import { ReaderThreads, type ReaderThreadsOptions } from '#ops/readers/pool.ts';
import { nodeApp } from '#ops/site-app.ts';
import { createOutgoing, type Outgoing } from '#outgoing/fetch.ts';
import { removeProjections } from '#projections/projector/database.ts';
import { openTestNode, type TestOptions } from './node.ts';

/** Address of the site in its links. */
export const SITE = 'http://site.example';
export const BASE = `${SITE}/cms-json/cms/v2`;

/** Logins are role names; their users have ids 1 to 5 in this order. */
const logins = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const satisfies readonly Role[];
export type As = (typeof logins)[number] | 'anonymous';

export interface SiteOptions extends TestOptions {
  readonly directory?: string;
  /** Determines the client address of requests. Default: the remote end of the connection. */
  readonly origins?: Origins;
  /** See `buildApp`. */
  readonly guessLimit?: number;
  readonly sessions?: SessionKeeper;
  readonly logger?: FastifyBaseLogger;
  readonly requestMeter?: RequestMeter;
  /** Other origins whose pages may write. */
  readonly corsOrigins?: readonly string[];
  /** Requests to other servers. Default: real ones, which fail without a network. */
  readonly outgoing?: Outgoing;
  /** Answers long reads in a thread of its own. Default: in this one. */
  readonly readers?: Partial<Pick<ReaderThreadsOptions, 'pause' | 'file' | 'deadline' | 'onFault'>>;
  /** Limits of the server that differ from the default. */
  readonly app?: Pick<
    AppOptions<never, never>,
    | 'publicCaching'
    | 'bodyTimeout'
    | 'answerLimit'
    | 'answersLimit'
    | 'bodiesLimit'
    | 'parameterLimit'
    | 'connectionLimit'
    | 'onDropped'
  >;
  /** Another node has created the users: with their credentials they can log in here, with `there` nobody can. Default: they are created. */
  readonly users?: 'there' | ReadonlyMap<As, string>;
}

export interface Extra {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts a server on a socket, on the store in a directory. */
async function openSite(directory: string, options: Omit<SiteOptions, 'directory'>) {
  const { node, clock, config } = await openTestNode(directory, options);
  const crawler = createCrawler(
    () => node.store.reader,
    () => clock.now,
  );
  const { outgoing, origins, guessLimit, sessions, logger, corsOrigins, requestMeter: meter } = options;
  const given = Object.entries({ origins, guessLimit, sessions, logger, corsOrigins, meter });
  const served = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const env = { ...options.env, DATA_DIR: directory };
  const readers = options.readers && readersOf(node, { ...options.readers, env });
  const app = nodeApp(node, config, {
    ...{ outgoing, clock: () => clock.now, ...(readers && { pool: readers }) },
    served: { crawler, ...served, ...options.app },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const stop = async () => {
    // Connections that a client has opened and not used would be waited for.
    const unused = setTimeout(() => app.server.closeAllConnections(), 500);
    await app.close();
    clearTimeout(unused);
    await readers?.close();
    await node.close();
  };
  const jobs = createJobs({
    model: () => node.store.reader,
    submit: (context, work) => node.store.submit(context, work),
    uploads: node.store.uploads,
    outgoing: options.outgoing ?? createOutgoing(),
    settings: config.plugins,
  });
  return { node, clock, port, crawler, jobs, readers, stop };
}

function readersOf(
  { store }: Node,
  options: Partial<ReaderThreadsOptions> & Pick<ReaderThreadsOptions, 'env'>,
): ReaderThreads {
  const thread = new ReaderThreads({
    onFault: (error) => {
      throw error;
    },
    ...options,
  });
  store.changed((published) => thread.publish(published));
  return thread;
}

/** Starts a whole server, with one user of each role and nothing else, by default in a new directory. */
export async function startSite({ directory = newDirectory(), users, ...options }: SiteOptions = {}) {
  let open = await openSite(directory, options);
  const { store } = open.node;
  const authorization = new Map<As, string>(users === 'there' ? [] : users);
  const add = async (login: (typeof logins)[number]) => {
    const input = { login, role: login, email: `${login}@example.org` };
    const { value } = await store.submit({ viewer: null, correlationId: 'test' }, (session) => addUser(session, input));
    if (isRefusal(value)) throw new Error(value.code);
    authorization.set(login, `Basic ${Buffer.from(`${login}:${value.password}`).toString('base64')}`);
  };
  // Decided in this order, and stored together.
  if (users === undefined) await Promise.all(logins.map(add));

  /** Sends `METHOD /path`; a path that begins with the root `/cms-json` is used as it is, any other is below `cms/v2`. */
  const call = async (as: As, request: string, body?: unknown, extra: Extra = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const credentials = authorization.get(as);
    const root = `http://127.0.0.1:${open.port}`;
    const response = await fetch(root + (path.startsWith('/cms-json') ? path : `/cms-json/cms/v2${path}`), {
      method,
      headers: {
        ...(credentials === undefined ? {} : { authorization: credentials }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...extra.headers,
      },
      ...(body === undefined ? {} : { body: bytesOf(body) }),
    });
    const text = await response.text();
    const isSheet = response.headers.get('content-type')?.startsWith('text/css') === true;
    const shown = text === '' ? null : isSheet ? text : JSON.parse(text);
    return { status: response.status, headers: response.headers, text, body: shown };
  };

  return {
    call,
    directory,
    credentials: authorization as ReadonlyMap<As, string>,
    get node() {
      return open.node;
    },
    get clock() {
      return open.clock;
    },
    /** Fetches finished images from the optimiser when called. */
    get jobs() {
      return open.jobs;
    },
    /** Renders cached responses in advance when stepped. */
    get crawler() {
      return open.crawler;
    },
    get readers() {
      return open.readers;
    },
    /** Port of the server, for tests that open a socket themselves. */
    get port() {
      return open.port;
    },
    authorization: (as: As): string => authorization.get(as) ?? '',
    /** Position of the log's last event. */
    position: () => open.node.log.head().position,
    /** Creates an item and returns its id. */
    make: async (as: As, path: string, body: unknown): Promise<number> => {
      const { status, body: made } = await call(as, `POST ${path}`, body);
      if (status !== 201) throw new Error(`${path}: ${made.code}`);
      return made.id;
    },
    /** Stops the server and starts another one on the same data, at the same time of the clock. `between` runs in between. */
    async restart(between: () => void = () => undefined, changed: Pick<SiteOptions, 'env'> = {}) {
      const { now } = open.clock;
      await open.stop();
      between();
      open = await openSite(directory, { ...options, ...changed });
      open.clock.now = now;
    },
    /** Starts again without projections, which follow from the log. */
    rebuild() {
      return this.restart(() => removeProjections(join(directory, 'projections.db')));
    },
    async close() {
      await open.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Texts and bytes are sent as they are, everything else as JSON. */
function bytesOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

export type Site = Awaited<ReturnType<typeof startSite>>;

function newDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'palimpsest-'));
}
