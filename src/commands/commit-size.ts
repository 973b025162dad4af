import type { Budget } from '#eventstore/port.ts';

/** One commit would be larger than the site allows. Nothing was appended. */
export class CommitTooLarge extends Error {
  override readonly name = 'CommitTooLarge';
}

/** Bytes of an event in a commit, for logs that do not define it: its data and its sealed fields. */
export const plainSize: Budget['sizeOf'] = ({ data, sealed }) =>
  Buffer.byteLength(data) + (sealed === null ? 0 : Buffer.byteLength(sealed));
