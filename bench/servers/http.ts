import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Process } from './process.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const timeout = 600_000;
const between = 5;

/** Sends one request to a port of this machine. */
export function ask(
  port: number,
  path: string,
  options: { agent?: Agent; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject);
  });
}

/** Polls a starting server until it answers 200. Returns the time of that, of `performance.now`. */
export async function firstAnswer(port: number, path: string, process: Process): Promise<number> {
  const since = performance.now();
  for (;;) {
    const status = await ask(port, path).then(
      (answer) => answer.status,
      () => 0,
    );
    const now = performance.now();
    if (status === 200) return now;
    if (!process.alive) throw new Error('the server ended instead of answering');
    if (now - since > timeout) throw new Error(`no answer to ${path} within ${timeout / 1000} s`);
    await wait(between);
  }
}

/** Requests many addresses over a few connections and passes each answer on as it arrives. */
export async function askAll(
  port: number,
  paths: readonly string[],
  take: (path: string, answer: Answer) => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  let i = 0;
  const worker = async () => {
    for (let path = paths[i++]; path !== undefined; path = paths[i++]) take(path, await ask(port, path, { agent }));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  agent.destroy();
}
