import { type Refusal, refuse } from './refusal.ts';

/** Maximum bytes of texts that lists show and that are kept in memory. */
const MAX_BYTES = 65_535;

/** Refuses the first of some texts, by their names, that is longer than 65,535 bytes of UTF-8; null if none is. */
export function textFault(texts: Readonly<Record<string, unknown>>): Refusal | null {
  const long = Object.entries(texts).find(([, text]) => typeof text === 'string' && isTooLong(text));
  return long === undefined ? null : refuse('db_insert_error', `The ${long[0]} is longer than ${MAX_BYTES} bytes.`);
}

function isTooLong(text: string): boolean {
  return text.length * 3 > MAX_BYTES && Buffer.byteLength(text) > MAX_BYTES;
}
