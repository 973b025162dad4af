import type { NewEvent } from '#eventstore/port.ts';

/** One commit would be larger than the site allows. Nothing was appended. */
export class CommitTooLarge extends Error {
  override readonly name = 'CommitTooLarge';
}

/** Bytes that events take in a commit: their data and what of it is sealed. */
export function bytesOf(events: readonly NewEvent[]): number {
  return events.reduce(
    (sum, { data, sealed }) => sum + Buffer.byteLength(data) + (sealed === null ? 0 : Buffer.byteLength(sealed)),
    0,
  );
}
