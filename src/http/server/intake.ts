import type { IncomingMessage } from 'node:http';
import { after, listen } from '#process/guard.ts';
import { parseQuery } from '#text/query-string.ts';

export interface Intake {
  readonly bodyLimit: number;
  /**
   * Reads a body. Anonymous requests (`nobody`) have a quarter of the memory to themselves, so that they cannot use up that of
   * users. `release` returns the memory.
   */
  read(request: IncomingMessage, how: { readonly limit: number; readonly nobody: boolean }): Promise<Taken>;
  /** Memory for bodies that are read elsewhere: `hold` returns false if there is none left. */
  room(nobody: boolean): BodyRoom;
}

export type Taken = { readonly body: Buffer; readonly release: () => void } | { readonly fault: IntakeFault };
export type IntakeFault = BodyFault | 'too slow' | 'no room';

export interface BodyRoom {
  readonly hold: (bytes: number) => boolean;
  readonly release: () => void;
}

export interface IntakeOptions {
  /** Maximum bytes of one body. */
  readonly bodyLimit: number;
  /** Maximum bytes of all bodies reserved in memory. */
  readonly bodiesLimit: number;
  /** Milliseconds within which a body must arrive. */
  readonly timeout: number;
}

/** Why a body could not be read: it is longer than allowed, or the client disconnected. */
type BodyFault = 'too large' | 'aborted';

/** Milliseconds within which more of a body must arrive. */
const IDLE = 20_000;
const NOTHING = Buffer.alloc(0);
const LONGEST_FORM = 8192;
const SHARE_OF_NOBODY = 1 / 4;

/** A client that sends more than this many times the limit is disconnected. */
const MAX_OVERRUN = 8;
/** Milliseconds within which more of a discarded body must arrive. */
const DISCARDED_IDLE = 5000;

export function createIntake({ bodyLimit, bodiesLimit, timeout }: IntakeOptions): Intake {
  const runsAsAnonymous = Math.floor(bodiesLimit * SHARE_OF_NOBODY);
  const rooms = {
    nobody: createRooms(runsAsAnonymous),
    users: createRooms(Math.max(bodiesLimit - runsAsAnonymous, bodyLimit)),
  };
  const room = (nobody: boolean) => (nobody ? rooms.nobody() : rooms.users());
  return {
    bodyLimit,
    room,
    read: (request, { limit, nobody }) => read(request, { limit, bodyLimit, timeout, room: room(nobody) }),
  };
}

/** Reads the fields of a page's form, of up to `limit` bytes; none if it cannot be read. */
export async function readSmallForm(
  request: IncomingMessage,
  intake: Intake,
  limit = LONGEST_FORM,
): Promise<{ readonly [name: string]: unknown }> {
  const taken = await intake.read(request, { limit, nobody: true });
  if ('fault' in taken) return {};
  try {
    return parseQuery(taken.body.toString('utf8'));
  } finally {
    taken.release();
  }
}

/** A field of a form; '' if it is absent or no text. */
export function textField(form: Readonly<Record<string, unknown>>, name: string): string {
  const value = form[name];
  return typeof value === 'string' ? value : '';
}

interface ReadOptions {
  readonly limit: number;
  readonly bodyLimit: number;
  readonly timeout: number;
  readonly room: BodyRoom;
}

function read(request: IncomingMessage, { limit, bodyLimit, timeout, room }: ReadOptions): Promise<Taken> {
  const { promise, resolve, reject } = Promise.withResolvers<Taken>();
  const gathered = new Gathered();
  const begun = performance.now();
  let arrived = begun;
  let isOver = false;
  const end = (taken: Taken) => {
    if (isOver) return;
    isOver = true;
    stopWaiting();
    for (const stop of stops) stop();
    if ('fault' in taken) {
      gathered.clear();
      room.release();
      drainBody(request, bodyLimit);
    }
    resolve(taken);
  };
  const fail = (error: unknown) => {
    end({ fault: 'aborted' });
    reject(error);
  };
  const take = (chunk: Buffer) => {
    arrived = performance.now();
    if (gathered.size + chunk.length > limit) end({ fault: 'too large' });
    else if (!room.hold(chunk.length)) end({ fault: 'no room' });
    else gathered.add(chunk);
  };
  const idleLimit = Math.min(IDLE, timeout);
  const look = () => {
    const now = performance.now();
    if (now - arrived >= idleLimit || now - begun >= timeout) return end({ fault: 'too slow' });
    stopWaiting = after(Math.min(arrived + idleLimit, begun + timeout) - now, look, fail);
  };
  let stopWaiting = after(idleLimit, look, fail);
  const stops = [
    listen(request, 'data', take, fail),
    listen(request, 'end', () => end({ body: gathered.bytes(), release: room.release }), fail),
    listen(request, 'error', () => end({ fault: 'aborted' }), fail),
    listen(request, 'close', () => end({ fault: 'aborted' }), fail),
  ];
  if (isLonger(request, limit)) end({ fault: 'too large' });
  return promise;
}

/** Collects chunks in one buffer, which a body in many small ones would otherwise exceed by far. A single chunk is not copied. */
class Gathered {
  #bytes: Buffer = NOTHING;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (this.#size === 0) {
      this.#bytes = chunk;
      this.#size = size;
      return;
    }
    if (size > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#size);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#size);
    this.#size = size;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  clear(): void {
    this.#bytes = NOTHING;
    this.#size = 0;
  }
}

function createRooms(max: number): () => BodyRoom {
  let total = 0;
  return () => {
    let reserved = 0;
    return {
      hold: (bytes) => {
        if (total + bytes > max) return false;
        total += bytes;
        reserved += bytes;
        return true;
      },
      release: () => {
        total -= reserved;
        reserved = 0;
      },
    };
  };
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

export function isLonger({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers['content-length'] ?? 0) > limit;
}

/** Discards the rest of a body, so that the client reads the response. */
export function drainBody(request: IncomingMessage, limit: number): void {
  if (request.readableEnded || request.destroyed) return;
  let size = 0;
  const giveUp = () => request.destroy();
  let stopWaiting = after(DISCARDED_IDLE, giveUp, giveUp);
  const skip = (chunk: Buffer) => {
    size += chunk.length;
    stopWaiting();
    if (size > limit * MAX_OVERRUN) giveUp();
    else stopWaiting = after(DISCARDED_IDLE, giveUp, giveUp);
  };
  listen(request, 'error', () => undefined, giveUp);
  listen(request, 'data', skip, giveUp);
  listen(request, 'end', () => stopWaiting(), giveUp);
  listen(request, 'close', () => stopWaiting(), giveUp);
  request.resume();
}

/** Closes a connection on which a body stops arriving for `ms` milliseconds. */
export function giveUpWhenIdle(request: IncomingMessage, ms: number): void {
  const giveUp = () => request.destroy();
  request.setTimeout(ms);
  listen(request, 'timeout', giveUp, giveUp);
  listen(request, 'end', () => request.setTimeout(0), giveUp);
}
