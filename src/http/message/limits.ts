import { type Refusal, refuse } from '#domain/kernel/refusal.ts';

/** Maximum depth of nested lists and maps in a JSON body. */
export const MAX_LEVELS = 512;
/** Maximum number of values in a JSON body, at any depth. */
const MAX_VALUES = 20_000;

export const TOO_LARGE = refuse(
  'rest_request_too_large',
  'The request body is too large: the setting BODY_LIMIT is the maximum.',
);
export const NO_ROOM = refuse('rest_too_many_bodies', 'Too many requests are being received. Please try again later.');
export const ANSWER_TOO_LARGE = refuse(
  'rest_answer_too_large',
  'The answer would be too large. Please ask for fewer items with per_page, or for less of each with _fields.',
);
export const TOO_MANY_ANSWERS = refuse(
  'rest_too_many_answers',
  'Too many long answers are being sent. Please try again later.',
  { retry_after: 5 },
);
const TOO_MANY_VALUES = refuse('rest_request_too_large', `The JSON body holds more than ${MAX_VALUES} values.`);

/** JSON of this many bytes cannot hold enough values to matter. */
const SMALL_JSON = 64 * 1024;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
/** Bytes of a string that are scanned one by one before `indexOf` takes over. */
const NEAR = 256;
/** Bytes that are scanned between two pauses: some milliseconds. */
const SCANNED_AT_ONCE = 1 << 20;
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses JSON with too many values or levels before it is parsed: the time depends on their number more than on the bytes. Pauses
 * regularly.
 */
export function* jsonFault(body: Buffer): Generator<undefined, Refusal | 'depth' | null> {
  if (body.length <= SMALL_JSON) return null;
  let values = 0;
  let depth = 0;
  let pause = SCANNED_AT_ONCE;
  for (let i = 0; i < body.length; i += 1) {
    if (i >= pause) {
      yield;
      pause = i + SCANNED_AT_ONCE;
    }
    const byte = body[i];
    if (byte === QUOTE) {
      i = endOfText(body, i + 1, pause);
      while (i < body.length && body[i] !== QUOTE) {
        yield;
        pause = i + SCANNED_AT_ONCE;
        i = endOfText(body, i, pause);
      }
    } else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_MAP) {
      values += 1;
      depth += 1;
      if (depth > MAX_LEVELS) return 'depth';
    } else if (byte === CLOSE_LIST || byte === CLOSE_MAP) depth -= 1;
  }
  return values > MAX_VALUES ? TOO_MANY_VALUES : null;
}

/**
 * Index of the quotation mark that closes the string from `from` on, or an index inside the string at which to go on, at or after
 * `until`. `indexOf` is faster unless the mark is near.
 */
function endOfText(body: Buffer, from: number, until: number): number {
  for (let at = from; ; ) {
    if (at >= until) return at;
    const near = Math.min(at + NEAR, body.length);
    while (at < near && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
    if (at < near || at >= body.length) return at;
    const quote = body.indexOf(QUOTE, at);
    if (quote < 0) return body.length;
    let escapes = quote;
    while (escapes > at && body[escapes - 1] === BACKSLASH) escapes -= 1;
    const isEscaped = (quote - escapes) % 2 === 1;
    if (!isEscaped) return quote;
    at = quote + 1;
  }
}

/** The client has disconnected; nobody reads it. */
export const GONE = refuse('rest_request_aborted', 'The request ended before it was complete.');

export const BEHIND = refuse(
  'rest_position_not_reached',
  'A change that is stored already cannot be shown yet. Please try again later.',
);
