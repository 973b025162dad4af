import { foldText } from '#text/fold.ts';

// Spaces, punctuation and symbols sort before digits, digits before letters, as in the Unicode collation.
const marks = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$';
const firstMark = 0x0f;
// Symbols newer than this version of the Unicode collation: they sort last.
const NEW_SYMBOL =
  /^[\u23e9-\u23f3\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2755\u2795-\u2797\u27b0\u27bf\u{1f1e6}-\u{1f1ff}\u{1f300}-\u{1faff}]/u;
/** Dashes and quotation marks have their place after the plain ones. */
const LIKE = [
  [/\p{Pd}/u, '-'],
  [/[‘’‚‛‹›]/, "'"],
  [/[“”„‟«»]/, '"'],
] as const;
const WITHOUT_WIDTH = /[\u200b-\u200f\u2060\ufeff]|\p{Variation_Selector}/gu;
const places = Uint8Array.from({ length: 128 }, (_, code) => placeOf(String.fromCharCode(code)));

/** A key whose plain comparison gives the order of titles and slugs: case and accents ignored, digits as text. */
export function sortKey(text: string): string {
  return sortBytes(text).toString('latin1');
}

/** `sortKey` as bytes. */
export function sortBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return bytesOf(slowKey(text));
    bytes[i] = places[code]!;
  }
  return bytes;
}

/** `YYYY-MM-DDTHH:MM:SS` as a number in the same order. */
export function packTime(time: string): number {
  let packed = 0;
  for (let i = 0; i < time.length && i < 19; i++) {
    const digit = time.charCodeAt(i) - 48;
    if (digit >= 0 && digit <= 9) packed = packed * 10 + digit;
  }
  return packed;
}

function slowKey(text: string): string {
  return foldText(text)
    .replace(WITHOUT_WIDTH, '')
    .replace(/[^\p{L}\p{N}\p{M}]/gu, (mark) => {
      const code = mark.charCodeAt(0);
      if (code < 128) return String.fromCharCode(places[code]!);
      if (NEW_SYMBOL.test(mark)) return `\uffff${mark}`;
      const like = LIKE.find(([pattern]) => pattern.test(mark))?.[1];
      return like === undefined ? `\x0e${mark}` : `${String.fromCharCode(places[like.charCodeAt(0)]!)}\uffff${mark}`;
    });
}

/** Like UTF-8, but with halves of pairs on their own, so that bytes have the order of the text. */
function bytesOf(text: string): Buffer {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes.push(unit);
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f));
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  }
  return Buffer.from(bytes);
}

function placeOf(character: string): number {
  const mark = marks.indexOf(character);
  return mark < 0 ? character.toLowerCase().charCodeAt(0) : firstMark + mark;
}
