/** Milliseconds for which a request that comes again gets the answer it got. */
export const answersStand = 24 * 60 * 60 * 1000;

/** Answers that are kept whatever times the log has. */
export const answersKept = 1000;

const prefix = 'request-';

/** Stream of the requests with one key. `key`: digest (hex) of who asks and of the key that was sent. */
export function requestStream(key: string): string {
  return prefix + key;
}

export function requestKey(stream: string): string {
  return stream.slice(prefix.length);
}

/** Up to which time answers have ceased to stand at another; both UTC, ISO 8601 with milliseconds. */
export function lapsedBy(at: string): string {
  return new Date(Date.parse(at) - answersStand).toISOString();
}
