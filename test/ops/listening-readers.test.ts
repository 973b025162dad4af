import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addUser } from '#commands/users.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { type RunningServer, serve } from '#ops/serve.ts';
import { serverParts } from '#ops/server/all.ts';
import type { ServerParts } from '#ops/server/parts.ts';
import { freePort } from '../support/free-port.ts';
import { eventually } from '../support/patience.ts';

let server: RunningServer;
let parts: ServerParts;
let directory = '';
let port = 0;
let authorization = '';
const agents: Agent[] = [];

const readers = () => parts.readers;
const allLive = () => eventually(() => expect(readers().live).toBe(2));
/** A connection of its own, which the system gives to any of the threads. */
const connection = () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return agent;
};
const connections = (count: number) => Array.from({ length: count }, connection);

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function ask(agent: Agent, asked: string, { body, headers = { authorization } }: Sent = {}) {
  const [method = '', path = ''] = asked.split(' ');
  const text = body === undefined ? '' : JSON.stringify(body);
  const type = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': text.length };
  const all = { host: '127.0.0.1', port, agent, method, path, headers: { ...type, ...headers } };
  return new Promise<{ status: number; head: readonly string[]; text: string }>((resolve, reject) => {
    const sent = request(all, async (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, head: answer.rawHeaders, text: Buffer.concat(pieces).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

const posts = '/cms-json/cms/v2/posts';
const create = async (agent: Agent, title: string) => {
  const { status, text } = await ask(agent, `POST ${posts}`, { body: { title, status: 'publish' } });
  expect(status).toBe(201);
  return JSON.parse(text).id as number;
};

beforeAll(async () => {
  port = await freePort();
  directory = mkdtempSync(join(tmpdir(), 'palimpsest-'));
  const env = { DATA_DIR: directory, PORT: String(port), METRICS_PORT: '0', LOG_LEVEL: 'silent' };
  const seen = serverParts.map((part) => ({
    ...part,
    open: (opened: ServerParts, scope: AsyncDisposableStack) => {
      parts = opened;
      return part.open(opened, scope);
    },
  }));
  server = await serve({ ...env, READERS: '2', GUESS_LIMIT: '7', CONNECTIONS: '400' }, seen);
  const { value } = await parts.node.store.submit({ viewer: null, correlationId: 'test' }, (session) =>
    addUser(session, { login: 'editor', role: 'editor' }),
  );
  if (isRefusal(value)) throw new Error(value.code);
  authorization = `Basic ${Buffer.from(`editor:${value.password}`).toString('base64')}`;
  await allLive();
});

afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
});

afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

describe('readers that share the port', () => {
  it('show every acknowledged write in all reads that follow, on any connection', async () => {
    const open = connections(200);
    const writers = open.slice(0, 8).map(async (agent, n) => {
      for (let round = 0; round < 5; round++) {
        const id = await create(agent, `Post ${n} ${round}`);
        const path = `${posts}/${id}`;
        const asked = Array.from({ length: 12 }, (_, i) => open[(n * 31 + round * 12 + i) % open.length] as Agent);
        const read = await Promise.all(asked.map((one) => ask(one, `GET ${path}`)));
        for (const { status, text } of read)
          expect([status, JSON.parse(text).title.rendered]).toEqual([200, `Post ${n} ${round}`]);
        const changed = await ask(agent, `POST ${path}`, { body: { title: `Changed ${n} ${round}` } });
        expect(changed.status).toBe(200);
        const lists = await Promise.all(asked.map((one) => ask(one, `GET ${posts}?include=${id}&_fields=title`)));
        for (const { text } of lists) expect(JSON.parse(text)[0].title.rendered).toBe(`Changed ${n} ${round}`);
      }
    });
    await Promise.all(writers);
  });

  it('answer in the same bytes as the main thread, whoever answers', async () => {
    const id = await create(connection(), 'The same');
    const nobody = { 'x-correlation-id': 'same' };
    const asked = [
      ...[`GET ${posts}?page=1`, `HEAD ${posts}/${id}`, `GET ${posts}?page=x`, `GET ${posts}/999`, `GET /the-same/`],
      ...['GET /nothing/', 'GET /robots.txt', 'GET /health/live', 'GET /cms-json/nothing', `OPTIONS ${posts}`],
      ...[`GET ${posts}?_method=DELETE`, 'GET /uploads/none.png', 'GET /%zz', `DELETE ${posts}/${id}`, 'GET /feed/'],
      ...['GET /cms-json/cms/v2/changes?since=0', `GET ${posts}?as_of=1`, `POST ${posts}`],
    ];
    for (const one of asked) {
      const answers = await Promise.all(connections(9).map((agent) => ask(agent, one, { headers: nobody })));
      const bytes = answers.map(({ status, head, text }) => {
        const at = head.findIndex((name) => name.toLowerCase() === 'date');
        return JSON.stringify([status, head.toSpliced(at, 2), text]);
      });
      expect([...new Set(bytes)], one).toHaveLength(1);
    }
  });

  it('count wrong passwords together', async () => {
    const headers = { authorization: `Basic ${Buffer.from('editor:wrong').toString('base64')}` };
    const statuses: number[] = [];
    for (const agent of connections(12)) statuses.push((await ask(agent, `GET ${posts}`, { headers })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(7);
    expect(statuses.slice(7)).toEqual(Array(5).fill(429));
    expect((await ask(connection(), `GET ${posts}`)).status).toBe(200);
  });

  it('count connections together', async () => {
    const dropped = async (many: number) => {
      const answers = await Promise.allSettled(connections(many).map((agent) => ask(agent, `GET ${posts}`)));
      return answers.filter(({ status }) => status === 'rejected').length;
    };
    await eventually(async () => {
      expect(await dropped(20)).toBe(0);
    });
    expect(await dropped(390)).toBeGreaterThan(0);
    for (const agent of agents.splice(0)) agent.destroy();
    await eventually(async () => expect(await dropped(1)).toBe(0));
  });

  it('pass on what the main thread streams, and the end of a client', async () => {
    const feeds = () => parts.metrics?.text().then((text) => /palimpsest_feeds_open (\d+)/.exec(text)?.[1]);
    const open = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const abort = new AbortController();
        const headers = { accept: 'text/event-stream', authorization };
        const url = `http://127.0.0.1:${port}/cms-json/cms/v2/changes`;
        const { body } = await fetch(url, { headers, signal: abort.signal });
        return { abort, pieces: body?.pipeThrough(new TextDecoderStream()).getReader() };
      }),
    );
    expect(await feeds()).toBe('6');
    const id = await create(connection(), 'Streamed');
    for (const { pieces } of open) {
      let text = '';
      while (!text.includes(`"id":${id}`)) text += (await pieces?.read())?.value ?? '';
    }
    for (const { abort } of open) abort.abort();
    await eventually(async () => expect(await feeds()).toBe('0'));
  });

  it('may end at any moment: others answer, none of them wrongly, and new ones take their place', async () => {
    const ended = connections(30).map(async (agent, n) => {
      const id = await create(agent, `Ended ${n}`).catch(() => null);
      if (id === null) return;
      for (let i = 0; i < 10; i++) {
        const other = connection();
        const answer = await ask(other, `GET ${posts}/${id}`).catch(() => null);
        other.destroy();
        if (answer === null) continue;
        expect([answer.status, JSON.parse(answer.text).title.rendered]).toEqual([200, `Ended ${n}`]);
      }
    });
    readers().kill();
    await Promise.all(ended);
    await allLive();
  });

  it('are replaced after projections have been, and still answer those that are connected', async () => {
    const id = await create(connection(), 'Before');
    const open = connections(20);
    const askAll = () => Promise.all(open.map((agent) => ask(agent, `GET ${posts}/${id}`)));
    const before = await askAll();
    readers().publish(null);
    const after = await askAll();
    for (const { status } of [...before, ...after]) expect(status).toBe(200);
    await allLive();
  });

  it('report what they answer', async () => {
    const count = async () => {
      const text = (await parts.metrics?.text()) ?? '';
      return Number(
        /duration_seconds_count\{route="\/cms\/v2\/tags",method="GET",status="200"\} (\d+)/.exec(text)?.[1] ?? 0,
      );
    };
    for (const agent of connections(20)) await ask(agent, 'GET /cms-json/cms/v2/tags');
    await eventually(async () => expect(await count()).toBe(20));
    expect((await parts.metrics?.text())?.includes('palimpsest_readers 2\n')).toBe(true);
  });

  it('leave uploads in pieces to the main thread, whoever is asked', async () => {
    const path = '/cms-json/cms/v2/media/resumable';
    const tus = { authorization, 'tus-resumable': '1.0.0' };
    for (const [n, agent] of connections(6).entries()) {
      const about = { 'upload-length': '4', 'upload-metadata': `filename ${btoa(`${n}.txt`)}` };
      const { status, head } = await ask(agent, `POST ${path}`, { headers: { ...tus, ...about } });
      const at = head[head.indexOf('location') + 1];
      expect(status).toBe(201);
      for (const other of connections(4)) expect((await ask(other, `HEAD ${at}`, { headers: tus })).status).toBe(200);
      const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
      expect((await ask(connection(), `PATCH ${at}`, { body: 12, headers: { ...tus, ...type } })).status).toBe(204);
    }
  });
});
