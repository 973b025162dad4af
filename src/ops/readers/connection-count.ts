import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Open connections, in memory that threads share: those of all threads together, and of this one. */
export interface ConnectionCount {
  readonly all: Int32Array;
  readonly own: Int32Array;
}

export function sharedNumber(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Makes a server refuse connections when all threads together have as many as are allowed. */
export function limitTogether(server: Server, { all, own }: ConnectionCount, limit: number): void {
  const add = (count: number) => {
    for (const counted of [all, own]) Atomics.add(counted, 0, count);
  };
  server.on('connection', (socket: Socket) => {
    // One that another thread passes on is counted there.
    if (socket.remotePort === undefined) return;
    add(1);
    socket.once('close', () => add(-1));
  });
  const get = () => limit - Atomics.load(all, 0) + Atomics.load(own, 0);
  Object.defineProperty(server, 'maxConnections', { get });
}
