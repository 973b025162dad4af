import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HandOver } from '#http/server/exchange.ts';
import { listen } from '#process/guard.ts';
import { Agent, request as ask } from '#process/node-http.ts';
import type { PortSocket } from '#process/port-socket.ts';

/** Headers that belong to one connection, and those that it may not leave out. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);
const withBody: readonly (string | undefined)[] = ['POST', 'PUT', 'PATCH'];

/**
 * Returns a function that passes a request on, whole, with its body as it arrives, and sends back what is answered. Each connection of a
 * client has one of its own there, which `connect` opens when it is first needed, so that both end together.
 */
export function handOverTo(connect: (address: string | undefined) => PortSocket): HandOver {
  const agents = new WeakMap<Socket, InstanceType<typeof Agent>>();
  const agentOf = (socket: Socket) => {
    const known = agents.get(socket);
    if (known !== undefined) return known;
    const { remoteAddress } = socket;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    // An agent is content with any stream.
    agent.createConnection = () => connect(remoteAddress) as never;
    agents.set(socket, agent);
    socket.once('close', () => agent.destroy());
    return agent;
  };
  return (request, response) => {
    const { method, socket } = request;
    // The framework may have changed the address.
    const { originalUrl: path = request.url } = request as IncomingMessage & { readonly originalUrl?: string };
    const asked = ask({ agent: agentOf(socket), method, path, headers: headersOf(request), setHost: false });
    const fail = () => response.destroy();
    listen(asked, 'response', (answer: IncomingMessage) => send(answer, response), fail);
    listen(asked, 'error', () => (response.writableEnded ? request.resume() : fail()), fail);
    listen(response, 'close', () => (response.writableFinished ? undefined : asked.destroy()), fail);
    request.pipe(asked);
  };
}

function headersOf({ method, headers, rawHeaders }: IncomingMessage): string[] {
  const isEmpty = headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
  return isEmpty && withBody.includes(method) ? [...rawHeaders, 'Content-Length', '0'] : rawHeaders;
}

function send(answer: IncomingMessage, response: ServerResponse): void {
  const head: string[] = [];
  for (let i = 0; i < answer.rawHeaders.length; i += 2) {
    const [name = '', value = ''] = answer.rawHeaders.slice(i, i + 2);
    if (!ofConnection.has(name.toLowerCase())) head.push(name, value);
  }
  if (answer.headers.connection === 'close') response.shouldKeepAlive = false;
  response.writeHead(answer.statusCode ?? 500, answer.statusMessage, head);
  // The client of a stream learns at once that it is connected.
  if (answer.headers['content-length'] === undefined) response.flushHeaders();
  const fail = () => response.destroy();
  listen(answer, 'error', fail, fail);
  answer.pipe(response);
}
