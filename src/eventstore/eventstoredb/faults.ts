import { ErrorType, isCommandError, MaxAppendSizeExceededError } from '@eventstore/db-client';
import { messageOf } from '../faults.ts';

/**
 * What an error means for an append. `refused`: nothing was stored, and retrying will not help; `not sent`: nothing was stored, retrying
 * may help; `unclear`: it may have been stored.
 */
export type Verdict = 'conflict' | 'too large' | 'refused' | 'not sent' | 'unclear';

const REFUSED = new Set<string>([ErrorType.ACCESS_DENIED, ErrorType.STREAM_DELETED, ErrorType.INVALID_ARGUMENT]);
const NOT_SENT =
  /no connection established|ECONNREFUSED|failed to discover|name resolution failed|no leader info available/i;
/** The server ended a subscription because its reader fell behind; resubscribing works at once. */
const TOO_SLOW = /consumer too slow/i;

/** Errors are the client's own, or raw ones from gRPC; any unknown error is `unclear`. */
export function verdictOn(error: unknown): Verdict {
  const type = faultType(error);
  if (type === ErrorType.WRONG_EXPECTED_VERSION) return 'conflict';
  if (type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) return 'too large';
  if (REFUSED.has(type)) return 'refused';
  if (type === ErrorType.NOT_LEADER || NOT_SENT.test(messageOf(error))) return 'not sent';
  return 'unclear';
}

/** Whether a read failed only because the stream does not exist. */
export function isStreamMissing(error: unknown): boolean {
  return faultType(error) === ErrorType.STREAM_NOT_FOUND;
}

/** Maximum size of an append in bytes, as stated in the server's refusal; null if not stated. */
export function limitIn(error: unknown): number | null {
  const limit = error instanceof MaxAppendSizeExceededError ? error.maxAppendSize : Number.NaN;
  return Number.isSafeInteger(limit) ? limit : null;
}

/** True if the server ended a subscription only because its reader was too slow. */
export function isReaderTooSlow(error: unknown): boolean {
  return TOO_SLOW.test(messageOf(error));
}

export function reasonOf(error: unknown): string {
  return messageOf(error).replace(/^(.+): \1$/s, '$1');
}

/** The client's name for an error; empty for other errors. */
export function faultType(error: unknown): string {
  return error instanceof Error && isCommandError(error) ? error.type : '';
}
