import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { progressOn, type Task } from '#ops/progress.ts';
import { replay } from '#ops/replay.ts';
import { UsageError } from '#ops/verb.ts';
import { readConfig } from '../../src/config.ts';
import { SITE, type Site, startSite } from '../support/site.ts';

const rootIn = (text: string) => /http:\S+(?=\/cms-json)/.exec(text)?.[0] ?? '';

async function visit(address: string) {
  const answer = await fetch(address);
  return { text: await answer.text(), asOf: answer.headers.get('x-cms-as-of'), links: answer.headers.get('link') };
}

describe('replay', () => {
  let site: Site;
  let past: number;
  let then: unknown;
  const posts = '/cms-json/cms/v2/posts?status=any&context=edit&orderby=id';
  beforeAll(async () => {
    // It stays open: the command works beside a running server.
    site = await startSite();
    const id = await site.make('author', '/posts', {
      title: 'Then',
      content: `A “text” and <a href="${SITE}/then/?elsewhere">a link</a>`,
      status: 'publish',
    });
    await site.make('author', '/posts', { title: 'Draft' });
    past = site.position();
    then = (await site.call('editor', `GET ${posts}`)).body;
    site.clock.now += 60_000;
    await site.call('editor', `PUT /posts/${id}`, { title: 'Now' });
  });
  afterAll(() => site.close());

  /** Runs the command in the site's directory; `seen` gets its output, and may stop it. */
  async function run(
    args: Record<string, string>,
    seen: (text: string, stop: () => void) => void = () => undefined,
    env: Record<string, string> = {},
  ) {
    const stop = new AbortController();
    let written = '';
    const output = new Writable({
      write(chunk, _, done) {
        written += chunk;
        seen(String(chunk), () => stop.abort());
        done();
      },
    });
    const { signal } = stop;
    const tasks: Task[] = [];
    const show = progressOn({ stream: process.stderr, signal });
    const config = readConfig({ ...env, DATA_DIR: site.directory, LOG_LEVEL: 'silent' });
    const place = {
      config,
      progress: (task: Task) => {
        tasks.push(task);
        return show(task);
      },
      signal,
      input: process.stdin,
      json: false,
    };
    return { outcome: await replay.here({ ...place, output }, args), written, tasks };
  }

  it('prints a response as it was at that position, beside a running server', async () => {
    const { outcome, written } = await run({ at: String(past), get: posts, as: 'editor' });
    expect([outcome.kind, JSON.parse(written)]).toEqual(['done', then]);
  });

  it('counts to the end of the log, where it brings the projections first', async () => {
    const { tasks } = await run({ at: String(past), get: posts, as: 'editor' });
    expect(tasks.map(({ total }) => total)).toEqual([site.position()]);
  });

  it('has the namespaces of the deployment', async () => {
    const namespaces = async (deployment: string) => {
      const args = { at: String(past), get: '/cms-json/?_fields=namespaces' };
      return JSON.parse((await run(args, undefined, { DEPLOYMENT: deployment })).written).namespaces;
    };
    const live = (await site.call('anonymous', 'GET /cms-json/?_fields=namespaces')).body.namespaces;
    expect(await namespaces('A')).toEqual(live);
    expect(await namespaces('B')).not.toEqual(live);
  });

  it('accepts a time in the site’s time zone', async () => {
    const time = new Date(site.clock.now - 30_000)
      .toLocaleString('sv', { timeZone: 'Europe/Berlin' })
      .replace(' ', 'T');
    const { written } = await run({ at: time, get: '/cms-json/cms/v2/posts?_fields=title' });
    expect(JSON.parse(written)).toEqual([{ title: { rendered: 'Then' } }]);
  });

  it('shows what was public if no user is given', async () => {
    const { outcome, written } = await run({ at: String(past), get: posts });
    expect([outcome.kind, JSON.parse(written).code]).toEqual(['wrong', 'rest_invalid_param']);
    const page = await run({ at: String(past), get: '/then/' });
    expect([page.outcome.kind, page.written.includes('A “text”')]).toEqual(['done', true]);
  });

  it('serves the past read-only', async () => {
    const found: unknown[] = [];
    let root = '';
    const { outcome } = await run({ at: String(past), serve: '0' }, async (text, stop) => {
      root = rootIn(text);
      const headers = { authorization: site.authorization('editor') };
      const call = (path: string, init?: RequestInit) => fetch(`${root}${path}`, { headers, ...init });
      found.push(await (await call(posts)).json());
      found.push(await (await call(`${posts}&as_of=${past}`)).json());
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const path = method === 'POST' ? '/cms-json/cms/v2/posts' : '/cms-json/cms/v2/posts/1';
        const refused = await call(path, { method });
        found.push([refused.status, ((await refused.json()) as { code: string }).code]);
      }
      const form = new FormData();
      form.set('file', new Blob(['x']), 'x.txt');
      found.push((await call('/cms-json/cms/v2/media', { method: 'POST', body: form })).status);
      stop();
    });
    expect(outcome).toEqual({ kind: 'done', value: null, text: '' });
    // Links lead to the replay; contents are unchanged.
    const links = JSON.stringify(then).replaceAll(SITE, root).replaceAll(`${root}/then/?`, `${SITE}/then/?`);
    const moved = JSON.parse(links);
    expect(found.slice(0, 2)).toEqual([moved, moved]);
    expect(found.slice(2)).toEqual([...Array(3).fill([403, 'rest_read_only']), 403]);
  });

  it('serves no links to the present site, and marks every response as the past', async () => {
    const { at } = [...site.node.log.read({ from: past, limit: 1 })][0] ?? { at: '' };
    const found: { path: string; text: string; asOf: string | null; links: string | null }[] = [];
    let root = '';
    const pages = ['/', '/then/', '/nothing/', '/then/embed/', '/cms-json/docs'];
    const paths = [
      ...pages,
      '/cms-json/',
      '/cms-json/cms/v2/posts',
      '/cms-json/cms/v2/posts/9999',
      '/cms-json/openapi.json',
    ];
    await run({ at: String(past), serve: '0' }, async (text, stop) => {
      root = rootIn(text);
      for (const path of paths) found.push({ path, ...(await visit(`${root}${path}`)) });
      stop();
    });
    expect(found.map(({ asOf }) => asOf)).toEqual(paths.map(() => `${past} ${at}`));
    for (const { path, text, links } of found) {
      const attributes = text.match(/<[a-z][^>]*>/gi)?.join() ?? '';
      const all = pages.includes(path) ? attributes : text.replace(/"rendered":"(\\.|[^"])*"/g, '');
      expect([path, `${all} ${links}`.replaceAll('\\/', '/')]).toEqual([path, expect.not.stringContaining(SITE)]);
      if (pages.includes(path))
        expect([path, text]).toEqual([path, expect.stringContaining(`as it stood at position ${past}`)]);
    }
    expect(found.find(({ path }) => path === '/then/')?.text).toContain(`href="${root}/then/?elsewhere"`);
    const index = found.find(({ path }) => path === '/cms-json/');
    expect(JSON.parse(index?.text ?? '')).toMatchObject({ url: root, as_of: { position: past, time: at } });
    expect((await site.call('anonymous', 'GET /posts')).headers.get('x-cms-as-of')).toBeNull();
  });

  it.each([
    [{ at: '999999', get: '/' }, 'rest_invalid_as_of'],
    [{ at: 'yesterday', get: '/' }, 'rest_invalid_as_of'],
    [{ at: '3', get: '/', as: 'nobody-there' }, 'unknown_user'],
  ])('refuses %j', async (args, code) => {
    expect((await run(args)).outcome).toMatchObject({ kind: 'refused', code });
  });

  it.each([
    { at: '1' },
    { at: '1', get: '/', serve: '0' },
    { at: '1', get: 'x' },
    { at: '1', serve: 'x' },
    { at: '1', serve: '65536' },
    { get: '/' },
  ])('rejects %j as wrong usage', async (args) => {
    await expect(run(args as Record<string, string>)).rejects.toThrow(UsageError);
  });

  it('tells where it looked for a log', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'palimpsest-'));
    const config = readConfig({ DATA_DIR: empty });
    const { signal } = new AbortController();
    const place = {
      config,
      progress: progressOn({ stream: process.stderr, signal }),
      signal,
      input: process.stdin,
      json: false,
    };
    const outcome = await replay.here({ ...place, output: process.stdout }, { at: '1', get: '/' });
    expect(outcome).toMatchObject({ kind: 'unavailable', message: expect.stringContaining(join(empty, 'log.db')) });
    rmSync(empty, { recursive: true });
  });
});
