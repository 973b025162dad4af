import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export type TestRole = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber';

export interface TestAnswer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the answer; null if it is empty. */
  readonly body: T;
}

export interface TestSite {
  /**
   * Sends a request such as `POST guestbook/v1/sign`, relative to the root of the interface, as a user with a role. `body` is sent as
   * JSON.
   */
  call<T>(
    as: TestRole | 'anonymous',
    request: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestAnswer<T>>;
  /** Compares the tables with the log, from which they are made again. Rejects if they differ: `evolve` is not pure then. */
  check(): Promise<void>;
  /** Stops the site and removes its data. */
  close(): Promise<void>;
}

export interface TestSiteOptions {
  /** As in the setting `PLUGINS`: packages, or paths relative to the working directory. */
  readonly plugins: readonly string[];
  /** Other settings. */
  readonly env?: Readonly<Record<string, string>>;
}

const program = fileURLToPath(new URL('../bin.js', import.meta.url));

/** Starts a site with plugins in a process and a temporary directory of its own. */
export async function startTestSite({ plugins, env = {} }: TestSiteOptions): Promise<TestSite> {
  const directory = mkdtempSync(join(tmpdir(), 'palimpsest-test-'));
  const settings = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', PLUGINS: plugins.join(','), ...env };
  const options = { env: { PATH: process.env['PATH'], ...settings, DATA_DIR: directory } };
  const server = spawn(process.execPath, [program, 'start'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(server, 'exit');
  const kill = () => server.kill();
  process.on('exit', kill);
  const close = async () => {
    server.kill();
    await gone;
    process.off('exit', kill);
    rmSync(directory, { recursive: true, force: true });
  };
  const begun = await greeting(server.stdout).catch(() => null);
  if (begun === null) {
    await close();
    throw new Error('the site did not start; the reason is in the output');
  }
  const client = new TestClient(begun);
  return {
    close,
    call: (as, request, body, headers) => client.call(as, request, body, headers),
    async check() {
      await promisify(execFile)(process.execPath, [program, 'rebuild', '--check'], options);
    },
  };
}

interface Begun {
  readonly root: string;
  readonly password: string;
}

/** Sends requests as users named by their role, who are added when they are first named. */
class TestClient {
  readonly #begun: Begun;
  readonly #users: Map<string, Promise<string>>;

  constructor(begun: Begun) {
    this.#begun = begun;
    this.#users = new Map([['administrator', Promise.resolve(basic('admin', begun.password))]]);
  }

  async call<T>(
    as: string,
    request: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer<T>> {
    if (as !== 'anonymous' && !this.#users.has(as)) this.#users.set(as, this.#add(as));
    const authorization = await this.#users.get(as);
    const [method = '', path = ''] = request.split(' ');
    const answer = await fetch(this.#begun.root + path.replace(/^\//, ''), {
      method,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
  }

  async #add(role: string): Promise<string> {
    const { password } = this.#begun;
    const made = async (path: string, body: unknown) => {
      const request = `POST cms/v2/users${path}`;
      const answer = await this.call<{ id: number; password: string; message: string }>('administrator', request, body);
      if (answer.status !== 201) throw new Error(`${role}: ${answer.body.message}`);
      return answer.body;
    };
    const { id } = await made('', { username: role, email: `${role}@example.org`, roles: [role], password });
    return basic(role, (await made(`/${id}/application-passwords`, { name: 'test' })).password);
  }
}

async function greeting(output: Readable): Promise<Begun> {
  let text = '';
  for await (const piece of output.iterator({ destroyOnReturn: false })) {
    text += String(piece);
    const [, address] = /listens on (\S+)/.exec(text) ?? [];
    const [, root] = /interface +(\S+)/.exec(text) ?? [];
    const [, password] = /password +(\S.*?) {3}/.exec(text) ?? [];
    if (address === undefined || root === undefined || password === undefined) continue;
    output.resume();
    return { root: address + new URL(root).pathname, password };
  }
  throw new Error('no greeting');
}

function basic(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
}
