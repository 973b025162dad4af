import { formatSeconds, readSeconds, type Seconds } from './civil.ts';
import { type ParsedDate, parseDate } from './parse-date.ts';
import { gmtOfLocal, zoneOf } from './zone.ts';

export { type ParsedDate, parseDate };

/** A date and time without an offset, `YYYY-MM-DDTHH:MM:SS`, in the site's time zone or in UTC. */
export type LocalTime = string;

const FIRST_DAY = '0001';
const [EARLIEST, LATEST] = ['0000-01-01T00:00:00', '9999-12-31T23:59:59'];

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
 * Reads a date sent in a field, as local time and UTC; `null` if it is invalid or outside the years 0001 to 9999. Without an offset `date`
 * is local and `date_gmt` UTC; with one both are instants.
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
  const gmt = formatSeconds(gmtSeconds);
  const local = formatSeconds(gmtSeconds + clock.offsetAt(gmtSeconds));
  return gmt === null || local === null || local < FIRST_DAY ? null : { local, gmt };
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
