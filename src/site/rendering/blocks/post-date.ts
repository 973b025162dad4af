import { type CivilMoment, formatDate, isoDate } from '#domain/time/format.ts';
import { type LocalTime, resolveDate, secondsBetween } from '#domain/time/local.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { flagAt, isSet, textAt } from '#text/attributes.ts';
import type { JsonMap } from '#text/ordered-json.ts';
import { escapeAttribute } from '#text/references.ts';
import { permalink } from '../../addresses/items.ts';
import { aligned, linkTo, wrapped } from '../pieces.ts';
import { momentOf } from '../posts.ts';
import type { Make } from '../types.ts';

export const postDate: Make = (block, { post: { row }, rendering }) => {
  if (row === undefined) return '';
  const { model } = rendering;
  const { attributes } = block;
  const { timezone, dateFormat } = model.site();
  const moment = momentIn(attributes, row, timezone);
  if (moment === null) return '';
  const format = textAt(attributes, 'format');
  const shown =
    format === 'human-diff'
      ? distance(moment, rendering.now())
      : formatDate(isSet(format) ? (format ?? '') : dateFormat, moment, timezone);
  const written = ownDate(attributes) ?? isoDate(moment, timezone);
  const time = `<time datetime="${escapeAttribute(written)}">${shown}</time>`;
  const inside = flagAt(attributes, 'isLink') === true ? linkTo(permalink(row, model), time) : time;
  const isModified = showsModified(attributes);
  const classes = [...aligned(attributes), ...(isModified ? ['wp-block-post-date__modified-date'] : [])];
  return wrapped('div', block, inside, { classes });
};

function momentIn(attributes: JsonMap, row: EntryRow, zone: string): CivilMoment | null {
  const published = momentOf(row);
  if (showsModified(attributes)) {
    return row.modifiedGmt > published.gmt ? { local: row.modified, gmt: row.modifiedGmt } : null;
  }
  const given = ownDate(attributes);
  return given === undefined ? published : resolveDate(given, 'date_gmt', zone);
}

/** The date that the block has itself; without a zone it is UTC. */
function ownDate(attributes: JsonMap): string | undefined {
  const given = textAt(attributes, 'datetime');
  return isSet(given) && field(attributes) === undefined && !showsModified(attributes) ? given : undefined;
}

function showsModified(attributes: JsonMap): boolean {
  return textAt(attributes, 'displayType') === 'modified' || field(attributes) === 'modified';
}

function field(attributes: JsonMap): string | undefined {
  const path = ['metadata', 'bindings', 'datetime'];
  if (textAt(attributes, ...path, 'source') !== 'core/post-data') return undefined;
  return textAt(attributes, ...path, 'args', 'field') ?? textAt(attributes, ...path, 'args', 'key');
}

const UNITS: readonly (readonly [name: string, seconds: number, below: number])[] = [
  ['second', 1, 60],
  ['minute', 60, 3600],
  ['hour', 3600, 86_400],
  ['day', 86_400, 604_800],
  ['week', 604_800, 2_592_000],
  ['month', 2_592_000, 31_536_000],
  ['year', 31_536_000, Number.POSITIVE_INFINITY],
];

function distance({ gmt }: CivilMoment, now: LocalTime): string {
  const seconds = secondsBetween(gmt, now);
  const unit = UNITS.find(([, , below]) => Math.abs(seconds) < below) ?? UNITS.at(-1);
  const [name = '', size = 1] = unit ?? [];
  const count = Math.max(1, Math.round(Math.abs(seconds) / size));
  return `${count} ${name}${count === 1 ? '' : 's'} ${seconds < 0 ? 'from now' : 'ago'}`;
}
