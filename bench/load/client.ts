import { connect, type Socket } from 'node:net';

/** Called with the status of an answer and the length of its body. */
export type OnAnswer = (status: number, bytes: number) => void;

/** One kept-alive connection that carries one request at a time. */
export interface Client {
  send(request: Buffer, onAnswer: OnAnswer): void;
  close(): void;
}

const headEnd = Buffer.from('\r\n\r\n');
const none = Buffer.alloc(0);

/** Opens a connection to a port of this machine. `onFault` is called when it breaks or an answer can't be read. */
export function openClient(port: number, onFault: (error: Error) => void): Promise<Client> {
  let waiting: OnAnswer | null = null;
  let head = none;
  let status = 0;
  let bytes = 0;
  let left = -1;
  let closed = false;

  function take(chunk: Buffer): void {
    if (left < 0) {
      const data = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = data.indexOf(headEnd);
      if (end < 0) {
        // The socket reuses the buffer that it reads into.
        head = Buffer.from(data);
        return;
      }
      head = none;
      const text = data.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      bytes = left = bodyLength(status, text);
      left -= data.length - end - headEnd.length;
    } else left -= chunk.length;
    if (left < 0) throw new Error('more was answered than was asked for');
    if (left === 0) answered();
  }

  function answered(): void {
    const onAnswer = waiting;
    waiting = null;
    left = -1;
    if (onAnswer === null) throw new Error('an answer that nobody asked for');
    onAnswer(status, bytes);
  }

  return new Promise((resolve, reject) => {
    const socket: Socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(128 * 1024),
        callback(size, buffer) {
          try {
            take(Buffer.from(buffer.buffer, buffer.byteOffset, size));
          } catch (error) {
            onFault(error as Error);
          }
          return true;
        },
      },
    });
    const fail = (error: Error) => {
      if (closed) return;
      reject(error);
      onFault(error);
    };
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the server closed the connection')));
    socket.on('connect', () =>
      resolve({
        send(request, onAnswer) {
          waiting = onAnswer;
          socket.write(request);
        },
        close() {
          closed = true;
          socket.destroy();
        },
      }),
    );
  });
}

function bodyLength(status: number, head: string): number {
  if (status === 304 || status === 204) return 0;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer of unknown length: ${head.slice(0, 200)}`);
  return Number(length);
}
