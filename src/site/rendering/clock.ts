import { currentGmt, type LocalTime } from '#domain/time/local.ts';

let asked = 0;

/** The current time, UTC, for a text that shows it. */
export function timeShown(): LocalTime {
  asked += 1;
  return currentGmt();
}

/** How often texts have shown the time. A synchronous rendering depends on the time if this has grown meanwhile. */
export function timesAsked(): number {
  return asked;
}
