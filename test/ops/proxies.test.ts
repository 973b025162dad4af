import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addressReader } from '#http/server/origin.ts';
import { freePort } from '../support/free-port.ts';
import { found } from '../support/patience.ts';
import { type Site, startSite } from '../support/site.ts';

interface Place {
  readonly folder: string;
  readonly site: number;
  readonly port: number;
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** The files of `ops` as they are, without TLS and on free ports. */
const kept = (name: string, { site }: Place) =>
  readFileSync(join(import.meta.dirname, '../../ops', name), 'utf8').replaceAll('127.0.0.1:8080', `127.0.0.1:${site}`);

const proxies: Readonly<Record<string, (place: Place) => Command>> = {
  apache2(place) {
    const { folder, port } = place;
    const site = kept('apache.conf', place)
      .replace('*:443', `127.0.0.1:${port}`)
      .replaceAll(/^\s*SSL.*\n/gm, '');
    const modules = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'headers'];
    const load = modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n');
    const own = `Listen 127.0.0.1:${port}\nPidFile ${folder}/pid\nErrorLog ${folder}/log\nServerName localhost\nUser www-data\nGroup www-data\n`;
    writeFileSync(join(folder, 'conf'), `${load}\n${own}${site}`);
    return { program: 'apache2', args: ['-d', folder, '-f', join(folder, 'conf'), '-D', 'FOREGROUND'] };
  },
  haproxy(place) {
    const site = kept('haproxy.cfg', place)
      .replace(/bind .*/, `bind 127.0.0.1:${place.port}`)
      // Sites of tests have no health checks.
      .replace(/^ *option httpchk.*\n/m, '');
    writeFileSync(join(place.folder, 'cfg'), site);
    return { program: 'haproxy', args: ['-db', '-f', join(place.folder, 'cfg')] };
  },
  varnishd(place) {
    writeFileSync(join(place.folder, 'vcl'), kept('varnish.vcl', place).replace('"8080"', `"${place.site}"`));
    const own = ['-n', join(place.folder, 'work'), '-a', `127.0.0.1:${place.port}`, '-f', join(place.folder, 'vcl')];
    return { program: 'varnishd', args: ['-F', '-j', 'none', '-s', 'malloc,16m', ...own] };
  },
  squid(place) {
    const { folder, site, port } = place;
    const text = kept('squid.conf', place)
      .replace('http_port 80', `http_port 127.0.0.1:${port}`)
      .replace('parent 8080', `parent ${site}`);
    const own =
      'access_log none\ncache_log /dev/null\npid_filename none\nshutdown_lifetime 0\nvisible_hostname localhost\n';
    writeFileSync(join(folder, 'conf'), text + own);
    // The name keeps its shared memory apart from that of others.
    return { program: 'squid', args: ['-N', '-n', `palimpsest${port}`, '-f', join(folder, 'conf')] };
  },
  lighttpd(place) {
    const text = kept('lighttpd.conf', place)
      .replace('"port" => 8080', `"port" => ${place.site}`)
      .replace('server.port = 443', `server.port = ${place.port}\nserver.bind = "127.0.0.1"`)
      .replace(', "mod_openssl"', '')
      .replaceAll(/^ssl\..*\n/gm, '')
      .replace('/var/empty', place.folder);
    writeFileSync(join(place.folder, 'conf'), text);
    return { program: 'lighttpd', args: ['-D', '-f', join(place.folder, 'conf')] };
  },
};

/** Whether a program of the system is missing, which is then printed. */
function lacks(program: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  if (folders.some((folder) => existsSync(join(folder, program)))) return false;
  console.warn(`SKIPPED: there is no ${program} on this machine`);
  return true;
}

const VISITOR = '127.0.0.5';

describe.each(Object.keys(proxies))('a site behind %s', (name) => {
  const skip = lacks(name);
  const written: string[] = [];
  let site: Site;
  let port = 0;
  let child: ChildProcess;
  let folder = '';
  beforeAll(async () => {
    if (skip) return;
    const origins = {
      addressOf: addressReader(['127.0.0.1']),
      note: ({ address }: { address: string }) => void written.push(address),
    };
    site = await startSite({ origins });
    port = await freePort();
    folder = mkdtempSync(join(tmpdir(), 'proxy-'));
    const { program, args } = proxies[name]?.({ folder, site: site.port, port }) ?? { program: '', args: [] };
    child = spawn(program, args, { env: { PATH: `${process.env['PATH']}${delimiter}/usr/sbin` }, stdio: 'ignore' });
    await found(async () => (await ask(port, 'GET /cms-json/').catch(() => null))?.status === 200);
  });
  afterEach(() => {
    if (!skip) expect(child.exitCode).toBeNull();
  });
  afterAll(async () => {
    child?.kill('SIGTERM');
    await site?.close();
    if (!skip) rmSync(folder, { recursive: true, force: true });
  });

  const json = () => ({ authorization: site.authorization('administrator'), 'content-type': 'application/json' });

  it.skipIf(skip)('writes safely, and knows what clients hold, in each encoding', async () => {
    const body = JSON.stringify({ title: 'Through', content: 'words '.repeat(1000), status: 'publish' });
    const made = await ask(port, 'POST /cms-json/cms/v2/posts', { headers: json(), body });
    expect(made.status).toBe(201);
    const path = `/cms-json/cms/v2/posts/${JSON.parse(made.text).id}`;
    for (const accepted of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': accepted };
      const { headers: first } = await ask(port, `GET ${path}`, { headers });
      const held = first.etag ?? '';
      const again = await ask(port, `GET ${path}`, { headers: { ...headers, 'if-none-match': held } });
      expect([accepted, again.status]).toEqual([accepted, 304]);
      const change = { headers: { ...json(), 'if-match': held }, body: JSON.stringify({ title: `By ${accepted}` }) };
      expect((await ask(port, `PUT ${path}`, change)).status).toBe(200);
      expect((await ask(port, `PUT ${path}`, change)).status).toBe(412);
      // Nothing old is shown.
      expect(JSON.parse((await ask(port, `GET ${path}`)).text).title.rendered).toBe(`By ${accepted}`);
    }
  });

  it.skipIf(skip)('takes uploads, and finds ids with encoded slashes', async () => {
    const headers = { ...json(), 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="a.txt"' };
    const file = await ask(port, 'POST /cms-json/cms/v2/media', { headers, body: 'words '.repeat(500_000) });
    expect(file.status).toBe(201);
    const templates = JSON.parse((await ask(port, 'GET /cms-json/cms/v2/templates', { headers: json() })).text);
    const id = encodeURIComponent(templates[0].id);
    const template = await ask(port, `GET /cms-json/cms/v2/templates/${id}`, { headers: json() });
    expect([id.includes('%2F'), template.status, JSON.parse(template.text).id]).toEqual([true, 200, templates[0].id]);
  });

  it.skipIf(skip)('believes nothing that visitors say of their address', async () => {
    const headers = { ...json(), 'x-forwarded-for': '203.0.113.9' };
    await ask(port, 'POST /cms-json/cms/v2/posts', { headers, body: '{"title":"From"}' });
    expect(written.at(-1)).toBe(VISITOR);
  });

  it.skipIf(skip)('passes the live feed on as it comes', async () => {
    const feed = await open(port, 'GET /cms-json/cms/v2/changes', { headers: { accept: 'text/event-stream' } });
    const event = firstOf(feed, 'event: commit');
    await site.make('editor', '/posts', { title: 'Told', status: 'publish' });
    expect(await event).toContain('"published"');
    feed.destroy();
  });
});

interface Given {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function open(port: number, words: string, { headers = {}, body }: Given): Promise<IncomingMessage> {
  const [method, path] = words.split(' ');
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const about = { host: '127.0.0.1', localAddress: VISITOR, port, method, path, agent: false };
    request({ ...about, headers: { host: 'site.example', ...length, ...headers } }, resolve)
      .on('error', reject)
      .end(body);
  });
}

async function ask(port: number, words: string, given: Given = {}) {
  const answer = await open(port, words, given);
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(pieces).toString() };
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
