import { currentGmt, type LocalTime } from '#domain/time/local.ts';

let asked = 0;

/** The time, UTC, for a text that shows it. */
export function timeShown(): LocalTime {
  asked += 1;
  return currentGmt();
}

/** How often texts have shown the time: what is made without a pause depends on it if this has grown. */
export function timesAsked(): number {
  return asked;
}
