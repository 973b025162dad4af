import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems choose themselves: one of those could be taken before it is used. */
const [lowest, highest] = [10_000, 32_000];

/** A port of this machine that is free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    const server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    } catch {
      continue;
    }
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
