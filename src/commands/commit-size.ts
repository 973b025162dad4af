import type { Budget, NewEvent } from '#eventstore/port.ts';

/** One commit would be larger than the site allows. Nothing was appended. */
export class CommitTooLarge extends Error {
  override readonly name = 'CommitTooLarge';
}

/** Bytes that an event takes in a commit where the log does not say: its data and what of it is sealed. */
export const plainSize: Budget['sizeOf'] = ({ data, sealed }) =>
  Buffer.byteLength(data) + (sealed === null ? 0 : Buffer.byteLength(sealed));

export function bytesOf(events: readonly NewEvent[], sizeOf: Budget['sizeOf']): number {
  return events.reduce((sum, event) => sum + sizeOf(event), 0);
}
