import { connect } from 'node:net';
import { readLine } from './line.ts';
import { type Outcome, outcome } from './outcome.ts';

/** Maximum time for a server's answer, in milliseconds. */
const timeout = 60_000;

/** Sends a verb to the server that listens on a socket; null if there is none. */
export async function callControl(path: string, verb: string, args: unknown): Promise<Outcome | null> {
  const socket = connect(path);
  const refused = await new Promise<NodeJS.ErrnoException | null>((done) => {
    socket.once('connect', () => done(null));
    socket.once('error', done);
  });
  if (refused !== null) return ofConnect(refused);
  socket.on('error', () => socket.destroy());
  socket.setTimeout(timeout, () => socket.destroy());
  socket.write(`${JSON.stringify({ verb, args })}\n`);
  const line = await readLine(socket);
  socket.destroy();
  return line === null ? lost : ofLine(line);
}

const lost: Outcome = {
  kind: 'unavailable',
  message: 'the server went away before it answered; look whether the change was made',
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
