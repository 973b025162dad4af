// Written by hand: Temporal takes at least 16 times as long (ADR 66).

/** A point in time or a local time, as seconds from 1970-01-01T00:00:00 of its own clock. */
export type Seconds = number;

// Days before each month, counted from March so that 29 February comes last.
const MONTH_STARTS = [0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337];

const DAYS_TO_EPOCH = 719_468;
const DAYS_IN_400_YEARS = 146_097;
const FIRST = toSeconds(0, 1, 1, 0);
const LAST = toSeconds(9999, 12, 31, 86_399);

/** Converts a Gregorian date and time; fields beyond their range roll over. */
export function toSeconds(year: number, month: number, day: number, secondOfDay: number): Seconds {
  const rolled = month - 1;
  const wholeYear = year + Math.floor(rolled / 12);
  const wholeMonth = rolled - Math.floor(rolled / 12) * 12;
  return (daysBefore(wholeYear, wholeMonth) + day - 1) * 86_400 + secondOfDay;
}

/** Formats as `YYYY-MM-DDTHH:MM:SS`; `null` outside the years 0000 to 9999. */
export function formatSeconds(seconds: Seconds): string | null {
  if (seconds < FIRST || seconds > LAST) return null;
  const days = Math.floor(seconds / 86_400);
  const rest = seconds - days * 86_400;
  const { year, month, day } = civilDate(days);
  const hour = Math.floor(rest / 3600);
  const minute = Math.floor((rest % 3600) / 60);
  return `${pad4(year)}-${pad2(month)}-${pad2(day)}T${pad2(hour)}:${pad2(minute)}:${pad2(rest % 60)}`;
}

/** Reads a text `YYYY-MM-DDTHH:MM:SS`. */
export function readSeconds(text: string): Seconds {
  const part = (from: number, to: number): number => {
    let value = 0;
    for (let i = from; i < to; i++) value = value * 10 + text.charCodeAt(i) - 48;
    return value;
  };
  return toSeconds(part(0, 4), part(5, 7), part(8, 10), part(11, 13) * 3600 + part(14, 16) * 60 + part(17, 19));
}

export function yearOf(seconds: Seconds): number {
  return civilDate(Math.floor(seconds / 86_400)).year;
}

/** Days from 1970-01-01 to the first of a month (0–11). Years start in March, so that leap days come last. */
function daysBefore(year: number, month: number): number {
  const shifted = month < 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = MONTH_STARTS[(month + 10) % 12] ?? 0;
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return era * DAYS_IN_400_YEARS + yearOfEra * 365 + leapDays + dayOfYear - DAYS_TO_EPOCH;
}

function civilDate(days: number): { year: number; month: number; day: number } {
  const fromMarch = days + DAYS_TO_EPOCH;
  const era = Math.floor(fromMarch / DAYS_IN_400_YEARS);
  const dayOfEra = fromMarch - era * DAYS_IN_400_YEARS;
  let yearOfEra = Math.min(399, Math.floor(dayOfEra / 365));
  while (dayOfEra < firstDay(yearOfEra)) yearOfEra--;
  const dayOfYear = dayOfEra - firstDay(yearOfEra);
  let month = Math.min(11, Math.floor(dayOfYear / 30));
  while (dayOfYear < (MONTH_STARTS[month] ?? 0)) month--;
  const day = dayOfYear - (MONTH_STARTS[month] ?? 0) + 1;
  const isNextYear = month >= 10;
  return { year: era * 400 + yearOfEra + (isNextYear ? 1 : 0), month: ((month + 2) % 12) + 1, day };
}

function firstDay(yearOfEra: number): number {
  return yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
}

function pad2(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function pad4(value: number): string {
  return value < 1000 ? String(value).padStart(4, '0') : String(value);
}
