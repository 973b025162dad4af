import { type Seconds, toSeconds, yearOf } from './civil.ts';

/** A time zone. */
export interface Zone {
  /** Offset from UTC in seconds at a point in time. */
  offsetAt(gmt: Seconds): number;
}

/** The offset from `from` until the next entry. */
interface Change {
  readonly from: Seconds;
  readonly offset: number;
}

// Written by hand until the engine has a fast Temporal (ADR 66).
const zones = new Map<string, Zone>();
const WEEK = 7 * 86_400;

/** The zone with a name: an IANA name, `UTC`, or a fixed offset like `+02:00`. Throws `RangeError` for other names. */
export function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = makeZone(name);
    zones.set(name, zone);
  }
  return zone;
}

/**
 * Converts a local time. A time in a gap moves forward by the gap; an ambiguous one is taken as the later (interface behaviour, section
 * 10).
 */
export function gmtOfLocal(local: Seconds, zone: Zone): Seconds {
  const before = zone.offsetAt(local - 86_400);
  const after = zone.offsetAt(local + 86_400);
  if (before === after) return local - before;
  const candidates = [local - before, local - after].filter((gmt) => gmt + zone.offsetAt(gmt) === local);
  return candidates.length === 0 ? local - before : Math.max(...candidates);
}

function makeZone(name: string): Zone {
  const fixed = /^([+-])(\d\d):?(\d\d)$/.exec(name);
  if (fixed !== null) {
    const size = Number(fixed[2]) * 3600 + Number(fixed[3]) * 60;
    const offset = fixed[1] === '-' ? -size : size;
    return { offsetAt: () => offset };
  }
  if (name === 'UTC') return { offsetAt: () => 0 };
  return yearlyZone(offsetReader(name));
}

function yearlyZone(read: (gmt: Seconds) => number): Zone {
  const years = new Map<number, readonly Change[]>();
  return {
    offsetAt: (gmt) => {
      const year = yearOf(gmt);
      let changes = years.get(year);
      if (changes === undefined) {
        changes = changesOf(year, read);
        years.set(year, changes);
      }
      let offset = 0;
      for (const change of changes) {
        if (change.from > gmt) break;
        offset = change.offset;
      }
      return offset;
    },
  };
}

function changesOf(year: number, read: (gmt: Seconds) => number): Change[] {
  const start = toSeconds(year, 1, 1, 0);
  const end = toSeconds(year + 1, 1, 1, 0);
  const changes: Change[] = [{ from: start, offset: read(start) }];
  for (let from = start; from < end; from += WEEK) {
    const to = Math.min(from + WEEK, end - 1);
    const offset = read(to);
    if (offset !== changes.at(-1)?.offset) changes.push({ from: firstWith(offset, { from, to }, read), offset });
  }
  return changes;
}

function firstWith(offset: number, range: { from: Seconds; to: Seconds }, read: (gmt: Seconds) => number): Seconds {
  let { from, to } = range;
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (read(middle) === offset) to = middle;
    else from = middle;
  }
  return to;
}

function offsetReader(name: string): (gmt: Seconds) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (gmt) => {
    const parts = new Map(format.formatToParts(gmt * 1000).map(({ type, value }) => [type, value]));
    const field = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    const year = parts.get('era') === 'BC' ? 1 - field('year') : field('year');
    return (
      toSeconds(year, field('month'), field('day'), field('hour') * 3600 + field('minute') * 60 + field('second')) - gmt
    );
  };
}
