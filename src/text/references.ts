import { Edits } from './edits.ts';
import { REFERENCE_NAMES } from './reference-names.ts';

const LONE_AMPERSAND = /&(?!#(?:\d+|x[a-f0-9]+);|[a-z1-4]{1,8};)/gi;
const REFERENCE = /&(?:([A-Za-z]{2,8}[0-9]{0,2});|#(0*[0-9]{1,7});|#[Xx](0*[0-9A-Fa-f]{1,6});)?/g;
const REFERENCE_HERE = new RegExp(REFERENCE, 'y');
const HASH = 35;
const SYNTAX = /[&<>'"]/;

const SYNTAX_NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&apos;',
  '"': '&quot;',
};

// U+0080 to U+009F in the Windows code page; its five unassigned codes map to themselves.
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Replaces each `&` that starts no character reference with `&#038;` (rendered texts). */
export function escapeAmpersands(text: string): string {
  return text.includes('&') ? text.replace(LONE_AMPERSAND, '&#038;') : text;
}

/** Applied after `escapeAmpersands` to titles and excerpts, in which one-letter names such as `&x;` are not references. */
export function escapeShortReferences(text: string): string {
  return text.includes('&') ? text.replace(/&([^#])(?![a-z1-4]{1,8};)/gi, '&#038;$1') : text;
}

/**
 * Normalises the references of a filtered text: keeps known names and valid numbers (decimal ones with at least three digits), and replaces
 * every other `&` with `&amp;`.
 */
export function normaliseReferences(text: string): string {
  const edits = new Edits(text);
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    REFERENCE_HERE.lastIndex = at;
    const next = text.charCodeAt(at + 1);
    // Neither a letter nor `#` follows, so this is no reference.
    const found = next === HASH || (next | 32) > 96 ? REFERENCE_HERE.exec(text) : null;
    if (found === null) {
      edits.replace(at, at + 1, '&amp;');
      continue;
    }
    const [whole] = found;
    const normal = normaliseReference(found);
    if (normal !== whole) edits.replace(at, at + whole.length, normal);
  }
  return edits.finish();
}

export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return REFERENCE_NAMES.get(name) ?? whole;
    if (decimal !== undefined) return characterOf(Number(decimal));
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
    return whole;
  });
}

export function encodeAttribute(value: string): string {
  return SYNTAX.test(value) ? value.replace(/[&<>'"]/g, (char) => SYNTAX_NAMES[char] ?? char) : value;
}

/** Escapes a text for a double-quoted attribute, keeping references. */
export function escapeAttribute(text: string): string {
  if (!SYNTAX.test(text)) return text;
  return normaliseReferences(text)
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');
}

/** Replaces numeric references of the Windows code page (`&#150;`) with those of the intended characters (`&#8211;`). */
export function repairReferences(text: string): string {
  if (!text.includes('&#1')) return text;
  return text.replace(/&#(1[2-5]\d);/g, (whole, digits: string) => {
    const code = Number(digits);
    if (code < 128 || code > 159) return whole;
    const meant = WINDOWS.charCodeAt(code - 128);
    return meant === code ? '' : `&#${meant};`;
  });
}

function normaliseReference([, name, decimal, hex]: RegExpExecArray): string {
  if (name !== undefined) return REFERENCE_NAMES.has(name) ? `&${name};` : `&amp;${name};`;
  if (decimal !== undefined) return normaliseDecimal(decimal);
  return hex === undefined ? '&amp;' : normaliseHex(hex);
}

function normaliseDecimal(digits: string): string {
  if (digits === '0') return '';
  return isCharacter(Number(digits)) ? `&#${digits.replace(/^0+/, '').padStart(3, '0')};` : `&amp;#${digits};`;
}

function normaliseHex(digits: string): string {
  if (digits === '0') return '';
  return isCharacter(Number.parseInt(digits, 16)) ? `&#x${digits.replace(/^0+/, '')};` : `&amp;#x${digits};`;
}

function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

function characterOf(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS.charAt(code - 0x80);
  return isCharacter(code) ? String.fromCodePoint(code) : '\ufffd';
}
