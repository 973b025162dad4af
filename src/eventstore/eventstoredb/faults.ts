import { ErrorType, isCommandError, MaxAppendSizeExceededError } from '@eventstore/db-client';
import { messageOf } from '../faults.ts';

/**
 * What an error means for an append. `refused`: nothing was stored, and retrying will not help; `not sent`: nothing was stored, retrying
 * may help; `unclear`: it may have been stored.
 */
export type Verdict = 'conflict' | 'too large' | 'refused' | 'not sent' | 'unclear';

const REFUSED = new Set<string>([ErrorType.ACCESS_DENIED, ErrorType.STREAM_DELETED, ErrorType.INVALID_ARGUMENT]);
const NOT_SENT =
  /no connection established|ECONNREFUSED|failed to discover|name resolution failed|no leader info available|server is (?:not ready|(?:too )?busy)/i;
/** The refusal of servers since 25.1, which the client does not know: as details, as the name of an exception, as a type. */
const EVENT_TOO_LARGE = /maximum[ -]?append[ -]?event[ -]?size(?: of (\d+))?/i;
/** The server ended a subscription because its reader fell behind; resubscribing works at once. */
const TOO_SLOW = /consumer too slow/i;

/** Errors are the client's own, or raw ones from gRPC; any unknown error is `unclear`. */
export function verdictOn(error: unknown): Verdict {
  const type = faultType(error);
  if (type === ErrorType.WRONG_EXPECTED_VERSION) return 'conflict';
  if (type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED || EVENT_TOO_LARGE.test(messageOf(error))) return 'too large';
  if (REFUSED.has(type)) return 'refused';
  if (type === ErrorType.NOT_LEADER || NOT_SENT.test(messageOf(error))) return 'not sent';
  return 'unclear';
}

/** Whether a read failed only because the stream does not exist. */
export function isStreamMissing(error: unknown): boolean {
  return faultType(error) === ErrorType.STREAM_NOT_FOUND;
}

/** Maximum size of an append, or of one event in it, in bytes, as a refusal states it; null if not stated. */
export function limitIn(error: unknown): { readonly of: 'append' | 'event'; readonly bytes: number | null } {
  const found = EVENT_TOO_LARGE.exec(messageOf(error));
  const limit = error instanceof MaxAppendSizeExceededError ? error.maxAppendSize : Number(found?.[1] ?? Number.NaN);
  return { of: found === null ? 'append' : 'event', bytes: Number.isSafeInteger(limit) ? limit : null };
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
