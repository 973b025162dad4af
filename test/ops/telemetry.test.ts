import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { serverProcess } from '../support/server-process.ts';
import type { SpanLine } from '../support/span-file.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const sdk = pathToFileURL(join(import.meta.dirname, '..', 'support', 'span-file.ts')).href;

async function start(env: Readonly<Record<string, string>>) {
  const directory = temporaryDirectory();
  const file = join(directory, 'spans');
  const server = await serverProcess(join(directory, 'data'), { NODE_OPTIONS: `--import ${sdk}`, SPANS: file, ...env });
  onTestFinished(() => server.kill());
  await server.start();
  while (!server.output().includes('password')) await wait(20);
  const password = /password\s+(.{29})/.exec(server.output())?.[1] ?? '';
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
  const spans = () => lines().map((line) => JSON.parse(line) as SpanLine);
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  return { url: `${server.url}/cms-json/cms/v2`, authorization, spans };
}

it('continues the trace of a request through decision, append and projections', async () => {
  const { url, authorization, spans } = await start({ TELEMETRY: 'on', WEBHOOK_NETWORKS: '127.0.0.1' });
  const [trace, caller] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const headers = { authorization, 'content-type': 'application/json', traceparent: `00-${trace}-${caller}-01` };
  const body = JSON.stringify({ title: 'Traced', status: 'publish' });
  const answer = await fetch(`${url}/posts?secret=1`, { method: 'POST', headers, body });
  expect([answer.status, answer.headers.get('x-correlation-id')]).toEqual([201, trace]);
  const own = () => spans().filter((span) => span.trace === trace);
  while (!own().some(({ name }) => name.startsWith('POST '))) await wait(20);
  const request = own().find(({ name }) => name.startsWith('POST '));
  expect(request).toMatchObject({ name: 'POST /cms/v2/posts', parent: caller, kind: 1 });
  expect(request?.attributes).toEqual({
    'http.request.method': 'POST',
    'url.path': '/cms-json/cms/v2/posts',
    'http.route': '/cms/v2/posts',
    'http.response.status_code': 201,
    'palimpsest.correlation_id': trace,
  });
  const parts = own().filter(({ parent }) => parent === request?.id);
  expect(parts.map(({ name }) => name)).toEqual(['decide', 'append', 'project']);
  for (const part of parts) expect(part.took).toBeLessThanOrEqual(request?.took ?? 0);
  const hook = JSON.stringify({ address: 'http://127.0.0.1:1/a-key' });
  await fetch(url.replace('cms/v2', 'webhooks/v1/hooks'), { method: 'POST', headers, body: hook });
  await fetch(`${url}/posts`, { method: 'POST', headers, body });
  const sent = () => spans().find(({ name }) => name === 'outgoing');
  while (sent() === undefined) await wait(20);
  expect(sent()).toMatchObject({
    kind: 2,
    attributes: { 'server.address': '127.0.0.1:1', 'http.request.method': 'POST' },
  });
});

it('creates no spans unless TELEMETRY is on', async () => {
  const { url, authorization, spans } = await start({});
  expect((await fetch(`${url}/settings`, { headers: { authorization } })).status).toBe(200);
  expect(spans()).toEqual([]);
});
