import type { IncomingMessage } from 'node:http';
import type { Reply } from './reply.ts';

export const EVENT_STREAM = 'text/event-stream';
/** Milliseconds after which a client comes back that cannot be served now. */
const later = 5000;
export const laterBody = Buffer.from(`retry: ${later}\n\n`);

export const laterHeaders = {
  'Content-Type': EVENT_STREAM,
  'Content-Length': String(laterBody.length),
  'Cache-Control': 'no-store',
  // Whatever may answer the next request is reached by another connection.
  Connection: 'close',
  'X-Accel-Buffering': 'no',
} as const;

/** Whether a client asks for server-sent events. `accept`: the header. */
export function asksForEvents(accept: string | undefined): boolean {
  const ranges = accept?.toLowerCase().split(',') ?? [];
  return ranges.some((range) => range.trim().split(/[\s;]/, 1)[0] === EVENT_STREAM);
}

/** Whether a request is one of those that a browser gives up for good when it is answered with any status but 200. */
export function needsStream({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return (method === 'GET' || method === 'HEAD') && asksForEvents(headers.accept);
}

/** An event stream that only says when to come back: the answer to such a request where others get 503. */
export function comeBackLater(release: Reply['release']): Reply {
  return { status: 200, head: Object.entries(laterHeaders).flat(), body: laterBody, tag: null, release };
}
