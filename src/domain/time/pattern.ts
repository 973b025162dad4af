import { readSeconds } from './civil.ts';

/**
 * Formats a local time (`YYYY-MM-DDTHH:MM:SS`) by a pattern of letters: d j D l for the day, n m M F for the month, Y y for the year, H G h
 * g i s A a for the time. A letter after a backslash and all other characters are copied.
 */
export function formatByPattern(local: string, pattern: string): string {
  const date = new Date(readSeconds(local) * 1000);
  return pattern.replace(/\\(.)|[djDlnmMFYyHGhgisAa]/gs, (letter, kept: string | undefined) =>
    kept === undefined ? (letters[letter]?.(date) ?? letter) : kept,
  );
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
const two = (number: number) => String(number).padStart(2, '0');
const day = (date: Date) => days[date.getUTCDay()] ?? '';
const month = (date: Date) => months[date.getUTCMonth()] ?? '';
const hour12 = (date: Date) => date.getUTCHours() % 12 || 12;

const letters: Readonly<Record<string, (date: Date) => string>> = {
  d: (date) => two(date.getUTCDate()),
  j: (date) => String(date.getUTCDate()),
  D: (date) => day(date).slice(0, 3),
  l: day,
  n: (date) => String(date.getUTCMonth() + 1),
  m: (date) => two(date.getUTCMonth() + 1),
  M: (date) => month(date).slice(0, 3),
  F: month,
  Y: (date) => String(date.getUTCFullYear()).padStart(4, '0'),
  y: (date) => two(date.getUTCFullYear() % 100),
  H: (date) => two(date.getUTCHours()),
  G: (date) => String(date.getUTCHours()),
  h: (date) => two(hour12(date)),
  g: (date) => String(hour12(date)),
  i: (date) => two(date.getUTCMinutes()),
  s: (date) => two(date.getUTCSeconds()),
  A: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  a: (date) => (date.getUTCHours() < 12 ? 'am' : 'pm'),
};
