import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { Document } from '#http/openapi/types.ts';
import { createChecker } from '../support/openapi.ts';

/** A proxy that answers 599 for every response that contradicts the server’s own OpenAPI document. */
export function checkDescribed(port: number, onFault: (fault: string) => void): Server {
  let check: ReturnType<typeof createChecker> | undefined;
  /** Null while the server starts. */
  const checker = async () => {
    const answer = check === undefined ? await fetch(`http://127.0.0.1:${port}/cms-json/openapi.json`) : null;
    if (answer?.ok) check = createChecker((await answer.json()) as Document);
    return check ?? null;
  };
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(incoming));
    const { method = 'GET', url = '/', headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, async (answer) => {
      const bytes = Buffer.concat(await Array.fromAsync(answer));
      const { pathname, searchParams: query } = new URL(url, 'http://site.invalid');
      const asked = String(headers['x-http-method-override'] ?? method);
      const path = pathname.startsWith('/cms-json') ? decodeURI(pathname.slice('/cms-json'.length)) || '/' : null;
      const { statusCode: status = 500 } = answer;
      const type = answer.headers['content-type'] ?? '';
      const isReadable = type.startsWith('application/json') && answer.headers['content-encoding'] === undefined;
      let fault: string | null = null;
      if (path !== null && isReadable) {
        const exchanged = { method: asked.toUpperCase(), path, query, status, type, body: bytes.toString('utf8') };
        fault = (await checker())?.(exchanged) ?? null;
      }
      if (fault !== null) onFault(fault);
      outgoing.writeHead(fault === null ? status : 599, answer.rawHeaders);
      outgoing.end(bytes);
    });
    onward.on('error', () => outgoing.destroy());
    onward.end(body);
  };
  return createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch((error: unknown) => {
      onFault(String(error));
      outgoing.destroy();
    });
  });
}
