import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request: it is passed on, its answer is lost after the site has carried it out, it reaches nobody, or this is answered. */
type Fate =
  | 'passed'
  | 'lost'
  | 'broken off'
  | 'cut'
  | { readonly status: number; readonly headers?: Record<string, string> };

/** A proxy on loopback that loses answers. `fates`: those of the next requests; further ones are passed on. */
export async function startProxy(port: () => number) {
  const fates: Fate[] = [];
  const seen: IncomingMessage[] = [];
  const server = createServer((asked, answer) => {
    seen.push(asked);
    const fate = fates.shift() ?? 'passed';
    if (typeof fate === 'object') {
      answer.writeHead(fate.status, fate.headers).end('<h1>Not now</h1>');
      return;
    }
    if (fate === 'cut') {
      asked.destroy();
      return;
    }
    const { method = '', url = '', headers } = asked;
    const passed = request({ host: '127.0.0.1', port: port(), method, path: url, headers }, (came) =>
      handOn(came, answer, fate),
    );
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cms-json`,
    fates,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function handOn(came: IncomingMessage, answer: ServerResponse, fate: Fate): void {
  came.on('error', () => answer.destroy());
  if (fate === 'passed') {
    answer.writeHead(came.statusCode ?? 0, came.headers);
    came.pipe(answer);
    return;
  }
  if (fate === 'broken off') {
    answer.writeHead(came.statusCode ?? 0, came.headers);
    answer.write('{');
  }
  came.resume().on('end', () => answer.destroy());
}
