import { createServer } from '#process/node-http.ts';
import type { Metrics } from './metrics.ts';

/** Serves metrics at `/metrics` on a separate address, so that access can be restricted by network. */
export function serveMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(async ({ url, method }, response) => {
    if (url?.split('?')[0] !== '/metrics' || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await metrics.text();
      response.writeHead(200, { 'content-type': metrics.contentType }).end(method === 'HEAD' ? undefined : text);
    } catch {
      // A gauge could not be read because of the log or the projections; `/health/ready` explains it.
      response.writeHead(503).end();
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve({
        port: address !== null && typeof address === 'object' ? address.port : port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}
