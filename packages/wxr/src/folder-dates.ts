import type { SourceMoment } from './records.ts';

/** Local time and UTC of one moment. */
export interface FolderMoment {
  readonly date: SourceMoment;
  readonly dateGmt: SourceMoment;
  readonly time: number;
}

/**
 * Reads a date of front matter. One without a zone is in that of the site, which is UTC if folders do not say it; then the local time of a
 * date with a zone is the one as written. Null: it is no date. `zone`: of the site; '': unknown.
 */
export function readFolderDate(value: unknown, zone = ''): FolderMoment | null {
  const text = typeof value === 'string' ? value.trim().replace(/^(\d{4})\/(\d\d)\/(\d\d)\b/, '$1-$2-$3') : '';
  const found = /^(\d{4}-\d\d-\d\d)(?:[Tt ]\s?(\d\d?:\d\d)(:\d\d)?(?:\.\d{1,9})?)?\s?(Z|z|UTC|[+-]\d\d:?\d\d)?$/.exec(
    text,
  );
  if (!found) return asWords(text, zone);
  const [, day = '', minute = '00:00', second = ':00', own = ''] = found;
  const date = `${day}T${minute.padStart(5, '0')}${second}`;
  const offset = /^[+-]/.test(own) ? `${own.slice(0, 3)}:${own.slice(-2)}` : 'Z';
  const time = own === '' ? timeOf(date, zone) : Date.parse(`${date}${offset}`);
  if (Number.isNaN(time)) return null;
  return zone === '' ? { date, dateGmt: utcOf(time), time } : folderMoment(time, zone);
}

/** A time in milliseconds since 1970. */
export function folderMoment(time: number, zone: string): FolderMoment {
  return { date: localOf(time, zone), dateGmt: utcOf(time), time };
}

/** Whether there is such a zone. */
export function isZone(name: string): boolean {
  try {
    return formatOf(name) !== null;
  } catch {
    return false;
  }
}

/** `Jul 08 2022`, or a date as mails have it. */
function asWords(text: string, zone: string): FolderMoment | null {
  if (!/[A-Za-z]{3}/.test(text) || !/\d{4}/.test(text)) return null;
  const hasZone = /(?:GMT|UTC|[+-]\d{4})$/.test(text);
  const read = Date.parse(hasZone ? text : `${text} UTC`);
  if (Number.isNaN(read)) return null;
  return folderMoment(hasZone ? read : timeOf(utcOf(read), zone), zone);
}

/** The time of a local one. */
function timeOf(local: string, zone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  if (zone === '' || Number.isNaN(asUtc)) return asUtc;
  const offsetAt = (time: number) => Date.parse(`${localOf(time, zone)}Z`) - time;
  return asUtc - offsetAt(asUtc - offsetAt(asUtc));
}

function localOf(time: number, zone: string): string {
  return zone === ''
    ? utcOf(time)
    : formatOf(zone)
        .format(Math.floor(time / 1000) * 1000)
        .replace(' ', 'T');
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Writes times as ISO 8601 has them, but for a space in their midst. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const made = new Intl.DateTimeFormat('sv-SE', { ...digits, second: '2-digit', timeZone: zone });
  formats.set(zone, made);
  return made;
}

function utcOf(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}
