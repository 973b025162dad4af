import { BLANK, isBlank } from './blank.ts';
import { ADDRESS_ATTRIBUTES, filterAddress } from './escape-address.ts';
import { filterStyle } from './filter-style.ts';
import { decodeReferences, encodeAttribute } from './references.ts';
import { readAttributes } from './tags.ts';

export interface Policy {
  readonly elements: ReadonlyMap<string, ReadonlySet<string>>;
  /** Attributes allowed on every element, including `data-…`; none for titles. */
  readonly global: ReadonlySet<string>;
}

const [SLASH, GREATER] = [47, 62];
const TAG = new RegExp(`^<${BLANK}*(?:(/)${BLANK}*)?([a-zA-Z0-9-]+)(?![a-zA-Z0-9-])([^>]*)>?$`);
const CELL = 'abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width';
const COLUMN = 'align char charoff span valign width';
const ROWS = 'align char charoff valign';

/** Markup allowed in contents and excerpts. */
export const POST_POLICY: Policy = {
  elements: readElements([
    'address abbr acronym b bdo big br cite code dd dfn dl dt em fieldset i kbd mark rb rp rt rtc ruby s samp small',
    'strike strong sub sup title tt u var wbr',
    'article aside caption div figure figcaption footer h1 h2 h3 h4 h5 h6 header hgroup legend main nav p section span summary: align',
    'a: href rel rev name target download',
    'area: alt coords href nohref shape target',
    'audio: autoplay controls loop muted preload src',
    'blockquote q: cite',
    'button: disabled name type value',
    `col colgroup: ${COLUMN}`,
    'del time: datetime',
    'details: align name open',
    'dialog: closedby open',
    'font: color face size',
    'hr: align noshade size width',
    'img: alt align border height hspace loading longdesc vspace src usemap width',
    'ins: datetime cite',
    'label: for',
    'li: align value',
    'map: name',
    'menu ul: type',
    'object: data type',
    'ol: start type reversed',
    'pre: width',
    'table: align bgcolor border cellpadding cellspacing rules summary width',
    `tbody tfoot thead: ${ROWS}`,
    `td th: ${CELL}`,
    'textarea: cols rows disabled name readonly',
    'tr: align bgcolor char charoff valign',
    'track: default kind label src srclang',
    'video: autoplay controls height loop muted playsinline poster preload src width',
    ...formulas(),
  ]),
  global: new Set(
    (
      'aria-controls aria-current aria-describedby aria-details aria-expanded aria-hidden aria-label aria-labelledby ' +
      'aria-live class dir hidden id lang style tabindex title role xml:lang'
    ).split(' '),
  ),
};

export const TITLE_POLICY: Policy = {
  elements: readElements([
    'b code em i s strike strong cite',
    'a: href title',
    'abbr acronym: title',
    'blockquote q: cite',
    'del: datetime',
  ]),
  global: new Set(),
};

export const DESCRIPTION_POLICY: Policy = {
  ...TITLE_POLICY,
  elements: new Map([...TITLE_POLICY.elements, ...readElements(['a: href rel target title'])]),
};

export function filterTag(tag: string, policy: Policy): string {
  const bare = filterBareTag(tag, policy);
  if (bare !== null) return bare;
  const parts = TAG.exec(tag);
  if (parts === null) return '';
  const [, slash = '', name = '', rest = ''] = parts;
  const allowed = policy.elements.get(name.toLowerCase());
  if (allowed === undefined) return '';
  if (slash !== '') return `</${name}>`;
  const end = endsWithSlash(rest) ? ' /' : '';
  // Objects would need the address of a document of this site, which is unknown here.
  if (name.toLowerCase() === 'object') return end === '' ? `<${name}>` : '';
  return `<${name}${filterAttributes(rest, allowed, policy)}${end}>`;
}

/** Filters the frequent tags without attributes; null for any other tag. */
function filterBareTag(tag: string, policy: Policy): string | null {
  const start = tag.charCodeAt(1) === SLASH ? 2 : 1;
  const end = tag.length - 1;
  if (start >= end || tag.charCodeAt(end) !== GREATER) return null;
  for (let at = start; at < end; at++) {
    const code = tag.charCodeAt(at);
    if (!((code >= 97 && code <= 122) || (code >= 49 && code <= 54))) return null;
  }
  const name = tag.slice(start, end);
  return policy.elements.has(name) ? tag : '';
}

function filterAttributes(text: string, allowed: ReadonlySet<string>, policy: Policy): string {
  const { attributes, end } = readAttributes(text, 0);
  if (end < 0) return '';
  let out = '';
  const seen = new Set<string>();
  for (const { name, raw } of attributes) {
    if (seen.has(name)) continue;
    seen.add(name);
    const isData = policy.global.size > 0 && /^data-[a-z0-9_-]+$/.test(name);
    if (!isData && !allowed.has(name) && !policy.global.has(name)) continue;
    out += filterAttribute(name, raw);
  }
  return out;
}

function filterAttribute(name: string, raw: string | null): string {
  if (raw === null) return name === 'style' ? '' : ` ${name}`;
  if (name === 'download') return '';
  const value = decodeReferences(raw);
  if (name === 'style') return styleAttribute(value);
  return ` ${name}="${encodeAttribute(ADDRESS_ATTRIBUTES.has(name) ? filterAddress(value) : value)}"`;
}

function styleAttribute(value: string): string {
  const filtered = filterStyle(value);
  if (filtered === '' || filtered === '0') return '';
  // A changed value is encoded again, with numeric references for apostrophes.
  return ` style="${filtered === value ? encodeAttribute(value) : encodeAttribute(filtered).replaceAll('&apos;', '&#039;')}"`;
}

function endsWithSlash(text: string): boolean {
  let end = text.length;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
  return text[end - 1] === '/';
}

function formulas(): string[] {
  const shared = 'displaystyle mathbackground mathcolor mathsize mathvariant scriptlevel';
  return [
    'merror mi mmultiscripts mn mphantom mprescripts mroot mrow ms msqrt mstyle msub msubsup msup mtable mtext mtr semantics: ',
    'annotation: encoding ',
    'math: alttext display xmlns ',
    'mfrac: linethickness ',
    'mo: fence form largeop lspace maxsize minsize movablelimits rspace separator stretchy symmetric ',
    'mover: accent ',
    'mpadded: depth height lspace voffset width ',
    'mspace: depth height width ',
    'mtd: columnspan rowspan ',
    'munder: accentunder ',
    'munderover: accent accentunder ',
  ].map((line) => line + shared);
}

function readElements(lines: readonly string[]): Map<string, Set<string>> {
  const elements = new Map<string, Set<string>>();
  for (const line of lines) {
    const [names = '', attributes = ''] = line.split(': ');
    for (const name of names.split(' ')) elements.set(name, new Set(attributes.split(' ')));
  }
  return elements;
}
