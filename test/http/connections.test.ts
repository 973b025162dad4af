import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createConnections } from '#http/server/connections.ts';
import { startSite } from '../support/site.ts';

it('connections beyond the limit are closed at once, the others are served', async () => {
  let dropped = 0;
  const site = await startSite({ app: { connectionLimit: 3, onDropped: () => void dropped++ }, users: 'there' });
  const open = async () => {
    const socket = connect(site.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const sockets: Socket[] = [];
  try {
    for (let n = 0; n < 3; n++) {
      const socket = await open();
      sockets.push(socket);
      socket.write('GET /cms-json/cms/v2/types HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
    }
    const further = await open();
    further.resume();
    await once(further, 'close');
    expect(dropped).toBe(1);
    const [first] = sockets;
    first?.write('GET /cms-json/cms/v2/types HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String((await once(first as Socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
    first?.end();
    await once(first as Socket, 'close');
  } finally {
    for (const socket of sockets) socket.destroy();
    await site.close();
  }
});

it('clients that never pause do not keep a server from stopping', async () => {
  const connections = createConnections();
  let isStopped = false;
  const send = () => {
    connections.note({} as IncomingMessage, new EventEmitter() as ServerResponse);
    if (!isStopped) setImmediate(send);
  };
  send();
  connections.close();
  await connections.quiet();
  isStopped = true;
});
