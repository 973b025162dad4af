import { Parser } from 'htmlparser2';
import { SaxesParser } from 'saxes';
import type { TextRepair } from './wxr-notices.ts';

/** An element of an export with all that is in it. */
export interface WxrElement {
  /** `wp:…`, `excerpt:…`, `content:…`, `dc:…` whatever the prefixes of the file are; any other as it stands there. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: WxrElement[];
  /** Its text; '' if it has children. */
  text: string;
}

/** Prefixes of the root with what they mean: `wp`, `excerpt`, `content`, `dc`, or an address of something else. */
export type WxrNamespaces = Readonly<Record<string, string>>;

interface Cut {
  /** What stands outside of CDATA and comments, with its offsets; after each but the last one, the text of a section. */
  readonly markup: { readonly text: string; readonly offset: number }[];
  readonly texts: string[];
  readonly repairs: TextRepair[];
}

const known = ['wp', 'excerpt', 'content', 'dc'] as const;
const htmlNames =
  'abbr|address|article|aside|a|blockquote|br|b|button|center|cite|code|dd|del|div|dl|dt|em|figcaption|figure|font|footer|form|h[1-6]|header|hr|iframe|img|input|ins|i|li|main|mark|nav|ol|pre|p|q|script|section|small|span|strike|strong|style|sub|sup|s|table|tbody|td|tfoot|thead|th|tr|ul|u|video';
const opening = /<!\[CDATA\[|<!--/g;
const needsRepair = new RegExp(`[&\\r]|<(?![/?!a-z_])|</?(?:${htmlNames})(?=[\\s/>])`, 'i');
const repairable = new RegExp(
  `(&(?:#\\d+;|#x[\\da-f]+;|[a-z][\\da-z]*;)?)|(<(?![/?!a-z_]))|(</?(?:${htmlNames})(?=[\\s/>]))`,
  'gi',
);
const structure = /\s*<\/?(?:[\w-]+:[\w-]+|item|title|link|pubDate|guid|description|category)[\s>/]/y;
const references = /&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);/gi;
/** Texts of at least so many letters keep the text that they are cut out of in memory, unless they are copied. */
const sliced = 13;
const copied = 16_384;
const characters = new Map<string, string>();

/** An element from its text, with what had to be repaired; null if it is not well-formed. Leniently, CDATA ends where its element ends. */
export function readWxrElement(
  fragment: string,
  namespaces: WxrNamespaces,
  how: 'strictly' | 'leniently',
): { readonly element: WxrElement; readonly repairs: readonly TextRepair[] } | null {
  const cut = cutOut(fragment, how === 'leniently');
  if (cut === null) return null;
  const joined = cut.markup.map(({ text }) => text).join('<?c?>');
  const markup = needsRepair.test(joined)
    ? cut.markup.map((part) => repairMarkup(part, cut.repairs)).join('<?c?>')
    : joined;
  const element = parse(markup, cut.texts, namespaces);
  return element && { element, repairs: cut.repairs };
}

/** What a namespace means to an export. */
export function wxrNamespacesOf(root: string): { readonly namespaces: WxrNamespaces; readonly isExport: boolean } {
  const found: Record<string, string> = {};
  for (const [, prefix = '', , uri = ''] of root.matchAll(/\sxmlns:([\w.-]+)\s*=\s*(["'])([^"'<>]*)\2/g)) {
    if (prefix !== 'xml' && prefix !== 'xmlns' && uri !== '') found[prefix] = meaningOf(uri);
  }
  const isExport = Object.values(found).includes('wp');
  for (const name of known) if (!Object.values(found).includes(name)) found[name] = name;
  return { namespaces: found, isExport };
}

/** A text with its references replaced by their characters, once. */
export function withoutReferences(text: string): string {
  return text.includes('&') ? text.replace(references, (found) => characterOf(found) ?? found) : text;
}

/** A text on its own, so that a part of a long text does not keep the whole in memory. */
export function ownText(text: string): string {
  return text.length < sliced || text.length > copied ? text : Buffer.from(text).toString();
}

function meaningOf(uri: string): string {
  if (/\/export\/1\.\d+\/excerpt\/?$/.test(uri)) return 'excerpt';
  if (/\/export\/1\.\d+\/?$/.test(uri)) return 'wp';
  if (uri.startsWith('http://purl.org/rss/1.0/modules/content')) return 'content';
  return uri.startsWith('http://purl.org/dc/elements/') ? 'dc' : uri;
}

/** CDATA sections and comments taken out: so texts stay byte for byte, and a parser sees only what is little. */
function cutOut(fragment: string, isLenient: boolean): Cut | null {
  const cut: Cut = { markup: [], texts: [], repairs: [] };
  let [at, from] = [0, 0];
  for (;;) {
    opening.lastIndex = from;
    const found = opening.exec(fragment);
    if (found === null) break;
    const { index } = found;
    if (found[0] === '<!--') {
      const end = fragment.indexOf('-->', index + 4);
      if (end < 0) return null;
      cut.markup.push({ text: fragment.slice(at, index), offset: at });
      cut.texts.push('');
      at = from = end + 3;
      continue;
    }
    const end = isLenient ? lenientEnd(fragment, index) : strictEnd(fragment, index);
    if (end === null) return null;
    cut.markup.push({ text: fragment.slice(at, index), offset: at });
    cut.texts.push(isLenient ? end.text.replaceAll(']]><![CDATA[', '') : end.text);
    if (end.code !== null) cut.repairs.push({ code: end.code, offset: end.at });
    at = from = end.next;
  }
  cut.markup.push({ text: fragment.slice(at), offset: at });
  return cut;
}

interface CdataEnd {
  readonly text: string;
  readonly at: number;
  readonly next: number;
  readonly code: 'cdata_end_missing' | 'cdata_end_in_text' | null;
}

function strictEnd(fragment: string, index: number): CdataEnd | null {
  const at = fragment.indexOf(']]>', index + 9);
  return at < 0 ? null : { text: fragment.slice(index + 9, at), at, next: at + 3, code: null };
}

/** The end at the end tag of the element that the section is in: with its mark, or without one if what follows is structure. */
function lenientEnd(fragment: string, index: number): CdataEnd | null {
  const name = /^<([\w.:-]+)/.exec(fragment.slice(fragment.lastIndexOf('<', index - 1), index))?.[1];
  if (name === undefined) return strictEnd(fragment, index);
  const [start, tag] = [index + 9, `</${name}>`];
  let [mark, from] = [-1, start];
  for (let at = fragment.indexOf(tag, start); at >= 0; at = fragment.indexOf(tag, at + 1)) {
    const found = fragment.slice(from, at).lastIndexOf(']]>');
    if (found >= 0) mark = from + found;
    from = Math.max(start, at - 2);
    const isMarked = mark >= 0 && fragment.indexOf('<', mark + 3) === at;
    if (isMarked) {
      const text = fragment.slice(start, mark);
      const isNested = text.replaceAll(']]><![CDATA[', '').includes(']]>');
      return { text, at: mark, next: mark + 3, code: isNested ? 'cdata_end_in_text' : null };
    }
    structure.lastIndex = at + tag.length;
    if (structure.test(fragment)) return { text: fragment.slice(start, at), at, next: at, code: 'cdata_end_missing' };
  }
  return null;
}

function repairMarkup({ text, offset }: { text: string; offset: number }, repairs: TextRepair[]): string {
  const repaired = text.replace(repairable, (found, reference, less, tag, at: number) => {
    const note = (code: TextRepair['code'], into: string) => {
      repairs.push({ code, offset: offset + at });
      return into;
    };
    if (tag !== undefined) return note('markup_in_text', `&lt;${tag.slice(1)}`);
    if (less !== undefined) return note('bare_less_than', '&lt;');
    return reference === '&' ? note('bare_ampersand', '&amp;') : repairReference(found, note);
  });
  // A parser of XML makes line ends of carriage returns.
  return repaired.includes('\r')
    ? repaired.replace(/<[^<>]*>|\r/g, (found) => (found === '\r' ? '&#13;' : found))
    : repaired;
}

function repairReference(reference: string, note: (code: TextRepair['code'], into: string) => string): string {
  if (/^&(?:amp|lt|gt|quot|apos);$/.test(reference)) return reference;
  if (reference[1] === '#') return isCharacter(reference) ? reference : note('forbidden_reference', '');
  const character = characterOf(reference);
  return character === null ? note('bare_ampersand', `&amp;${reference.slice(1)}`) : note('html_entity', character);
}

function isCharacter(reference: string): boolean {
  const code = /^&#x/i.test(reference)
    ? Number.parseInt(reference.slice(3), 16)
    : Number.parseInt(reference.slice(2), 10);
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code < 0x110000);
}

/** The character that a reference of HTML stands for; null: it stands for none. */
function characterOf(reference: string): string | null {
  const cached = characters.get(reference);
  if (cached !== undefined) return cached === '' ? null : cached;
  let text = '';
  const parser = new Parser({ ontext: (part) => (text += part) });
  parser.end(reference);
  const isWhole = text !== reference && !text.endsWith(';');
  if (characters.size < 5000) characters.set(ownText(reference), isWhole ? text : '');
  return isWhole ? text : null;
}

class NotWellFormed extends Error {}

function parse(markup: string, texts: readonly string[], namespaces: WxrNamespaces): WxrElement | null {
  const parser = new SaxesParser({ xmlns: true, fragment: true, position: false, additionalNamespaces: namespaces });
  const top: WxrElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  /** Texts of those elements outside of CDATA, and whether they have any in it. */
  const outside = [{ text: '', hasCdata: false }];
  let next = 0;
  parser.on('error', (error) => {
    if (!error.message.includes('unbound namespace prefix')) throw new NotWellFormed();
  });
  parser.on('opentag', (tag) => {
    const attributes: Record<string, string> = {};
    for (const [name, { value }] of Object.entries(tag.attributes)) attributes[name] = ownText(value);
    const element: WxrElement = { name: nameOf(tag), attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
    outside.push({ text: '', hasCdata: false });
  });
  parser.on('text', (text) => {
    outside.at(-1)!.text += text;
  });
  parser.on('processinginstruction', ({ target }) => {
    if (target !== 'c') return;
    const around = outside.at(-1)!;
    // Blanks around CDATA are indentation.
    if (around.text.trim() !== '') open.at(-1)!.text += around.text;
    outside[outside.length - 1] = { text: '', hasCdata: true };
    open.at(-1)!.text += texts[next++] ?? '';
  });
  parser.on('closetag', () => {
    const [element, around] = [open.pop(), outside.pop()];
    if (element === undefined || around === undefined) return;
    const text = around.hasCdata && around.text.trim() === '' ? element.text : element.text + around.text;
    element.text = element.children.length > 0 ? '' : ownText(text);
  });
  try {
    parser.write(markup).close();
  } catch (error) {
    if (error instanceof NotWellFormed) return null;
    throw error;
  }
  const isOne = open.length === 1 && top.children.length === 1 && outside[0]?.text.trim() === '';
  return isOne ? (top.children[0] ?? null) : null;
}

function nameOf({ uri, prefix, local }: { uri: string; prefix: string; local: string }): string {
  const meaning = meaningOf(uri);
  if (known.some((name) => name === meaning)) return `${meaning}:${local}`;
  if (uri !== '' && known.some((name) => name === prefix)) return `{${uri}}${local}`;
  return prefix === '' ? local : `${prefix}:${local}`;
}
