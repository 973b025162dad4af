import { spellBrandInText } from './brand.ts';
import { Edits } from './edits.ts';
import { Output } from './output.ts';
import { paragraphs } from './paragraphs.ts';
import { decodeReferences, encodeAttribute, escapeShortReferences, normaliseReferences } from './references.ts';
import { smileys } from './smileys.ts';
import { type Attribute, readAttributes } from './tags.ts';
import { typography } from './typography.ts';
import { webAddress } from './web-address.ts';

/** Longer pieces are split and examined word by word. */
const LONG_PIECE = 10_000;
const LONG_WORD = 2100;

const TAG = /<[^<>]+>/g;
const CODE_START = /^<(?:code|pre|script|style)[\s>]/i;
const CODE_END = /^<\/(?:code|pre|script|style)>$/i;
/** `<https://…>` is an address rather than a tag. */
const ADDRESS_IN_BRACKETS = /^<\s*\w{1,20}:\/\//;

const PLAIN = '[\\w\\u0080-\\uffff#%~/@\\[\\]*(+=&$-]';
const ADDRESS = new RegExp(
  `([\\s(<.,;:!?])(\\w{1,20}://(?=\\S{1,2000}\\s)${PLAIN}*(?:['.,;:!?)]${PLAIN}+)*)(\\)?)`,
  'g',
);
const WITHOUT_SCHEME = /([\s>])((?:www|ftp)\.[\w\u0080-\uffff#$%&~/.\-;:=,?@[\]+]+)/gi;
const MAIL = /([\s>])([.0-9a-z_+-]+)@((?:[0-9a-z-]+\.)+[0-9a-z]{2,})/gi;
const NESTED = /(<a(?:[ \r\n\t][^<>]+|)>)<a [^<>]+>([^<>]+)<\/a><\/a>/gi;

/** Void elements. */
const SINGLE = new Set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(
    ' ',
  ),
);
/** Elements that may be nested directly in one of the same name. */
const NESTABLE = new Set('article aside blockquote details div figure object q section span'.split(' '));

const BALANCED_TAG = /<(\/?)([a-z][a-z0-9._]*-[a-z0-9._-]+|[\w:]+)(?:\s*(\/?)|(\s+)(?!\s)([^>]*))>/y;

/** Renders the text of a comment. `host`: of the site; links to it are not marked `nofollow`. */
export function renderComment(raw: string, host: string): string {
  if (raw === '') return '';
  const text = escapeShortReferences(typography(clickable(raw, host)));
  return spellBrandInText(paragraphs(balanceTags(smileys(text))));
}

export function countLinks(html: string): number {
  let links = 0;
  for (const [tag] of html.matchAll(/<a [^<>]*/gi)) if (/href/i.test(tag)) links += 1;
  return links;
}

/** Turns addresses in a visitor's text into links, except in code. `host`: of the site. */
export function clickable(html: string, host: string): string {
  if (!/:\/\/|@|www\.|ftp\./i.test(html)) return html;
  const out = new Output();
  let depth = 0;
  let done = 0;
  const addText = (end: number) => {
    if (end > done) out.add(depth > 0 ? html.slice(done, end) : linkedPiece(html.slice(done, end), host));
    done = end;
  };
  for (const { 0: tag, index } of html.matchAll(TAG)) {
    if (depth === 0 && ADDRESS_IN_BRACKETS.test(tag)) {
      addText(index);
      addText(index + tag.length);
      continue;
    }
    addText(index);
    if (CODE_START.test(tag)) depth += 1;
    else if (depth > 0 && CODE_END.test(tag)) depth -= 1;
    out.add(tag);
    done = index + tag.length;
  }
  addText(html.length);
  const text = out.finish();
  return text.includes('</a></a>') ? text.replace(NESTED, '$1$2</a>') : text;
}

function linkedPiece(piece: string, host: string): string {
  if (piece.length <= LONG_PIECE) return linked(piece, host);
  return piece
    .split(/(\s+)/)
    .map((word) => (word.length > LONG_WORD ? word : linked(word, host)))
    .join('');
}

function linked(piece: string, host: string): string {
  const text = ` ${piece} `
    .replace(ADDRESS, (whole, before: string, address: string, closing: string) =>
      linkTo(whole, before, balanced(address, closing), host),
    )
    .replace(WITHOUT_SCHEME, (whole, before: string, address: string) => {
      const rest = /[.,;:)]$/.exec(address)?.[0] ?? '';
      const own = address.slice(0, address.length - rest.length);
      return linkTo(whole, before, { address: `http://${own}`, rest }, host);
    })
    .replace(MAIL, (_, before: string, name: string, at: string) => {
      const mail = `${name}@${at}`;
      return `${before}<a href="mailto:${mail}">${mail}</a>`;
    });
  return text.slice(1, -1);
}

interface Found {
  readonly address: string;
  readonly rest: string;
}

function balanced(found: string, closing: string): Found {
  const takes = closing !== '' && found.indexOf('(') > 0;
  let address = takes ? found + closing : found;
  let rest = takes ? '' : closing;
  let surplus = count(address, ')') - count(address, '(');
  for (; surplus > 0; surplus--) {
    const at = address.lastIndexOf(')');
    rest = address.slice(at) + rest;
    address = address.slice(0, at);
  }
  return { address, rest };
}

function linkTo(whole: string, before: string, { address, rest }: Found, host: string): string {
  const shown = normaliseReferences(webAddress(address)).replaceAll('&amp;', '&#038;').replaceAll("'", '&#039;');
  if (shown === '') return whole;
  const isWeb = /^https?:/i.test(shown);
  const relation = isWeb ? relationOf(shown, host) : 'ugc';
  return `${before}<a href="${shown}" rel="${relation}">${shown}</a>${rest}`;
}

function count(text: string, char: string): number {
  let found = 0;
  for (let at = text.indexOf(char); at >= 0; at = text.indexOf(char, at + 1)) found += 1;
  return found;
}

/** Marks every link of a text as user-generated, and links to other sites as `nofollow`. `host`: of the site. Idempotent. */
export function markLinks(html: string, host: string): string {
  const edits = new Edits(html);
  let [end, line] = [-1, -1];
  for (let start = nextLink(html, 0); start >= 0; start = nextLink(html, start + 1)) {
    if (end < start + 4) end = html.indexOf('>', start + 4);
    if (end < 0) break;
    if (line < start + 3) line = endOfLine(html, start + 3);
    // A tag must end on its line.
    if (line < end) continue;
    edits.replace(start, end + 1, `<a ${marked(html.slice(start + 3, end), host)}>`);
    start = end;
  }
  return edits.finish();
}

function endOfLine(html: string, from: number): number {
  const end = html.indexOf('\n', from);
  return end < 0 ? html.length : end;
}

function relationOf(address: string, host: string): 'ugc' | 'nofollow ugc' {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? URL.parse(address) : null;
  return url !== null && url.hostname === host.toLowerCase() ? 'ugc' : 'nofollow ugc';
}

function nextLink(html: string, from: number): number {
  for (let at = html.indexOf('<', from); at >= 0; at = html.indexOf('<', at + 1)) {
    const letter = html.charAt(at + 1);
    if ((letter === 'a' || letter === 'A') && html.charAt(at + 2) === ' ') return at;
  }
  return -1;
}

function marked(text: string, host: string): string {
  const { attributes } = readAttributes(text, 0);
  const relation = relationOf(attributeIn(attributes, 'href') ?? '', host);
  const given = attributeIn(attributes, 'rel');
  if (given === null || given === '') return `${text} rel="${relation}"`;
  const words = new Set([...given.split(' ').map((word) => word.trim()), ...relation.split(' ')]);
  const others = attributes.filter(({ name }) => name !== 'rel').map(written);
  return [...others, `rel="${encodeAttribute([...words].join(' '))}"`].join(' ');
}

function attributeIn(attributes: readonly Attribute[], name: string): string | null {
  const raw = attributes.find((attribute) => attribute.name === name)?.raw ?? null;
  return raw === null ? null : decodeReferences(raw);
}

function written({ name, raw }: Attribute): string {
  return raw === null ? name : `${name}="${encodeAttribute(decodeReferences(raw))}"`;
}

export function balanceTags(html: string): string {
  if (!html.includes('<')) return html;
  const text = html.replaceAll('< !--', '<    !--').replace(/<(?=\d)/g, '&lt;');
  const edits = new Edits(text);
  const open = new OpenElements();
  const last = text.lastIndexOf('>');
  for (let at = text.indexOf('<'); at >= 0 && at < last; at = text.indexOf('<', at)) {
    BALANCED_TAG.lastIndex = at;
    const found = BALANCED_TAG.exec(text);
    if (found === null) {
      at += 1;
      continue;
    }
    const end = at + found[0].length;
    const tag = found[1] === '/' ? closed(found[2] ?? '', open) : opened(found, open);
    if (tag !== found[0]) edits.replace(at, end, tag);
    at = end;
  }
  const balanced = edits.finish() + open.closeAll();
  return balanced.replaceAll('< !--', '<!--').replaceAll('<    !--', '< !--');
}

class OpenElements {
  readonly #names: string[] = [];
  readonly #counts = new Map<string, number>();

  get innermost(): string | undefined {
    return this.#names.at(-1);
  }

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  push(name: string): void {
    this.#names.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Closes the innermost element and returns its end tag. */
  close(): string {
    const name = this.#names.pop() ?? '';
    this.#counts.set(name, (this.#counts.get(name) ?? 1) - 1);
    return `</${name}>`;
  }

  closeAll(): string {
    let tags = '';
    while (this.#names.length > 0) tags += this.close();
    return tags;
  }
}

function closed(written: string, open: OpenElements): string {
  const name = written.toLowerCase();
  if (!open.has(name)) return '';
  let tags = '';
  while (open.innermost !== name) tags += open.close();
  return tags + open.close();
}

function opened([, , written = '', slash = '', space = '', rest = '']: RegExpExecArray, open: OpenElements): string {
  const name = written.toLowerCase();
  const attributes = (rest === '' ? slash : rest).trim();
  const isSingle = SINGLE.has(name);
  if (attributes.endsWith('/')) {
    if (isSingle) return `<${name} ${attributes}>`;
    return `<${name}${space}${attributes.slice(0, -1).trim()}></${name}>`;
  }
  if (isSingle) return `<${name} ${attributes}/>`;
  const before = open.innermost === name && !NESTABLE.has(name) ? open.close() : '';
  open.push(name);
  return `${before}<${name}${space}${attributes}>`;
}
