import type { SourceMoment } from './records.ts';

/** Local time and UTC of one moment. */
export interface FolderMoment {
  readonly date: SourceMoment;
  readonly dateGmt: SourceMoment;
  readonly time: number;
}

/**
 * Reads a date of front matter. With a zone, the local time is the one as written, and UTC follows from it; without one, it counts as UTC,
 * since folders do not say where they were written. Null: it is no date.
 */
export function readFolderDate(value: unknown): FolderMoment | null {
  const text = typeof value === 'string' ? value.trim() : '';
  const found = /^(\d{4}-\d\d-\d\d)(?:[Tt ]\s?(\d\d?:\d\d)(:\d\d)?(?:\.\d{1,9})?)?\s?(Z|z|UTC|[+-]\d\d:?\d\d)?$/.exec(
    text,
  );
  if (!found) return asWords(text);
  const [, day = '', minute = '00:00', second = ':00', zone = 'Z'] = found;
  const date = `${day}T${minute.padStart(5, '0')}${second}`;
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : 'Z';
  const time = Date.parse(`${date}${offset}`);
  return Number.isNaN(time) ? null : { date, dateGmt: utcOf(time), time };
}

/** `Jul 08 2022`, or a date as mails have it. */
function asWords(text: string): FolderMoment | null {
  if (!/[A-Za-z]{3}/.test(text) || !/\d{4}/.test(text)) return null;
  const hasZone = /(?:GMT|UTC|[+-]\d{4})$/.test(text);
  const time = Date.parse(hasZone ? text : `${text} UTC`);
  return Number.isNaN(time) ? null : { date: utcOf(time), dateGmt: utcOf(time), time };
}

function utcOf(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}
