import type { SealedPart } from './port.ts';

/** Bytes from which a sealed text is read as UTF-8, which SQLite is slow to decode. */
const LONG = 1 << 18;
/** Characters from which a string is cut in brief, and how many remain. */
const LONGEST = 65_536;
const REST = 1000;

/** Size of a sealed text, without reading it. */
const bytesOfSealed = 'octet_length(sealed)';

const member = `CASE WHEN type IN ('true', 'false') THEN type WHEN type IN ('object', 'array') THEN value
  WHEN type = 'text' AND length(value) > ${LONGEST} THEN json_quote(substr(value, 1, ${REST})) ELSE json_quote(value) END`;

/** Parts of the sealed text of an event, as expressions. */
export const sealed: Readonly<Record<SealedPart, string>> = {
  whole: `CASE WHEN ${bytesOfSealed} < ${LONG} THEN sealed ELSE CAST(sealed AS BLOB) END`,
  brief: `CASE WHEN ${bytesOfSealed} < ${LONG} THEN sealed ELSE (
    SELECT '{' || group_concat(json_quote(key) || ':' || ${member}, ',') || '}' FROM json_each(sealed)) END`,
  none: 'NULL',
};

/** The same part of a sealed text in memory. */
export function partOfSealed(text: string | null, part: SealedPart): string | null {
  if (part === 'none') return null;
  if (part === 'whole' || text === null || text.length < LONGEST) return text;
  const cut = ([name, value]: [string, unknown]) =>
    typeof value === 'string' && value.length > LONGEST ? [name, value.slice(0, REST).toWellFormed()] : [name, value];
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).map(cut)));
}
