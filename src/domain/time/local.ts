import { formatSeconds, readSeconds, type Seconds } from './civil.ts';
import { type ParsedDate, parseDate } from './parse-date.ts';
import { gmtOfLocal, zoneOf } from './zone.ts';

export { type ParsedDate, parseDate };

/** A date and time without an offset, `YYYY-MM-DDTHH:MM:SS`, of the site's clock or of UTC. */
export type LocalTime = string;

const FIRST_DAY = '0001';
const [EARLIEST, LATEST] = ['0000-01-01T00:00:00', '9999-12-31T23:59:59'];

/** What the clock of a zone shows at a time given in UTC. */
export function toLocal(gmt: LocalTime, zone: string): LocalTime {
  const seconds = readSeconds(gmt);
  return formatted(seconds + zoneOf(zone).offsetAt(seconds));
}

/**
 * The time in UTC when the clock of a zone shows a time. One that it never shows moves forward by the gap, of two
 * times it is the later.
 */
export function toGmt(local: LocalTime, zone: string): LocalTime {
  return formatted(gmtOfLocal(readSeconds(local), zoneOf(zone)));
}

/**
 * The date sent in a field, local and in UTC; `null` when it is none or lies outside the years 0001 to 9999.
 * Without an offset `date` is local and `date_gmt` UTC; with one either is that instant.
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

/** A time in milliseconds since 1970 as UTC, without its fraction. */
export function gmtNow(ms: number): LocalTime {
  return formatted(Math.floor(ms / 1000));
}

/** What the clock of the machine says, in UTC; for what is shown, not for what is stored. */
export function currentGmt(): LocalTime {
  return gmtNow(Date.now());
}

/** A time some seconds later. */
export function addSeconds(time: LocalTime, seconds: number): LocalTime {
  return formatted(readSeconds(time) + seconds);
}

/** How many seconds `b` is later than `a`. */
export function secondsBetween(a: LocalTime, b: LocalTime): number {
  return readSeconds(b) - readSeconds(a);
}

function formatted(seconds: Seconds): LocalTime {
  return formatSeconds(seconds) ?? (seconds < 0 ? EARLIEST : LATEST);
}
