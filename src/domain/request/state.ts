/** How long a repeated request gets the recorded answer, in milliseconds. */
export const answersStand = 24 * 60 * 60 * 1000;

/** Number of recent answers kept whatever their age. */
export const answersKept = 1000;

const prefix = 'request-';

/** Stream of the requests with one key. `key`: digest (hex) of the user and the key sent. */
export function requestStream(key: string): string {
  return prefix + key;
}

export function requestKey(stream: string): string {
  return stream.slice(prefix.length);
}

/** Answers up to the returned time have expired at the given one; both UTC, ISO 8601 with milliseconds. */
export function lapsedBy(at: string): string {
  return new Date(Date.parse(at) - answersStand).toISOString();
}
