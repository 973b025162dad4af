import { readSeconds } from './civil.ts';
import type { LocalTime } from './local.ts';
import { zoneOf } from './zone.ts';

/** A moment in the site's time zone and in UTC. */
export interface CivilMoment {
  readonly local: LocalTime;
  readonly gmt: LocalTime;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAY = 86_400;

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: number;
  /** From 0. */
  readonly dayOfYear: number;
  readonly offset: number;
  readonly zone: string;
  readonly epoch: number;
}

type Write = (parts: Parts) => string | number;

const two = (value: number) => String(value).padStart(2, '0');
const hour12 = (hour: number) => hour % 12 || 12;
const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Format letters. Other characters, and any character after a backslash, are copied. */
const letters: Readonly<Record<string, Write>> = {
  d: ({ day }) => two(day),
  D: ({ weekday }) => DAYS[weekday]?.slice(0, 3) ?? '',
  j: ({ day }) => day,
  l: ({ weekday }) => DAYS[weekday] ?? '',
  N: ({ weekday }) => weekday || 7,
  S: ({ day }) => ordinalEnd(day),
  w: ({ weekday }) => weekday,
  z: ({ dayOfYear }) => dayOfYear,
  W: (parts) => two(isoWeek(parts).week),
  F: ({ month }) => MONTHS[month - 1] ?? '',
  m: ({ month }) => two(month),
  M: ({ month }) => MONTHS[month - 1]?.slice(0, 3) ?? '',
  n: ({ month }) => month,
  t: ({ year, month }) => new Date(Date.UTC(year, month, 0)).getUTCDate(),
  L: ({ year }) => (isLeap(year) ? 1 : 0),
  o: (parts) => isoWeek(parts).year,
  Y: ({ year }) => String(year).padStart(4, '0'),
  y: ({ year }) => two(year % 100),
  a: ({ hour }) => (hour < 12 ? 'am' : 'pm'),
  A: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  B: ({ epoch }) => String(Math.floor(((((epoch + 3600) % DAY) + DAY) % DAY) / 86.4)).padStart(3, '0'),
  g: ({ hour }) => hour12(hour),
  G: ({ hour }) => hour,
  h: ({ hour }) => two(hour12(hour)),
  H: ({ hour }) => two(hour),
  i: ({ minute }) => two(minute),
  s: ({ second }) => two(second),
  u: () => '000000',
  v: () => '000',
  e: ({ zone }) => zone,
  I: ({ epoch, zone }) => (isSummer(epoch, zone) ? 1 : 0),
  O: ({ offset }) => offsetText(offset, ''),
  P: ({ offset }) => offsetText(offset, ':'),
  p: ({ offset }) => (offset === 0 ? 'Z' : offsetText(offset, ':')),
  T: ({ epoch, zone, offset }) => abbreviation(epoch, zone) ?? offsetText(offset, ':'),
  Z: ({ offset }) => offset,
  U: ({ epoch }) => epoch,
};

const composed: Readonly<Record<string, string>> = { c: 'Y-m-d\\TH:i:sP', r: 'D, d M Y H:i:s O' };

/** Formats a moment by a pattern of letters, in English: `F j, Y` gives `February 3, 2001`. */
export function formatDate(pattern: string, { local, gmt }: CivilMoment, zone: string): string {
  const parts = partsOf(readSeconds(local), readSeconds(gmt), zone);
  return format(pattern, parts);
}

/** A moment with the offset of its zone: `2001-02-03T04:05:06+01:00`. */
export function isoDate(moment: CivilMoment, zone: string): string {
  return formatDate('c', moment, zone);
}

function format(pattern: string, parts: Parts): string {
  let text = '';
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern.charAt(i);
    const whole = composed[char];
    if (char === '\\') text += pattern.charAt(++i);
    else if (whole !== undefined) text += format(whole, parts);
    else text += letters[char]?.(parts) ?? char;
  }
  return text;
}

function partsOf(local: number, gmt: number, zone: string): Parts {
  const date = new Date(local * 1000);
  const year = date.getUTCFullYear();
  const start = new Date(0);
  start.setUTCFullYear(year, 0, 1);
  return {
    year,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
    dayOfYear: Math.floor((local - start.getTime() / 1000) / DAY),
    offset: local - gmt,
    zone,
    epoch: gmt,
  };
}

function ordinalEnd(day: number): string {
  if (day > 10 && day < 14) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

/** ISO 8601 week number and week year. */
function isoWeek({ year, weekday, dayOfYear }: Parts): { readonly week: number; readonly year: number } {
  const week = Math.floor((dayOfYear - ((weekday + 6) % 7) + 10) / 7);
  if (week < 1) return { week: weeksIn(year - 1), year: year - 1 };
  return week > weeksIn(year) ? { week: 1, year: year + 1 } : { week, year };
}

function weeksIn(year: number): number {
  const newYear = new Date(Date.UTC(2000, 0, 1));
  newYear.setUTCFullYear(year, 0, 1);
  const first = newYear.getUTCDay();
  return first === 4 || (first === 3 && isLeap(year)) ? 53 : 52;
}

function offsetText(offset: number, between: string): string {
  const minutes = Math.floor(Math.abs(offset) / 60);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${between}${two(minutes % 60)}`;
}

function isSummer(epoch: number, zone: string): boolean {
  const { offsetAt } = zoneOf(zone);
  const half = 182 * DAY;
  const min = Math.min(offsetAt(epoch), offsetAt(epoch - half), offsetAt(epoch + half));
  return offsetAt(epoch) > min;
}

function abbreviation(epoch: number, zone: string): string | null {
  try {
    const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' }).formatToParts(
      epoch * 1000,
    );
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return /^[A-Z]{2,5}$/.test(name) ? name : null;
  } catch {
    return null;
  }
}
