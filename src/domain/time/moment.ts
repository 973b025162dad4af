import { type LocalTime, resolveDate } from './local.ts';

/**
 * The second (UTC) that a request for a past state names; null if the text is no date and time. Unlike the date of a post, a day that does
 * not exist is rejected: rolling over would show a different day.
 */
export function momentNamed(text: string, zone: string): LocalTime | null {
  const trimmed = text.trim();
  return isDay(trimmed.slice(0, 10)) ? (resolveDate(trimmed, 'date', zone)?.gmt ?? null) : null;
}

/** Whether the calendar has a day such as `2026-03-01`. */
export function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
