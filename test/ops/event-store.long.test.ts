import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { serve } from '#ops/serve.ts';
import { eventually } from '../support/patience.ts';
import { serverProcess } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { standInForTest } from '../support/wire-store.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const bin = join(import.meta.dirname, '../../src/bin.js');

it('a start with an account that the event store rejects exits at once with status 3 and one sentence', async () => {
  const standIn = await standInForTest();
  standIn.faults.refuses = 'user';
  const env = { DATA_DIR: temporaryDirectory(), EVENTSTORE_URL: standIn.url, PORT: '0', LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'inherit', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [status] = await once(child, 'close');
  expect([status, said]).toEqual([
    3,
    'palimpsest: The event store does not accept the user and password of EVENTSTORE_URL\n',
  ]);
});

it('a server logs one warning per outage of the event store, however many writes it refuses, and health tells why', async () => {
  const standIn = await standInForTest();
  const env = { EVENTSTORE_URL: standIn.url, LOG_LEVEL: 'info', STORE_WAIT: '200' };
  const server = await serverProcess(temporaryDirectory(), env);
  onTestFinished(() => server.kill());
  await server.start();
  const reasons = async () => {
    const { reasons: told = [] } = (await (await fetch(`${server.url}/health/ready`)).json()) as {
      reasons?: { code: string }[];
    };
    return told.map(({ code }) => code);
  };
  await eventually(async () => expect(await reasons()).toEqual([]));
  const password = /password {3}(.+?) {3}/.exec(server.output())?.[1] ?? '';
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  const write = async () => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}/cms-json/cms/v2/posts`, {
      method: 'POST',
      headers,
      body: '{"title":"x"}',
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  expect(await write()).toBe(201);
  standIn.faults.refuses = 'user';
  await eventually(async () => expect(await reasons()).toEqual(['event_store_refuses']));
  for (let k = 0; k < 10; k++) expect(await write()).toBe(503);
  standIn.faults.refuses = null;
  await eventually(async () => expect(await reasons()).toEqual([]));
  expect(await write()).toBe(201);
  standIn.stop();
  await eventually(async () => expect(await reasons()).toEqual(['event_store_unreachable']));
  for (let k = 0; k < 10; k++) expect(await write()).toBe(503);
  await standIn.start();
  await eventually(async () => expect(await reasons()).toEqual([]));
  // The server’s output may arrive later than its responses.
  const ends = () => server.output().match(/answers again after .* s; \d+ writes were refused/g);
  await eventually(() => expect(ends()).toHaveLength(2));
  expect(ends()?.map((line) => line.replace(/after .* s/, ''))).toEqual(
    Array(2).fill('answers again ; 10 writes were refused'),
  );
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const told = lines
    .map((line) => JSON.parse(line) as { level: string; msg: string })
    .filter(({ level }) => level !== 'info');
  expect(told.map(({ level }) => level)).toEqual(['warn', 'warn']);
});

it('the metrics count the subscriptions that the event store ended', async () => {
  const standIn = await standInForTest();
  const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const env = { EVENTSTORE_URL: standIn.url, PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'silent' };
  const server = await serve({ DATA_DIR: temporaryDirectory(), ...env });
  onTestFinished(() => server.close());
  print.mockRestore();
  const ended = async () => {
    const text = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
    return /^palimpsest_subscription_ends (\d+)$/m.exec(text)?.[1];
  };
  await eventually(() => expect(standIn.readers).toBe(1));
  expect(await ended()).toBe('0');
  standIn.abortStreams();
  await eventually(async () => expect(await ended()).toBe('1'));
});

it('commits that an event store has lost are named by status, keep a start, and are given back by a command, with or without a server', async () => {
  const standIn = await standInForTest();
  const directory = temporaryDirectory();
  const env = { EVENTSTORE_URL: standIn.url, LOG_LEVEL: 'info', STORE_WAIT: '200' };
  const server = await serverProcess(directory, env);
  onTestFinished(() => server.kill());
  const run = async (...args: readonly string[]) => {
    const settings = { ...process.env, ...env, DATA_DIR: directory };
    const running = promisify(execFile)(process.execPath, [bin, ...args], { env: settings });
    const {
      stdout,
      stderr,
      code = 0,
    } = (await running.catch((error: { stdout: string; stderr: string; code: number }) => error)) as {
      stdout: string;
      stderr: string;
      code?: number;
    };
    return { status: code, text: stdout + stderr };
  };
  await server.start();
  const position = async () => Number(/^position +(\d+)/m.exec((await run('status')).text)?.[1]);
  const restore = standIn.storage.backup();
  const before = await position();
  expect((await run('user', 'add', 'late', '--role', 'editor')).status).toBe(0);
  const after = await position();
  expect(after).toBeGreaterThan(before);
  const beyond = new RegExp(
    `ends at position ${before}.*this node has ${after - before} events more, up to position ${after}`,
  );
  restore();
  await eventually(async () => expect((await run('status')).text).toMatch(beyond));
  expect((await run('event-store', 'complete')).text).toMatch(new RegExp(`count +${after - before}\\b`));
  await eventually(async () => expect((await fetch(`${server.url}/health/ready`)).status).toBe(200));
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.includes('ends at position'));
  expect(lines.map((line) => ({ level: JSON.parse(line).level, err: JSON.parse(line).err }))).toEqual([
    { level: 'error' },
  ]);

  await server.stop();
  restore();
  expect((await run('status')).text).toMatch(beyond);
  const refused = await run('start');
  expect([refused.status, refused.text]).toEqual([1, expect.stringMatching(beyond)]);
  expect((await run('event-store', 'complete')).status).toBe(0);
  expect((await run('status')).text).toContain('the same log');
  await server.start();
  expect(await position()).toBe(after);
});
