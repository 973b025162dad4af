import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createOutgoing, type OutgoingOptions } from '#outgoing/fetch.ts';
import type { OutgoingPlace } from '#outgoing/place.ts';

/** Public addresses, to which nothing connects here. */
export const PUBLIC = '93.184.215.14';
export const OTHER = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';

type Names = Readonly<Record<string, readonly string[] | (() => readonly string[])>>;

/** A local server in place of every public one: all connections end there. */
export async function startOutside(listener: RequestListener, names: Names, options: OutgoingOptions = {}) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const places: OutgoingPlace[] = [];
  const asked: string[] = [];
  const outgoing = createOutgoing({
    resolve: async (host) => {
      asked.push(host);
      const found = names[host];
      if (found === undefined) throw new Error(`no such name: ${host}`);
      return typeof found === 'function' ? found() : found;
    },
    connect: (place) => {
      places.push(place);
      return connect(port, '127.0.0.1');
    },
    ...options,
  });
  return {
    outgoing,
    /** Connections that were made. */
    places,
    /** Names that were looked up. */
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type Outside = Awaited<ReturnType<typeof startOutside>>;
