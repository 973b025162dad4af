import type { EventEmitter } from 'node:events';
import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { listen } from './guard.ts';

/** Bytes that may be under way. */
const most = 256 * 1024;

/** One end of a connection between two threads, which HTTP servers and clients take for a socket. */
export class PortSocket extends Duplex {
  /** Of the client whose requests it carries. */
  readonly remoteAddress: string | undefined;
  readonly #port: MessagePort;
  #underWay = 0;
  #room: (() => void) | null = null;
  #unread = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(port: MessagePort, remoteAddress?: string) {
    super();
    this.#port = port;
    this.remoteAddress = remoteAddress;
    const fail = (error: unknown) => this.destroy(error as Error);
    const emitter = port as unknown as EventEmitter;
    listen(emitter, 'message', (message: Uint8Array | number | null) => this.#take(message), fail);
    listen(emitter, 'close', () => this.destroy(), fail);
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.#idle?.refresh();
    // Copied, because the buffer may be a part of a pool.
    const bytes = new Uint8Array(chunk);
    this.#underWay += bytes.length;
    this.#port.postMessage(bytes, [bytes.buffer]);
    if (this.#underWay < most) done();
    else this.#room = done;
  }

  override _final(done: () => void): void {
    this.#port.postMessage(null);
    done();
  }

  override _read(): void {
    if (this.#unread > 0) this.#port.postMessage(this.#unread);
    this.#unread = 0;
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#idle);
    this.#port.close();
    done(error);
  }

  /** Emits `timeout` once nothing has come or gone for some milliseconds; 0: never. */
  setTimeout(ms: number): this {
    clearTimeout(this.#idle);
    this.#idle = ms > 0 ? setTimeout(() => this.emit('timeout'), ms).unref() : undefined;
    return this;
  }

  // What else `net.Socket` has. The connection lasts as long as that of the client.

  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** Takes bytes, the end, or the number of bytes that the other end has taken. */
  #take(message: Uint8Array | number | null): void {
    this.#idle?.refresh();
    if (typeof message === 'number') {
      this.#underWay -= message;
      const room = this.#room;
      this.#room = null;
      room?.();
    } else if (message === null) this.push(null);
    else if (this.push(Buffer.from(message.buffer, message.byteOffset, message.length)))
      this.#port.postMessage(message.length);
    else this.#unread += message.length;
  }
}
