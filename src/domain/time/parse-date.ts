import { formatSeconds, toSeconds } from './civil.ts';

/** A parsed date: local to the site, or an instant. */
export type ParsedDate =
  | { readonly kind: 'local'; readonly value: string }
  | { readonly kind: 'instant'; readonly gmt: string };

const SPELLING = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:(Z)|([+-])(\d\d)(?::(\d\d))?)?$/;
const HIGHEST = [12, 31, 24, 59, 60] as const;

/**
 * Parses the accepted spellings; `null` for others. Month 00–12, day 00–31, hour 00–24 and second 00–60 are accepted and roll over: 30
 * February is 2 March (interface behaviour, section 10).
 */
export function parseDate(text: string): ParsedDate | null {
  const found = SPELLING.exec(text);
  if (found === null) return null;
  const [year = 0, ...fields] = found.slice(1, 7).map(Number);
  if (fields.some((value, i) => value > (HIGHEST[i] ?? 0))) return null;
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields;
  const seconds = toSeconds(year, month, day, hour * 3600 + minute * 60 + second);
  const isInstant = found[7] !== undefined || found[8] !== undefined;
  const offset = offsetOf(found[8], found[9], found[10]);
  if (offset === null) return null;
  const value = formatSeconds(seconds - offset);
  if (value === null) return null;
  return isInstant ? { kind: 'instant', gmt: value } : { kind: 'local', value };
}

function offsetOf(sign = '+', hours = '00', minutes = '00'): number | null {
  if (Number(hours) > 24 || Number(minutes) > 59) return null;
  const size = Number(hours) * 3600 + Number(minutes) * 60;
  return sign === '-' ? -size : size;
}
