import { decodeReferences, encodeAttribute } from './references.ts';

export interface Attribute {
  /** In lower case. */
  readonly name: string;
  /** As written, with references; `null` without `=`. */
  readonly raw: string | null;
  readonly start: number;
  readonly end: number;
}

export interface Tag {
  /** In lower case. */
  readonly name: string;
  readonly start: number;
  readonly nameEnd: number;
  readonly end: number;
  readonly closing: boolean;
  readonly attributes: readonly Attribute[];
}

const SPACES = ' \t\f\r\n';
const BETWEEN = `${SPACES}/`;
const NAME_ENDS = `=/>${SPACES}`;
const RAW = new Set(['script', 'style', 'textarea', 'title', 'iframe', 'noembed', 'noframes', 'xmp']);
const BETWEEN_OR_END = `${BETWEEN}>`;

/** The next start tag at or after `from`; skips incomplete tags and those in comments or scripts. */
export function nextTag(html: string, from: number): Tag | null {
  for (let tag = nextToken(html, from); tag !== null; tag = nextToken(html, endOfElement(html, tag))) {
    if (!tag.closing) return tag;
  }
  return null;
}

/** The next start or end tag at or after `from`. */
export function nextToken(html: string, from: number): Tag | null {
  let at = html.indexOf('<', from);
  while (at >= 0) {
    const first = html.charAt(at + 1);
    if (isLetter(first) || (first === '/' && isLetter(html.charAt(at + 2)))) return readTag(html, at);
    const next = first === '!' || first === '/' || first === '?' ? commentEnd(html, at) : at + 1;
    at = html.indexOf('<', next);
  }
  return null;
}

/** Where to continue after a tag: after the raw text of scripts and similar elements. */
export function endOfElement(html: string, tag: Tag): number {
  if (tag.closing || !RAW.has(tag.name)) return tag.end;
  const closer = new RegExp(`</${tag.name}[\\s/>]`, 'gi');
  closer.lastIndex = tag.end;
  return closer.exec(html)?.index ?? html.length;
}

/** Reads attributes up to `>` or the end of the text; `end` is -1 if a quotation is unclosed. */
export function readAttributes(html: string, from: number): { attributes: Attribute[]; end: number } {
  const attributes: Attribute[] = [];
  let at = skip(html, from, BETWEEN);
  while (at < html.length && html[at] !== '>') {
    const nameEnd = until(html, html[at] === '=' ? at + 1 : at, NAME_ENDS);
    const equals = skip(html, nameEnd, SPACES);
    let [raw, end]: [string | null, number] = [null, nameEnd];
    if (html[equals] === '=') {
      const value = readValue(html, skip(html, equals + 1, SPACES));
      if (value === null) return { attributes, end: -1 };
      [raw, end] = value;
    }
    const name = html.slice(at, nameEnd).toLowerCase();
    attributes.push({ name, raw, start: at, end });
    at = skip(html, end, BETWEEN);
  }
  return { attributes, end: at };
}

/** The value of an attribute: `true` if it has none, null if the attribute is absent. */
export function attributeOf(tag: Tag, name: string): string | true | null {
  const found = tag.attributes.find((attribute) => attribute.name === name);
  if (found === undefined) return null;
  return found.raw === null ? true : decodeReferences(found.raw);
}

/** Sets an attribute of a tag: in place, or directly after the tag's name. */
export function setAttribute(html: string, tag: Tag, attribute: { name: string; value: string }): string {
  const text = `${attribute.name}="${encodeAttribute(attribute.value)}"`;
  const found = tag.attributes.find(({ name }) => name === attribute.name);
  if (found === undefined) return `${html.slice(0, tag.nameEnd)} ${text}${html.slice(tag.nameEnd)}`;
  return html.slice(0, found.start) + text + html.slice(found.end);
}

export function addClasses(html: string, tag: Tag, classes: readonly string[]): string {
  const given = attributeOf(tag, 'class');
  const before = typeof given === 'string' ? given : '';
  const known = before === '' ? [] : before.split(/[ \t\f\r\n]+/);
  const added = distinct(classes).filter((name) => name !== '' && !known.includes(name));
  if (added.length === 0) return html;
  // An unanchored pattern would scan long runs of blanks repeatedly.
  const kept = before.slice(0, skipBack(before));
  return setAttribute(html, tag, { name: 'class', value: [...(kept === '' ? [] : [kept]), ...added].join(' ') });
}

// Usually a single class, on each paragraph of each text.
function distinct(classes: readonly string[]): readonly string[] {
  return classes.length < 2 ? classes : [...new Set(classes)];
}

function readTag(html: string, start: number): Tag | null {
  const closing = html[start + 1] === '/';
  const nameStart = start + (closing ? 2 : 1);
  const nameEnd = until(html, nameStart, BETWEEN_OR_END);
  const { attributes, end } = readAttributes(html, nameEnd);
  if (end < 0 || end >= html.length) return null;
  return { name: html.slice(nameStart, nameEnd).toLowerCase(), start, nameEnd, end: end + 1, closing, attributes };
}

function readValue(html: string, from: number): [string, number] | null {
  const quote = html[from];
  if (quote !== '"' && quote !== "'") {
    const end = until(html, from, `${SPACES}>`);
    return [html.slice(from, end), end];
  }
  const end = html.indexOf(quote, from + 1);
  return end < 0 ? null : [html.slice(from + 1, end), end + 1];
}

function commentEnd(html: string, start: number): number {
  if (!html.startsWith('<!--', start)) return endBehind(html, '>', start);
  if (html.startsWith('<!-->', start) || html.startsWith('<!--->', start)) return endBehind(html, '>', start);
  return endBehind(html, '-->', start + 4);
}

function endBehind(html: string, closer: string, from: number): number {
  const end = html.indexOf(closer, from);
  return end < 0 ? html.length : end + closer.length;
}

function skip(html: string, from: number, chars: string): number {
  let at = from;
  while (at < html.length && chars.includes(html.charAt(at))) at++;
  return at;
}

function skipBack(text: string): number {
  let at = text.length;
  while (at > 0 && SPACES.includes(text.charAt(at - 1))) at--;
  return at;
}

function until(html: string, from: number, chars: string): number {
  let at = from;
  while (at < html.length && !chars.includes(html.charAt(at))) at++;
  return at;
}

function isLetter(char: string): boolean {
  return (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z');
}
