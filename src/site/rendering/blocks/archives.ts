import { flagAt, textAt } from '#blocks/attributes.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import type { ServerBlock } from '#blocks/server-blocks.ts';
import { formatDate } from '#domain/time/format.ts';
import { addSeconds, type LocalTime } from '#domain/time/local.ts';
import { publishedIn } from '../listing.ts';
import { choosing, wrapped } from '../pieces.ts';
import type { Make, Rendering } from '../types.ts';

interface Span {
  readonly start: LocalTime;
  readonly path: string;
  readonly title: string;
}

type Divide = (date: LocalTime, settings: Settings) => Span;

interface Settings {
  readonly dateFormat: string;
  readonly startOfWeek: number;
}

/** Maximum periods in a list. */
const max = 1000;
const DAY = 86_400;

const written = (pattern: string, local: LocalTime) => formatDate(pattern, { local, gmt: local }, 'UTC');
const midnight = (date: LocalTime) => `${date.slice(0, 10)}T00:00:00`;

const divisions = {
  yearly: (date) => ({
    start: `${date.slice(0, 4)}-01-01T00:00:00`,
    path: `/${date.slice(0, 4)}/`,
    title: date.slice(0, 4),
  }),
  monthly: (date) => {
    const start = `${date.slice(0, 7)}-01T00:00:00`;
    return { start, path: `/${written('Y/m', start)}/`, title: written('F Y', start) };
  },
  daily: (date, { dateFormat }) => {
    const start = midnight(date);
    return { start, path: `/${written('Y/m/d', start)}/`, title: written(dateFormat, start) };
  },
  weekly: (date, { dateFormat, startOfWeek }) => {
    const behind = daysInto(Number(written('w', date)), startOfWeek);
    const start = addSeconds(midnight(date), -behind * DAY);
    const end = addSeconds(start, 6 * DAY);
    return {
      start,
      path: `/?m=${date.slice(0, 4)}&w=${weekOfYear(date, startOfWeek)}`,
      title: `${written(dateFormat, start)}&#8211;${written(dateFormat, end)}`,
    };
  },
} satisfies Readonly<Record<string, Divide>>;

type Division = keyof typeof divisions;

export const archives: Make = (block, { rendering }) => {
  const { attributes } = block;
  const type = textAt(attributes, 'type') ?? 'monthly';
  const division = Object.hasOwn(divisions, type) ? (type as Division) : null;
  const spans = rendering.kept(`archives ${division}`, () => spansOf(divisions[division ?? 'monthly'], rendering));
  const { url } = rendering.model.site();
  const shown = spans.map((span) => ({ ...span, address: escapeAddress(url + span.path) }));
  if (flagAt(attributes, 'displayAsDropdown') === true) return boxOf(block, { shown, division, rendering });
  const classes = ['wp-block-archives-list'];
  if (shown.length === 0) return wrapped('div', block, 'No archives to show.', { classes });
  const items = shown.map(
    ({ address, title, count }) => `\t<li><a href='${address}'>${title}</a>${countOf(count, attributes)}</li>\n`,
  );
  return wrapped('ul', block, items.join(''), { classes });
};

interface Box {
  readonly shown: readonly { readonly address: string; readonly title: string; readonly count: number }[];
  readonly division: Division | null;
  readonly rendering: Rendering;
}

const NOUNS: Readonly<Record<Division, string>> = { yearly: 'Year', monthly: 'Month', daily: 'Day', weekly: 'Week' };

function boxOf(block: ServerBlock, { shown, division, rendering }: Box): string {
  const { attributes } = block;
  const id = `wp-block-archives-${rendering.counters.next()}`;
  const hidden = flagAt(attributes, 'showLabel') === false ? ' screen-reader-text' : '';
  const options = shown.map(
    ({ address, title, count }) => `\t<option value='${address}'> ${title} ${countOf(count, attributes)}</option>\n`,
  );
  const inside = [
    `<label for="${id}" class="wp-block-archives__label${hidden}">Archives</label>`,
    `\t\t<select id="${id}" name="archive-dropdown">`,
    `\t\t<option value="">Select ${division === null ? 'Post' : NOUNS[division]}</option>${options.join('')}</select>`,
  ];
  return wrapped('div', block, choosing(inside.join('\n'), rendering.model.site().url), {
    classes: ['wp-block-archives-dropdown'],
  });
}

function countOf(count: number, attributes: JsonMap): string {
  return flagAt(attributes, 'showPostCounts') === true ? `&nbsp;(${count})` : '';
}

function spansOf(divide: Divide | undefined, rendering: Rendering): readonly (Span & { readonly count: number })[] {
  const settings = rendering.model.site();
  const spans: (Span & { count: number })[] = [];
  let last = newestBefore(null, rendering);
  while (last !== null && divide !== undefined && spans.length < max) {
    const span = divide(last.date, settings);
    const next = newestBefore(span.start, rendering);
    spans.push({ ...span, count: last.total - (next?.total ?? 0) });
    last = next;
  }
  return spans;
}

function newestBefore(before: LocalTime | null, rendering: Rendering) {
  const { ids, total } = rendering.found(publishedIn('post', 1, before ?? undefined));
  const date = rendering.model.entry(ids[0] ?? 0)?.date;
  return date === undefined ? null : { date, total };
}

/** Days from the beginning of the week to a day of it, 0 for Sunday. `startOfWeek` may be any whole number. */
export function daysInto(day: number, startOfWeek: number): number {
  return (((day - startOfWeek) % 7) + 7) % 7;
}

/** The number that addresses of weeks have, from 0 to 53. `startOfWeek`: 0 is Sunday. */
export function weekOfYear(date: LocalTime, startOfWeek: number): number {
  return startOfWeek === 1 ? weekFromMonday(date) : weekOf(date, startOfWeek);
}

/** The week of the year if weeks begin on Mondays; week 1 has at least four days, days before it are in week 0. */
function weekFromMonday(date: LocalTime): number {
  const [dayOfYear, weekday] = [Number(written('z', date)), Number(written('N', date))];
  const newYear = (((weekday - 1 - dayOfYear) % 7) + 7) % 7;
  return Math.floor((dayOfYear + newYear) / 7) + (newYear <= 3 ? 1 : 0);
}

function weekOf(date: LocalTime, startOfWeek: number): number {
  const moved = addSeconds(date, -startOfWeek * DAY);
  const [dayOfYear, weekday] = [Number(written('z', moved)), Number(written('w', moved))];
  return Math.floor((dayOfYear + 7 - weekday) / 7);
}
