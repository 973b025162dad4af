import { formatSeconds, readSeconds, type Seconds, toSeconds } from './civil.ts';
import { gmtOfLocal, zoneOf } from './zone.ts';

/** A date and time without an offset, `YYYY-MM-DDTHH:MM:SS`, in the site's time zone or in UTC. */
export type LocalTime = string;

/** A parsed date: local to the site, or an instant. */
type ParsedDate =
  | { readonly kind: 'local'; readonly value: string }
  | { readonly kind: 'instant'; readonly gmt: string };

const FIRST = '0001-01-01T00:00:00';
const [EARLIEST, LATEST] = ['0000-01-01T00:00:00', '9999-12-31T23:59:59'];
const SPELLING = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:(Z)|([+-])(\d\d)(?::(\d\d))?)?$/;
const HIGHEST = [12, 31, 24, 59, 60] as const;

/** Converts UTC to the local time of a zone. */
export function toLocal(gmt: LocalTime, zone: string): LocalTime {
  const seconds = readSeconds(gmt);
  return formatted(seconds + zoneOf(zone).offsetAt(seconds));
}

/** Converts the local time of a zone to UTC. A time in a gap moves forward by the gap; of two possible times the later is used. */
export function toGmt(local: LocalTime, zone: string): LocalTime {
  return formatted(gmtOfLocal(readSeconds(local), zoneOf(zone)));
}

/**
 * Reads a date sent in a field, as local time and UTC; `null` if it is invalid. Without an offset `date` is local and `date_gmt` UTC; with
 * one both are instants. What the zone would move out of the years 1 to 9999 stays at their end.
 */
export function resolveDate(
  text: string,
  field: 'date' | 'date_gmt',
  zone: string,
): { local: LocalTime; gmt: LocalTime } | null {
  const parsed = parseDate(text);
  if (parsed === null) return null;
  const clock = zoneOf(zone);
  const sent = readSeconds(parsed.kind === 'local' ? parsed.value : parsed.gmt);
  const gmtSeconds = parsed.kind === 'local' && field === 'date' ? gmtOfLocal(sent, clock) : sent;
  const local = formatted(gmtSeconds + clock.offsetAt(gmtSeconds));
  return { local: local < FIRST ? FIRST : local, gmt: formatted(gmtSeconds) };
}

/** Converts milliseconds since 1970 to UTC, dropping the fraction of a second. */
export function gmtNow(ms: number): LocalTime {
  return formatted(Math.floor(ms / 1000));
}

/** Current UTC time of the machine; for display only, never stored. */
export function currentGmt(): LocalTime {
  return gmtNow(Date.now());
}

export function addSeconds(time: LocalTime, seconds: number): LocalTime {
  return formatted(readSeconds(time) + seconds);
}

/** Seconds from `a` to `b`. */
export function secondsBetween(a: LocalTime, b: LocalTime): number {
  return readSeconds(b) - readSeconds(a);
}

function formatted(seconds: Seconds): LocalTime {
  return formatSeconds(seconds) ?? (seconds < 0 ? EARLIEST : LATEST);
}

/**
 * Parses the accepted spellings, of dates in the years 1 to 9999; `null` for others. Month 00–12, day 00–31, hour 00–24 and second 00–60
 * are accepted and roll over: 30 February is 2 March (interface behaviour, section 10).
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
  if (value === null || value < FIRST) return null;
  return isInstant ? { kind: 'instant', gmt: value } : { kind: 'local', value };
}

function offsetOf(sign = '+', hours = '00', minutes = '00'): number | null {
  if (Number(hours) > 24 || Number(minutes) > 59) return null;
  const size = Number(hours) * 3600 + Number(minutes) * 60;
  return sign === '-' ? -size : size;
}

/** What texts that name a moment of the past look like, for messages. */
export const momentExamples = '2026-03-01, 2026-03-01T12:00, 2026-03-01T12:00:00 or 2026-03-01T12:00:00+02:00';

/**
 * The moment that a text names, ISO 8601 UTC with milliseconds: the start or the end of a day, a minute or a second, in the zone of the site
 * unless it names another. Null if it names none: unlike the date of a post, a day that does not exist is rejected, since rolling over would
 * show a different day. A minute means its first second.
 */
export function momentNamed(text: string, edge: 'start' | 'end', zone: string): string | null {
  const trimmed = text.trim();
  const day = trimmed.slice(0, 10);
  if (!isDay(day)) return null;
  if (trimmed === day) return edgeOfDay(day, edge, zone);
  const whole = trimmed.replace(/^(.{10}[Tt ]\d\d:\d\d)(?=$|[Z+-])/, '$1:00');
  const gmt = resolveDate(whole, 'date', zone)?.gmt;
  return gmt === undefined ? null : `${gmt}${edge === 'start' ? '.000Z' : '.999Z'}`;
}

// Days have 23 to 25 hours, and some begin after midnight: a day ends where the next one begins.
function edgeOfDay(day: string, edge: 'start' | 'end', zone: string): string {
  const midnight: LocalTime = `${day}T00:00:00`;
  const start = toGmt(edge === 'start' ? midnight : addSeconds(midnight, 86_400), zone);
  return edge === 'start' ? `${start}.000Z` : new Date(Date.parse(`${start}Z`) - 1).toISOString();
}

/** Whether the calendar has a day such as `2026-03-01`. */
export function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return day.length === 10 && !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
