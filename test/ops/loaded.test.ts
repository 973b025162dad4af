import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { serverProcess } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** What a site loads only for a bucket, an event store, an assistant, an image or a recording. */
const heavy = [
  '@aws-sdk',
  '@eventstore/db-client',
  '@modelcontextprotocol/sdk',
  'sharp',
  'exifr',
  'music-metadata',
] as const;

/** Writes the address of each module that a process or thread loads to a file. */
const watching = (file: string) => `
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    appendFileSync(${JSON.stringify(file)}, url + '\\n');
    return next(url, context);
  },
});`;

it('a small site loads none of the heavy packages until it needs them', async () => {
  const directory = temporaryDirectory();
  const [file, hook] = [join(directory, 'loaded.txt'), join(directory, 'hook.mjs')];
  writeFileSync(hook, watching(file));
  const server = await serverProcess(join(directory, 'data'), { NODE_OPTIONS: `--import=${pathToFileURL(hook).href}` });
  onTestFinished(() => server.stop());
  await server.start();
  const [, password = ''] = /password\s+((?:\w{4} ){5}\w{4})/.exec(server.output()) ?? [];
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  const body = JSON.stringify({ title: 'A post', content: 'Words', status: 'publish' });
  const headers = { authorization, 'content-type': 'application/json' };
  const made = await fetch(`${server.url}/cms-json/cms/v2/posts`, { method: 'POST', headers, body });
  expect(made.status).toBe(201);
  for (const path of ['/', '/feed/', '/cms-json/cms/v2/posts?search=words', '/cms-audit/']) {
    expect((await fetch(`${server.url}${path}`, { headers })).status).toBe(200);
  }
  const loaded = readFileSync(file, 'utf8');
  expect(loaded).toContain('/node_modules/fastify/');
  expect(heavy.filter((name) => loaded.includes(`/node_modules/${name}/`))).toEqual([]);
});
