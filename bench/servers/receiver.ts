/** Takes messages of a hook, and tells how many changes and messages came since it was last asked. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What came. */
export interface Taken {
  readonly port: number;
  readonly messages: number;
  readonly changes: number;
}

let [messages, changes] = [0, 0];
const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  messages += 1;
  changes += text.split('"resource"').length - 1;
  response.writeHead(204).end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
process.on('message', () => {
  process.send?.({ port, messages, changes } satisfies Taken);
  [messages, changes] = [0, 0];
});
process.on('disconnect', () => process.exit());
