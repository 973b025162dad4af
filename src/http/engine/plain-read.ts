import type { HeaderNames } from './headers.ts';
import type { RawRequest } from './input.ts';

/** Whether a request is a read whatever its body and headers say. */
export function isPlainRead({ method, body, headers }: RawRequest, { nonce }: HeaderNames): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    body.length === 0 &&
    headers['x-http-method-override'] === undefined &&
    headers[nonce] === undefined
  );
}
