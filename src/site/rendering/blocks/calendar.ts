import { escapeAddress } from '#blocks/escape-address.ts';
import { escapeAttribute } from '#blocks/references.ts';
import type { ServerBlock } from '#blocks/server-blocks.ts';
import { partAttributes } from '#blocks/supports/wrapper.ts';
import { formatByPattern } from '#domain/time/pattern.ts';
import { publishedIn, rowsOf } from '../listing.ts';
import { wrapped } from '../pieces.ts';
import type { Here, Make } from '../types.ts';
import { daysInto } from './archives.ts';

interface Month {
  readonly year: number;
  /** From 1. */
  readonly month: number;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const INITIALS = ['S', 'M', 'T', 'W', 'T', 'F', 'S'];
/** Maximum posts of a month that are read. */
const MOST = 1000;

export const calendar: Make = (block, here) => {
  const [latest] = datesOf({ limit: 1 }, here);
  if (latest === undefined) return '';
  const shown = { year: Number(latest.slice(0, 4)), month: Number(latest.slice(5, 7)) };
  const table = `${head(shown, block, here)}${rows(shown, here)}\n\t</tr>\n\t</tbody>\n\t</table>`;
  return wrapped('div', block, `${table}${neighbours(shown, here)}`);
};

function head(shown: Month, { name, attributes }: ServerBlock, { rendering: { model } }: Here): string {
  const colours = partAttributes(name, attributes);
  const classes = ['wp-calendar-table', ...colours.classes];
  const style = colours.style === '' ? '' : ` style="${escapeAttribute(colours.style)}"`;
  const start = model.site().startOfWeek;
  const days = DAYS.map((_, i) => daysInto(start + i, 0)).map(
    (day) => `\n\t\t<th scope="col" aria-label="${DAYS[day]}">${INITIALS[day]}</th>`,
  );
  return (
    `<table${style} id="wp-calendar" class="${escapeAttribute(classes.join(' '))}">` +
    `\n\t<caption>${formatByPattern(firstOf(shown), 'F Y')}</caption>\n\t<thead>\n\t<tr>${days.join('')}` +
    '\n\t</tr>\n\t</thead>\n\t<tbody>\n\t<tr>'
  );
}

function rows(shown: Month, here: Here): string {
  const { startOfWeek } = here.rendering.model.site();
  const used = daysWithPosts(shown, here);
  const first = daysInto(new Date(`${firstOf(shown)}Z`).getUTCDay(), startOfWeek);
  const length = new Date(Date.UTC(shown.year, shown.month, 0)).getUTCDate();
  let out = first === 0 ? '' : `\n\t\t<td colspan="${first}" class="pad">&nbsp;</td>`;
  for (let day = 1; day <= length; day++) {
    if (day > 1 && (first + day - 1) % 7 === 0) out += '\n\t</tr>\n\t<tr>\n\t\t';
    out += `<td>${used.has(day) ? dayLink(shown, day, here) : day}</td>`;
  }
  const left = (7 - ((first + length) % 7)) % 7;
  return left === 0 ? out : `${out}\n\t\t<td class="pad" colspan="${left}">&nbsp;</td>`;
}

function dayLink(shown: Month, day: number, { rendering: { model } }: Here): string {
  const date = `${firstOf(shown).slice(0, 8)}${two(day)}T00:00:00`;
  const label = `Posts published on ${formatByPattern(date, 'F j, Y')}`;
  const address = `${model.site().url}/${shown.year}/${two(shown.month)}/${two(day)}/`;
  return `<a href="${escapeAddress(address)}" aria-label="${label}">${day}</a>`;
}

function neighbours(shown: Month, here: Here): string {
  const [before] = datesOf({ limit: 1, before: firstOf(shown) }, here);
  const link =
    before === undefined
      ? '&nbsp;'
      : `<a href="${escapeAddress(`${here.rendering.model.site().url}/${before.slice(0, 4)}/${before.slice(5, 7)}/`)}">&laquo; ${formatByPattern(before, 'M')}</a>`;
  return (
    '<nav aria-label="Previous and next months" class="wp-calendar-nav">' +
    `\n\t\t<span class="wp-calendar-nav-prev">${link}</span>\n\t\t<span class="pad">&nbsp;</span>` +
    '\n\t\t<span class="wp-calendar-nav-next">&nbsp;</span>\n\t</nav>'
  );
}

function daysWithPosts(shown: Month, here: Here): Set<number> {
  const dates = datesOf({ limit: MOST }, here);
  const month = firstOf(shown).slice(0, 7);
  return new Set(dates.filter((date) => date.startsWith(month)).map((date) => Number(date.slice(8, 10))));
}

function datesOf({ limit, before }: { readonly limit: number; readonly before?: string }, { rendering }: Here) {
  return rendering.kept(`dates ${limit} ${before}`, () =>
    rowsOf(publishedIn('post', limit, before), rendering).map(({ date }) => date),
  );
}

function firstOf({ year, month }: Month): string {
  return `${String(year).padStart(4, '0')}-${two(month)}-01T00:00:00`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
