import { LogDamaged, LogUnavailable } from './port.ts';

/** SQLite's primary result codes: https://sqlite.org/rescode.html */
export const BUSY = 5;
/** No permission, busy, locked, no memory, read-only, I/O error, full, cannot open, locking protocol. */
const UNAVAILABLE = new Set([3, BUSY, 6, 7, 8, 10, 13, 14, 15]);
/** Corrupt, and not a database. */
const DAMAGED = new Set([11, 26]);

/** Primary result code of an error from SQLite, 0 for any other error. */
export function resultCode(error: unknown): number {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return 0;
  return error.errcode & 0xff;
}

/** Whether an SQLite file cannot be used or written to at the moment. */
export function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(resultCode(error));
}

/** Whether an SQLite file is damaged. */
export function isLogDamage(error: unknown): boolean {
  return DAMAGED.has(resultCode(error));
}

/** Maps faults of SQLite to those of the port and returns other errors unchanged. `position`: the event in question, 0 if unknown. */
export function asLogFault(error: unknown, position: number): unknown {
  if (isUnavailable(error)) return new LogUnavailable(`The event log: ${messageOf(error)}`, { cause: error });
  return isLogDamage(error) ? damagedLog(messageOf(error), position, error) : error;
}

/** `asLogFault` for errors while reading rows: a value of the wrong type or size is damage, too. */
export function asRowFault(error: unknown, position: number): unknown {
  const wrongValue = error instanceof TypeError || error instanceof RangeError;
  return wrongValue ? damagedLog(messageOf(error), position, error) : asLogFault(error, position);
}

export function damagedLog(reason: string, position: number, cause?: unknown): LogDamaged {
  const fault = new LogDamaged(
    `The event log is damaged${position === 0 ? '' : ` at position ${position}`}: ${reason}`,
    position,
  );
  if (cause !== undefined) fault.cause = cause;
  return fault;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
