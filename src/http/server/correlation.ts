import type { IncomingHttpHeaders } from 'node:http';

/** Header with the id under which a request and its response are logged. */
export const CORRELATION = 'X-Correlation-Id';

const GIVEN = /^[\x21-\x7e]{1,128}$/;
/** The format of W3C Trace Context: version, trace, parent, flags. */
const TRACE = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** The id of a request in the logs, in its response and in its commit (interface behaviour, section 4). */
export function correlationOf(headers: IncomingHttpHeaders, newId: () => string): string {
  const given = headers['x-correlation-id'];
  if (typeof given === 'string' && GIVEN.test(given)) return given;
  const { traceparent } = headers;
  return (typeof traceparent === 'string' ? TRACE.exec(traceparent)?.[1] : undefined) ?? newId();
}
