import { Edits } from './edits.ts';

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

// Names of U+00A0 to U+00FF, in order.
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';

// Pairs of name and code point.
const OTHERS =
  'quot:22 amp:26 apos:27 lt:3c gt:3e OElig:152 oelig:153 Scaron:160 scaron:161 Yuml:178 fnof:192 circ:2c6 tilde:2dc ' +
  'Alpha:391 Beta:392 Gamma:393 Delta:394 Epsilon:395 Zeta:396 Eta:397 Theta:398 Iota:399 Kappa:39a Lambda:39b ' +
  'Mu:39c Nu:39d Xi:39e Omicron:39f Pi:3a0 Rho:3a1 Sigma:3a3 Tau:3a4 Upsilon:3a5 Phi:3a6 Chi:3a7 Psi:3a8 Omega:3a9 ' +
  'alpha:3b1 beta:3b2 gamma:3b3 delta:3b4 epsilon:3b5 zeta:3b6 eta:3b7 theta:3b8 iota:3b9 kappa:3ba lambda:3bb ' +
  'mu:3bc nu:3bd xi:3be omicron:3bf pi:3c0 rho:3c1 sigmaf:3c2 sigma:3c3 tau:3c4 upsilon:3c5 phi:3c6 chi:3c7 psi:3c8 ' +
  'omega:3c9 thetasym:3d1 upsih:3d2 piv:3d6 ensp:2002 emsp:2003 thinsp:2009 zwnj:200c zwj:200d lrm:200e rlm:200f ' +
  'ndash:2013 mdash:2014 lsquo:2018 rsquo:2019 sbquo:201a ldquo:201c rdquo:201d bdquo:201e dagger:2020 Dagger:2021 ' +
  'bull:2022 hellip:2026 permil:2030 prime:2032 Prime:2033 lsaquo:2039 rsaquo:203a oline:203e frasl:2044 euro:20ac ' +
  'image:2111 weierp:2118 real:211c trade:2122 alefsym:2135 larr:2190 uarr:2191 rarr:2192 darr:2193 harr:2194 ' +
  'crarr:21b5 lArr:21d0 uArr:21d1 rArr:21d2 dArr:21d3 hArr:21d4 forall:2200 part:2202 exist:2203 empty:2205 ' +
  'nabla:2207 isin:2208 notin:2209 ni:220b prod:220f sum:2211 minus:2212 lowast:2217 radic:221a prop:221d infin:221e ' +
  'ang:2220 and:2227 or:2228 cap:2229 cup:222a int:222b there4:2234 sim:223c cong:2245 asymp:2248 ne:2260 equiv:2261 ' +
  'le:2264 ge:2265 sub:2282 sup:2283 nsub:2284 sube:2286 supe:2287 oplus:2295 otimes:2297 perp:22a5 sdot:22c5 ' +
  'lceil:2308 rceil:2309 lfloor:230a rfloor:230b lang:27e8 rang:27e9 loz:25ca spades:2660 clubs:2663 hearts:2665 ' +
  'diams:2666';

/** The 253 named character references allowed in filtered texts, with their characters. */
const REFERENCE_NAMES: ReadonlyMap<string, string> = readNames();

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
  return isCharacter(Number(digits)) ? `&#${digits.replace(/^0+/, '').padStart(3, '0')};` : `&amp;#${digits};`;
}

function normaliseHex(digits: string): string {
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

function readNames(): Map<string, string> {
  const names = new Map<string, string>();
  LATIN.split(' ').forEach((name, i) => {
    names.set(name, String.fromCharCode(0xa0 + i));
  });
  for (const entry of OTHERS.split(' ')) {
    const [name = '', code = ''] = entry.split(':');
    names.set(name, String.fromCharCode(Number.parseInt(code, 16)));
  }
  return names;
}
