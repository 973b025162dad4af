import type { Socket } from 'node:net';

/** Longest line that is taken, in characters. */
const longest = 1024 * 1024;

/** The first line that arrives; null when the other side goes before it is whole, or sends too much. */
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
