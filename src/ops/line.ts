import type { Socket } from 'node:net';

/** Maximum length of a line in characters. */
const longest = 1024 * 1024;

/** Reads the first line; null if the connection ends before it is complete or it is too long. */
export function readLine(socket: Socket): Promise<string | null> {
  socket.setEncoding('utf8');
  let text = '';
  return new Promise((done) => {
    const take = (chunk: string): void => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end < 0 && text.length <= longest) return;
      socket.off('data', take).resume();
      done(end < 0 ? null : text.slice(0, end));
    };
    socket.on('data', take);
    socket.once('end', () => done(null));
    socket.once('close', () => done(null));
  });
}
