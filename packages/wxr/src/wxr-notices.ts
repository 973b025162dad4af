import type { SourceNotice } from './records.ts';

/** What was repaired, in words; by code. */
const repairs = {
  invalid_utf8: 'bytes that are no UTF-8 were read as windows-1252',
  byte_order_mark: 'a byte order mark was left out',
  utf_16: 'the file is in UTF-16, and was decoded',
  control_character: 'characters that XML forbids were removed',
  lone_surrogate: 'halves of surrogate pairs were removed',
  forbidden_reference: 'references to characters that XML forbids were removed',
  html_entity: 'entities of HTML, which XML does not know, were replaced with their characters',
  bare_ampersand: 'an ampersand that stands alone was taken as text',
  bare_less_than: 'a less-than sign that begins no markup was taken as text',
  markup_in_text: 'HTML outside of CDATA was taken as text',
  cdata_end_missing: 'the end of a CDATA section was missing, and was taken to be at the end of its element',
  cdata_end_in_text: 'a CDATA section contained its own end mark, which was taken as text',
  text_before_start: 'text before the beginning of the document was left out',
  text_after_end: 'text after the end of the document was left out',
  stray_text: 'text between elements was left out',
  namespace_missing: 'the namespace of the export was not declared; the usual prefixes were taken',
} as const;

/** What could not be read, in words; by code. */
const losses = {
  truncated: 'the file ends before its end: what follows here is missing, so export again, or fetch the file again',
  gzip_damaged: 'the compressed file is damaged from here on: fetch it again',
  item_unreadable: 'this item could not be read',
  element_unreadable: 'this element could not be read',
  not_an_item: 'this item has neither a type nor an id, so it is none of an export',
  impossible_date: 'this date is in no calendar, so it is left out',
  element_not_read: 'elements of this name are not read, here and below',
  template_not_published: 'this template or style is not published, so nothing shows it',
  styles_unreadable: 'the content of these styles is no JSON',
} as const;

export type RepairCode = keyof typeof repairs;
export type LossCode = keyof typeof losses;

/** A repair, and where in a text it was made. */
export interface TextRepair {
  readonly code: RepairCode;
  readonly offset: number;
}

export function repairNotice(code: RepairCode, file: string, line: number): SourceNotice {
  return { what: 'repaired', code, message: repairs[code], place: { file, line } };
}

/** `which` names the thing, such as `<wp:tag>` or `item 12, “Title”`. */
export function lossNotice(code: LossCode, file: string, line: number, which = ''): SourceNotice {
  const message = which === '' ? losses[code] : `${which}: ${losses[code]}`;
  return { what: 'skipped', code, message, place: { file, line } };
}

/** Number of line ends in a part of a text. */
export function lineEnds(text: string, from: number, to: number): number {
  const part = text.slice(from, to);
  let count = 0;
  for (let at = part.indexOf('\n'); at >= 0; at = part.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Notices for repairs of a text that begins at a line: one for each code and line. */
export function noticesOf(list: readonly TextRepair[], text: string, file: string, line: number): SourceNotice[] {
  const found = new Map<string, SourceNotice>();
  let [at, here] = [0, line];
  for (const { code, offset } of list.toSorted((one, other) => one.offset - other.offset)) {
    here += lineEnds(text, at, offset);
    at = Math.max(at, offset);
    const key = `${code} ${here}`;
    if (!found.has(key)) found.set(key, repairNotice(code, file, here));
  }
  return [...found.values()];
}
