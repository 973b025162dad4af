import { gmtNow, toLocal } from '#domain/time/local.ts';
import { type Html, html } from '#text/html.ts';

const longDay = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });

/** The day of a time (ISO 8601 UTC) in a time zone: `2026-03-01`. */
export function dayOf(at: string, zone: string): string {
  return localOf(at, zone).slice(0, 10);
}

export function dayInWords(day: string): string {
  return longDay.format(Date.parse(`${day}T00:00:00Z`));
}

export function clockTime(at: string, zone: string): Html {
  return html`<time datetime="${at}" title="${at}">${localOf(at, zone).slice(11)}</time>`;
}

export function fullTime(at: string, zone: string): Html {
  return html`<time datetime="${at}" title="${at}">${fullTimeText(at, zone)}</time>`;
}

/** The same as plain text. */
export function fullTimeText(at: string, zone: string): string {
  return localOf(at, zone).replace('T', ' ');
}

function localOf(at: string, zone: string): string {
  return toLocal(gmtNow(Date.parse(at)), zone);
}
