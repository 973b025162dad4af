import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { found } from '../support/patience.ts';
import { type Site, startSite } from '../support/site.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const kept = (name: string) => readFileSync(join(root, 'ops', name), 'utf8');

/** Whether a program of the system is missing, which is then printed. */
function lacks(program: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  if (folders.some((folder) => existsSync(join(folder, program)))) return false;
  console.warn(`SKIPPED: there is no ${program} on this machine`);
  return true;
}

/** Starts a program that lives until the end of the test. */
function start(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const PATH = `${process.env['PATH']}${delimiter}/usr/sbin`;
  const child = spawn(program, args, { cwd: root, env: { PATH, ...env }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe.skipIf(lacks('systemd-analyze'))('the systemd units', () => {
  it('are valid, and restrict the service to an exposure of at most 20', async () => {
    const folder = temporaryDirectory();
    const service = join(folder, 'palimpsest.service');
    writeFileSync(service, kept('systemd/palimpsest.service').replace('=/usr/bin/node', `=${process.execPath}`));
    writeFileSync(join(folder, 'palimpsest.socket'), kept('systemd/palimpsest.socket'));
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', service]);
    expect(stdout + stderr).toBe('');
    // From 0 to 100, less is better; 20 counts as OK.
    await run('systemd-analyze', ['security', '--offline=yes', '--threshold=20', service]);
  });
});

describe.skipIf(lacks('systemd-socket-activate'))('socket activation', () => {
  it('hands its socket to the server', async () => {
    const port = await freePort();
    const env = { DATA_DIR: temporaryDirectory(), PORT: String(port), LOG_LEVEL: 'silent' };
    const given = Object.entries(env).flatMap(([name, value]) => ['-E', `${name}=${value}`]);
    const child = start('systemd-socket-activate', [
      ...['-l', `127.0.0.1:${port}`, ...given, process.execPath, 'src/bin.js', 'start'],
    ]);
    const answers = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
    await found(() => answers().catch(() => null));
    expect(child.exitCode).toBeNull();
    const status = await run(process.execPath, ['src/bin.js', 'status', '--json'], { cwd: root, env });
    expect(JSON.parse(status.stdout).server).toMatchObject({ notReady: [] });
  });
});

const proxies = {
  nginx: {
    async start(folder: string, ports: { site: number; tls: number; plain: number }) {
      const [crt, key] = [join(folder, 'crt.pem'), join(folder, 'key.pem')];
      await run('openssl', [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '1'],
        ...['-keyout', key, '-out', crt],
      ]);
      const site = kept('nginx.conf')
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${ports.site}`)
        .replace('listen 443', `listen 127.0.0.1:${ports.tls}`)
        .replace('listen 80', `listen 127.0.0.1:${ports.plain}`)
        .replace('/etc/ssl/example.org.crt', crt)
        .replace('/etc/ssl/example.org.key', key);
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const temporary = places.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n');
      const whole = `daemon off; error_log stderr; pid ${join(folder, 'pid')};\nevents {}\nhttp { access_log off;\n${temporary}\n${site} }\n`;
      writeFileSync(join(folder, 'nginx.conf'), whole);
      start('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')]);
    },
  },
  caddy: {
    async start(folder: string, ports: { site: number; tls: number; plain: number }) {
      const site = kept('Caddyfile')
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${ports.site}`)
        .replace('example.org {', `https://localhost:${ports.tls} {\n\ttls internal`);
      const options = `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${ports.plain}\n\thttps_port ${ports.tls}\n}\n`;
      writeFileSync(join(folder, 'Caddyfile'), options + site);
      const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      start('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], env);
    },
  },
};

describe.each(Object.entries(proxies))('a site behind %s', (name, proxy) => {
  const skip = lacks(name) || (name === 'nginx' && lacks('openssl'));
  let site: Site;
  beforeAll(async () => {
    if (!skip) site = await startSite({ env: { TRUSTED_PROXIES: 'loopback' } });
  });
  afterAll(() => site?.close());

  it.skipIf(skip)('serves TLS, conditional requests, large uploads and the live feed', async () => {
    const ports = { site: site.port, tls: await freePort(), plain: await freePort() };
    await proxy.start(temporaryDirectory(), ports);
    const call = (request: string, given: Given = {}) => ask(ports.tls, request, given);
    await found(async () => (await call('HEAD /cms-json/').catch(() => null))?.statusCode === 200);

    const authorization = site.authorization('administrator');
    const json = { authorization, 'content-type': 'application/json' };
    const made = await call('POST /cms-json/cms/v2/posts', {
      headers: json,
      body: JSON.stringify({ title: 'Through', status: 'publish' }),
    });
    const post = `/cms-json/cms/v2/posts/${JSON.parse(await textOf(made)).id}`;
    const etag = (await call(`GET ${post}`)).headers.etag ?? '';
    expect((await call(`GET ${post}`, { headers: { 'if-none-match': etag } })).statusCode).toBe(304);
    const stale = { ...json, 'if-match': '"stale"' };
    expect((await call(`POST ${post}`, { headers: stale, body: '{"title":"Lost"}' })).statusCode).toBe(412);

    const upload = {
      authorization,
      'content-type': 'text/plain',
      'content-disposition': 'attachment; filename="a.txt"',
    };
    const file = await call('POST /cms-json/cms/v2/media', { headers: upload, body: 'words '.repeat(500_000) });
    expect(file.statusCode).toBe(201);

    const feed = await call('GET /cms-json/cms/v2/changes', { headers: { accept: 'text/event-stream' } });
    const event = firstOf(feed, 'event: commit');
    await site.make('editor', '/posts', { title: 'Told', status: 'publish' });
    expect(await event).toContain('"published"');

    expect(file.headers['strict-transport-security']).toBe('max-age=31536000');
    const plain = await fetch(`http://localhost:${ports.plain}/a`, { redirect: 'manual' });
    expect(String(plain.status)).toMatch(/^30[18]$/);
    expect(plain.headers.get('location')).toMatch(/^https:\/\/localhost.*\/a$/);
  });
});

interface Given {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ask(port: number, words: string, { headers = {}, body }: Given): Promise<IncomingMessage> {
  const [method, path] = words.split(' ');
  return new Promise((resolve, reject) => {
    const sent = request({ host: 'localhost', port, method, path, headers, rejectUnauthorized: false }, resolve);
    sent.on('error', reject).end(body);
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of answer) text += piece;
  return text;
}

/** The stream up to the end of the first event that contains some words. */
async function firstOf(answer: IncomingMessage, words: string): Promise<string> {
  let text = '';
  for await (const piece of answer) {
    text += piece;
    if (text.includes(words) && text.endsWith('\n\n')) return text;
  }
  throw new Error('the feed ended');
}
