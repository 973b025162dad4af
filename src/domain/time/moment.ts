import { type LocalTime, resolveDate } from './local.ts';

/**
 * The second (UTC) that somebody names who asks what was then; null where the text is no date and time. In contrast to the
 * date of a post nothing rolls over from a day that the calendar does not have: that would answer for another day.
 */
export function momentNamed(text: string, zone: string): LocalTime | null {
  const trimmed = text.trim();
  return isDay(trimmed.slice(0, 10)) ? (resolveDate(trimmed, 'date', zone)?.gmt ?? null) : null;
}

/** Whether the calendar has a day, `2026-03-01`. */
export function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
