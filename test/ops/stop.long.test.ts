import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useS3 } from '../support/s3.ts';
import { serverProcess } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary.ts';

async function started(env: Readonly<Record<string, string>> = {}) {
  const server = await serverProcess(temporaryDirectory(), env);
  onTestFinished(() => server.kill());
  await server.start();
  while ((await statusOf(`${server.url}/health/ready`)) !== 200) await wait(20);
  const password = /password\s+(\S.*?)\s+\(/.exec(server.output())?.[1] ?? '';
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  return { server, port: Number(new URL(server.url).port), authorization };
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => undefined);
  });
}

const post = (authorization: string, body: string, headers = `Content-Length: ${body.length}`) =>
  `POST /cms-json/cms/v2/posts HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
  `Content-Type: application/json\r\n${headers}\r\n\r\n${body}`;

const s3 = await useS3();

describe('a server that ships its log and is told to stop', () => {
  it.each(['slow', 'gone'] as const)(
    'ships the rest, or says how much it did not ship: a place that is %s',
    {
      timeout: 60_000,
    },
    async (trouble) => {
      const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env;
      const aws = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
      const env = { ...aws, BACKUP_TO: s3.url, BACKUP_SHIP: 'on', LOG_LEVEL: 'warn', STOP_DEADLINE: '20000' };
      const { server, port, authorization } = await started(env);
      const stored = (kind: string) => [...s3.objects.keys()].filter((key) => key.includes(kind)).length;
      while (stored('/backups/') === 0) await wait(20);
      const write = async () => {
        const socket = await opened(port);
        socket.write(post(authorization, '{"title":"A post"}', 'Content-Length: 18\r\nConnection: close'));
        expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 /);
      };
      await write();
      while (stored('/tail/') === 0) await wait(20);
      const before = stored('/tail/');
      if (trouble === 'slow') s3.held = wait(4000);
      else s3.fault = 'gone';
      await write();
      await server.stop();
      s3.fault = null;
      const isTold = trouble === 'gone';
      expect([server.exitCode(), stored('/tail/') > before]).toEqual([0, !isTold]);
      s3.objects.clear();
      const said = /the end of the log may not be shipped: (\d+) events, positions (\d+) to (\d+)/.exec(
        server.output(),
      );
      const [, events, from, to] = (said ?? []).map(Number);
      expect(said !== null).toBe(isTold);
      if (isTold) expect(events).toBe(Number(to) - Number(from) + 1);
    },
  );
});

describe('a server that is told to stop', () => {
  it('answers requests already sent, closes each connection, and exits with 0', async () => {
    const { server, port, authorization } = await started();
    const sockets = await Promise.all(Array.from({ length: 40 }, () => opened(port)));
    const answers = sockets.map((socket) => text(socket).catch(String));
    for (const socket of sockets) socket.write(post(authorization, '{"title":"Sent before"}'));
    const exit = server.stop();
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 201 /);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    }
    await exit;
    expect(server.exitCode()).toBe(0);
  });

  it('stops being ready at once, but serves requests until STOP_DELAY has passed', async () => {
    const { server } = await started({ STOP_DELAY: '3000' });
    const agent = new Agent({ keepAlive: true });
    const ask = () =>
      new Promise<{ status: number; body: string; connection: string | undefined }>((resolve, reject) => {
        const asking = request(`${server.url}/health/ready`, { agent }, async (response) => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, body: await text(response), connection: headers.connection });
        });
        asking.on('error', reject).end();
      });
    expect(await ask()).toMatchObject({ status: 200, connection: 'keep-alive' });
    const exit = server.stop();
    await wait(300);
    const told = await ask();
    expect(told).toMatchObject({ status: 503, connection: 'close' });
    expect(JSON.parse(told.body).reasons).toEqual([{ code: 'stopping', message: expect.any(String) }]);
    expect(await statusOf(`${server.url}/cms-json/`)).toBe(200);
    await exit;
    expect(server.exitCode()).toBe(0);
  });

  it('answers unfinished uploads with 503, and exits with 0', async () => {
    const { server, port, authorization } = await started({ STOP_DELAY: '100', STOP_DEADLINE: '500' });
    const socket = await opened(port);
    const answer = text(socket).catch(String);
    socket.write(post(authorization, '{"title":', 'Content-Length: 1000000'));
    const file = await opened(port);
    const second = text(file).catch(String);
    file.write(
      `POST /cms-json/cms/v2/media HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
        'Content-Type: image/png\r\nContent-Disposition: attachment; filename="a.png"\r\nContent-Length: 1000000\r\n\r\nxx',
    );
    await wait(200);
    const exit = server.stop();
    for (const told of [await answer, await second]) {
      expect(told).toMatch(/^HTTP\/1\.1 503 /);
      expect(told).toMatch(/\r\nconnection: close\r\n/i);
      expect(told).toContain('rest_server_stopping');
    }
    await exit;
    expect(server.exitCode()).toBe(0);
  });
});
