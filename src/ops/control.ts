import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { LogInUse } from '#eventstore/port.ts';
import { actingOperator, actingWith, operatorSchema } from './operator.ts';
import { type Outcome, outcome } from './outcome.ts';
import type { Perform } from './perform.ts';

const requestSchema = z.object({ verb: z.string(), args: z.unknown(), operator: operatorSchema.optional() });

/** Milliseconds within which a client must have sent its line. */
const timeout = 10_000;

/** Milliseconds between two signs of life of a server that works on an answer. */
const beat = 10_000;

/**
 * Milliseconds without a sign of life after which a server counts as gone: the commit of a very large undo takes more than a minute. The end
 * of a server is noticed at once.
 */
const answerTimeout = 600_000;

/** Maximum length of a request in characters: of an import, a commit of the usual size with all of its marks escaped. */
const longest = 64 * 1024 * 1024;

export function controlPath(dataDir: string): string {
  const absolute = resolve(dataDir, 'control.sock');
  const near = relative('.', absolute);
  // The system limits such paths to about a hundred bytes, so the shorter form is safer.
  return near.length < absolute.length ? join('.', near) : absolute;
}

/**
 * Accepts verbs on a socket that only its owner may open. Replaces a socket file left behind by a killed server. Throws `LogInUse` if
 * another process answers on it. `close` waits for verbs that are in progress.
 */
export async function listenControl(path: string, perform: Perform): Promise<{ close(): Promise<void> }> {
  if (await isAnswered(path)) throw new LogInUse(`another process answers on ${path}`);
  rmSync(path, { recursive: true, force: true });
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
    socket.setTimeout(timeout, () => socket.destroy());
    const line = await readLine(socket, longest);
    if (line !== null) {
      socket.setTimeout(0);
      onBusy();
      // Empty lines say that the server is still at work.
      const beats = setInterval(() => socket.write('\n'), beat);
      const outcome = await answer(line, perform).finally(() => clearInterval(beats));
      socket.end(`${JSON.stringify(outcome)}\n`, () => socket.destroy());
      return;
    }
  } catch {
    // The client is gone; whether its verb was carried out does not depend on the answer.
  }
  socket.destroy();
}

async function answer(line: string, perform: Perform): Promise<Outcome> {
  const asked = requestSchema.safeParse(parseJson(line));
  if (!asked.success) return { kind: 'usage', message: 'the request is not understood' };
  const { verb, args, operator } = asked.data;
  return actingWith({ operator }, () => perform(verb, args));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The umask sets the file mode, so that the socket is never open to others. */
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

/** Sends a verb to the server that listens on a socket; null if there is none. */
export async function callControl(path: string, verb: string, args: unknown): Promise<Outcome | null> {
  const request = JSON.stringify({ verb, args, operator: actingOperator() });
  const socket = connect(path);
  const refused = await new Promise<NodeJS.ErrnoException | null>((done) => {
    socket.once('connect', () => done(null));
    socket.once('error', done);
  });
  if (refused !== null) return ofConnect(refused);
  if (request.length > longest) {
    socket.destroy();
    return tooLong;
  }
  socket.on('error', () => socket.destroy());
  socket.setTimeout(answerTimeout, () => socket.destroy());
  socket.write(`${request}\n`);
  const line = await readLine(socket);
  socket.destroy();
  return line === null ? lost : ofLine(line);
}

const lost: Outcome = {
  kind: 'unavailable',
  message: 'the server went away before it answered; look whether the change was made',
};

const tooLong: Outcome = {
  kind: 'usage',
  message: `the server takes at most ${longest / 2 ** 20} Mi characters at once: stop it, and do this without it`,
};

function ofConnect(error: NodeJS.ErrnoException): Outcome | null {
  // No server: the socket does not exist or was left behind by a killed one.
  if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'ENOTDIR') return null;
  return { kind: 'unavailable', message: `the server's control socket cannot be used: ${error.message}` };
}

function ofLine(line: string): Outcome {
  try {
    return outcome.parse(JSON.parse(line));
  } catch {
    return { kind: 'unavailable', message: 'the answer of the server is not understood; is it another version?' };
  }
}

/** Reads the first line that is not empty; null if the connection ends before it is complete or it is too long. */
function readLine(socket: Socket, max = Number.POSITIVE_INFINITY): Promise<string | null> {
  socket.setEncoding('utf8');
  let text = '';
  return new Promise((done) => {
    const take = (chunk: string): void => {
      text = text === '' ? chunk.trimStart() : text + chunk;
      const end = chunk.includes('\n') ? text.indexOf('\n') : -1;
      if (end < 0 && text.length <= max) return;
      socket.off('data', take).resume();
      done(end < 0 ? null : text.slice(0, end));
    };
    socket.on('data', take);
    socket.once('end', () => done(null));
    socket.once('close', () => done(null));
  });
}
