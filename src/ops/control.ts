import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { LogInUse } from '#eventstore/port.ts';
import { readLine } from './line.ts';
import type { Outcome } from './outcome.ts';
import type { Perform } from './perform.ts';

const request = z.object({ verb: z.string(), args: z.unknown() });

/** Time in which a caller must have sent its line, in milliseconds. */
const patience = 10_000;

export function controlPath(dataDir: string): string {
  const absolute = resolve(dataDir, 'control.sock');
  const near = relative('.', absolute);
  // The system allows some hundred bytes here, so the shorter way to say it is the safer one.
  return near.length < absolute.length ? join('.', near) : absolute;
}

/**
 * Takes verbs on a socket that only the own user may open. A socket file that a killed server left behind is replaced;
 * throws `LogInUse` when somebody answers on it. `close` waits for the verbs that are being carried out.
 */
export async function listenControl(path: string, perform: Perform): Promise<{ close(): Promise<void> }> {
  if (await isAnswered(path)) throw new LogInUse(`another process answers on ${path}`);
  rmSync(path, { force: true });
  const idle = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    idle.add(socket);
    socket.on('close', () => idle.delete(socket));
    socket.on('error', () => socket.destroy());
    void serve(socket, perform, () => idle.delete(socket));
  });
  await listen(server, path);
  return {
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of idle) socket.destroy();
      }),
  };
}

async function serve(socket: Socket, perform: Perform, onBusy: () => void): Promise<void> {
  try {
    socket.setTimeout(patience, () => socket.destroy());
    const line = await readLine(socket);
    if (line !== null) {
      socket.setTimeout(0);
      onBusy();
      socket.end(`${JSON.stringify(await answer(line, perform))}\n`, () => socket.destroy());
      return;
    }
  } catch {
    // The caller is gone; what it asked for has been done or not, as it would be without an answer.
  }
  socket.destroy();
}

async function answer(line: string, perform: Perform): Promise<Outcome> {
  const asked = request.safeParse(parseJson(line));
  if (!asked.success) return { kind: 'usage', message: 'the request is not understood' };
  return perform(asked.data.verb, asked.data.args);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The file mode follows from the mask, so that there is no moment at which others could open it. */
function listen(server: Server, path: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.once('listening', () => {
      server.off('error', fail);
      done();
    });
    const mask = process.umask(0o177);
    try {
      server.listen(path);
    } finally {
      process.umask(mask);
    }
  });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
