import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codec } from '#catalogue/events.ts';
import { openEventStoreDb } from '#eventstore/eventstoredb/store.ts';
import { type EventStore, isConflict, type NewEvent } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { type StandInProcess, startStandInProcess } from '../support/stand-in/process.ts';
import { quick } from '../support/wire-store.ts';

const program = join(import.meta.dirname, '../../src/bin.js');
const root = mkdtempSync(join(tmpdir(), 'palimpsest-upgrade-'));
const directory = join(root, 'node');
let standIn: StandInProcess;
let other: EventStore;
let node: Awaited<ReturnType<typeof startNode>>;

beforeAll(async () => {
  standIn = await startStandInProcess();
  node = await startNode();
  const path = join(root, 'other.db');
  const [stream, appendBytes] = ['palimpsest-site', 1024 * 1024];
  const hooks = { onProgress: () => undefined, onError: () => undefined };
  const options = { url: standIn.url, path, stream, appendBytes, timings: quick, chance: Math.random, ...hooks };
  other = await openEventStoreDb(options);
}, 60_000);
afterAll(async () => {
  node.child.kill('SIGKILL');
  other.close();
  await standIn.kill();
  rmSync(root, { recursive: true, force: true });
});

describe('a node beside nodes of other versions', () => {
  it('reads events written by an older one', async () => {
    const { id } = await node.call('POST /posts', { title: 'One', content: 'Words', status: 'publish' });
    const all = { title: 'Two', content: 'More words', excerpt: '', footnotes: '' };
    const saved = { revision: id + 1, modified: '2026-03-01T12:00:00', modifiedGmt: '2026-03-01T12:00:00' };
    const position = await append({
      ...{ stream: `entry-${id}`, type: 'EntryRevised', v: 1 },
      ...{ data: JSON.stringify(saved), sealed: JSON.stringify(all) },
    });
    const read = await node.call(`GET /posts/${id}?context=edit`, undefined, position);
    expect([read.title.raw, read.content.raw]).toEqual(['Two', 'More words']);
    await node.call(`POST /posts/${id}`, { title: 'Three' });
    const [, shown] = await node.call<Post[]>(`GET /posts/${id}/revisions?context=edit&order=asc`);
    expect([shown?.title.raw, shown?.content.raw]).toEqual(['Three', 'More words']);
  });

  it('exits with a clear message at the first event that is too new, and loses nothing', async () => {
    const { id } = await node.call('POST /posts', { title: 'Kept', status: 'publish' });
    const exited = once(node.child, 'exit');
    const { type, v } = codec.definitions.find(({ type }) => type === 'EntryRevised') ?? { type: '', v: 0 };
    const position = await append({ stream: `entry-${id}`, type, v: v + 1, data: '{}', sealed: '{"title":"Newer"}' });
    expect((await exited)[0]).toBe(1);
    const message = `event of a newer version of this program at position ${position}`;
    expect(node.output()).toContain(message);
    const again = launch();
    expect((await once(again.child, 'exit'))[0]).toBe(1);
    expect(again.output()).toContain(message);
    const stored = [...other.read()].map((event) => [event.position, event.hash]);
    const copy = openSqliteStore({ path: join(directory, 'log.db') });
    expect([...copy.read()].map((event) => [event.position, event.hash])).toEqual(stored);
    copy.close();
  }, 60_000);
});

interface Post {
  readonly id: number;
  readonly title: { readonly raw: string };
  readonly content: { readonly raw: string };
}

/** Appends an event as another node does. Returns its position. */
async function append(event: NewEvent): Promise<number> {
  for (;;) {
    const { position, at } = other.head();
    const commit = {
      id: randomUUID(),
      at: at ?? new Date().toISOString(),
      actor: 1,
      correlationId: 'other',
      causationId: null,
    };
    const done = await other.append([{ ...commit, events: [event] }], position);
    if (!isConflict(done)) return done.position;
  }
}

function launch(): { readonly child: ChildProcess; readonly output: () => string } {
  const settings = { DATA_DIR: directory, EVENTSTORE_URL: standIn.url, HOST: '127.0.0.1', PORT: '0' };
  const child = spawn(process.execPath, [program, 'start'], {
    env: { ...settings, LOG_LEVEL: 'silent', PATH: process.env['PATH'] },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return { child, output: () => output };
}

async function startNode() {
  const { child, output } = launch();
  while (!output().includes('password')) await once(child.stdout as NodeJS.ReadableStream, 'data');
  const said = (pattern: RegExp) => pattern.exec(output())?.[1] ?? '';
  const address = said(/interface\s+(\S+)/);
  const credentials = Buffer.from(`admin:${said(/password\s+(\S.*?)\s+\(/)}`).toString('base64');
  const call = async <T = Post>(request: string, body?: unknown, position?: number) => {
    const [method = '', path = ''] = request.split(' ');
    const answer = await fetch(`${address}cms/v2${path}`, {
      method,
      headers: {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/json',
        ...(position === undefined ? {} : { 'x-cms-position': String(position) }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as T;
  };
  return { child, output, call };
}
