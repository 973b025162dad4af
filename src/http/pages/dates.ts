import { formatDate } from '#domain/time/format.ts';
import { addSeconds, type LocalTime } from '#domain/time/local.ts';
import { weekOfYear } from '#site/rendering/blocks/archives.ts';

/** Days of an archive, from the beginning of the first to the beginning of the one behind the last. */
export interface Days {
  readonly title: string;
  readonly first: LocalTime;
  readonly end: LocalTime;
}

const DAY = 86_400;

/** The year, month or day that parts such as `2026`, `11`, `24` name; null if they name none. */
export function datesOf([year = '', month, day, ...rest]: readonly string[]): Days | null {
  if (rest.length > 0 || !/^(?!0000|9999)\d{4}$/.test(year)) return null;
  if (month === undefined) return { title: year, first: start(year, 1, 1), end: start(year, 13, 1) };
  if (!/^(?:0[1-9]|1[0-2])$/.test(month)) return null;
  const first = start(year, Number(month), 1);
  const end = start(year, Number(month) + 1, 1);
  if (day === undefined) return { title: written('F Y', first), first, end };
  const that = /^\d\d$/.test(day) && day !== '00' ? addSeconds(first, (Number(day) - 1) * DAY) : end;
  return that >= end ? null : { title: written('F j, Y', that), first: that, end: addSeconds(that, DAY) };
}

/** The days of a year that are in a week of it; null if none is. `startOfWeek`: 0 is Sunday. */
export function weekIn(year: string, week: number, startOfWeek: number): Days | null {
  const whole = datesOf([year]);
  if (whole === null) return null;
  const inWeek: LocalTime[] = [];
  for (let day = whole.first; day < whole.end; day = addSeconds(day, DAY)) {
    if (weekOfYear(day, startOfWeek) === week) inWeek.push(day);
  }
  const [first, last] = [inWeek[0], inWeek.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { title: `Week of ${written('F j, Y', first)}`, first, end: addSeconds(last, DAY) };
}

/** The beginning of a day; month 13 is January of the next year. */
function start(year: string, month: number, day: number): LocalTime {
  const [y, m] = month === 13 ? [Number(year) + 1, 1] : [Number(year), month];
  return `${`${y}`.padStart(4, '0')}-${two(m)}-${two(day)}T00:00:00`;
}

const two = (number: number) => `${number}`.padStart(2, '0');
const written = (pattern: string, local: LocalTime) => formatDate(pattern, { local, gmt: local }, 'UTC');
