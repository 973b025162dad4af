import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addUser } from '#commands/users.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Role } from '#domain/user/roles.ts';
import { buildApp } from '#http/app.ts';
import { hostOf } from '#http/host.ts';
import { allRoutes } from '#http/tables/all.ts';
import type { OpenOptions } from '../../src/wire.ts';
import { openTestNode } from './node.ts';

/** Address of the site that tests talk to, as its links have it. */
export const SITE = 'http://site.example';
export const BASE = `${SITE}/cms-json/cms/v2`;

/** Logins are the names of the roles, ids 1 to 5 in this order. */
const logins = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const satisfies readonly Role[];
export type As = Role | 'anonymous';

export interface Extra {
  readonly headers?: Readonly<Record<string, string>>;
}

/** A whole server on a socket, with one user of each role and nothing else. */
export async function startSite(options: OpenOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'palimpsest-'));
  const { node, clock } = await openTestNode(directory, options);
  const { store } = node;
  const authorization = new Map<As, string>();
  for (const login of logins) {
    const input = { login, role: login, email: `${login}@example.org` };
    const { value } = await store.submit({ viewer: null, correlationId: 'test' }, (session) => addUser(session, input));
    if (isRefusal(value)) throw new Error(value.code);
    authorization.set(login, `Basic ${Buffer.from(`${login}:${value.password}`).toString('base64')}`);
  }
  const app = buildApp({ host: hostOf(store), routes: allRoutes(() => clock.now) });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const root = `http://127.0.0.1:${port}`;

  /** Sends `METHOD /path`; a path that begins with the root `/cms-json` is taken whole, any other is below `cms/v2`. */
  const call = async (as: As, request: string, body?: unknown, extra: Extra = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const credentials = authorization.get(as);
    const response = await fetch(root + (path.startsWith('/cms-json') ? path : `/cms-json/cms/v2${path}`), {
      method,
      headers: {
        ...(credentials === undefined ? {} : { authorization: credentials }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...extra.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };

  return {
    call,
    node,
    clock,
    /** Address of the server, for what needs a socket of its own. */
    port,
    authorization: (as: As): string => authorization.get(as) ?? '',
    /** Position of the log's last event. */
    position: () => node.log.head().position,
    /** Makes something and answers its id. */
    make: async (as: As, path: string, body: unknown): Promise<number> => {
      const { status, body: made } = await call(as, `POST ${path}`, body);
      if (status !== 201) throw new Error(`${path}: ${made.code}`);
      return made.id;
    },
    async close() {
      await app.close();
      await node.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type Site = Awaited<ReturnType<typeof startSite>>;
