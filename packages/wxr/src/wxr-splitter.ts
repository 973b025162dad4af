import { SourceFault, type SourceNotice } from './records.ts';
import { readWxrElement, type WxrElement, type WxrNamespaces, wxrNamespacesOf } from './wxr-elements.ts';
import { type LossCode, lineEnds, lossNotice, noticesOf, repairNotice } from './wxr-notices.ts';

/** What a file of an export contains, in its order. */
export type WxrPiece =
  | { readonly notice: SourceNotice }
  /** The channel begins. `generator`: '' if the first piece of text does not say. */
  | { readonly generator: string }
  | { readonly element: WxrElement; readonly line: number };

/** Enough to see what a file is. */
const headLength = 65_536;
/** Where a file without a beginning is given up, and an element without an end. */
const longestHead = 1_048_576;
const longestElement = 33_554_432;
/** How many ends are tried for an element that is not well-formed. */
const mostTries = 8;

const channelStart = /<channel(?:\s[^<>]*)?>/;
const channelEnd = /<\/channel\s*>/y;
const childStart = /<([A-Za-z_][\w.:-]*)(?=[\s/>])/y;
const emptyChild = /<[A-Za-z_][\w.:-]*(?:\s[^<>]*)?\/>/y;
const inItem = /<!\[CDATA\[|<!--|<\/item\s*>|<item(?=[\s>])/g;
const inOther = /<!\[CDATA\[|<!--|<\/[A-Za-z_][\w.:-]*\s*>|<item(?=[\s>])/g;
const visible = /\S/g;
const lineStart = /^[ \t]*<([A-Za-z_][\w.:-]*)(?=[\s>])/gm;

/** What a search for the end of an element found: where it is, where something else begins before it, or nothing yet. */
type Found = { readonly end: number } | { readonly cut: number } | null;

/**
 * Finds the children of the channel in the text of a file, which comes piece by piece, and reads each on its own: one that is damaged takes no
 * other with it. `pieces` is what was found since the caller emptied it.
 */
export class WxrSplitter {
  readonly pieces: WxrPiece[] = [];
  readonly #file: string;
  readonly #skips: (item: string) => boolean;
  #text = '';
  #at = 0;
  #line = 1;
  /** Up to where the element at `at` was searched for its end; inside of CDATA or a comment, the mark that ends this. */
  #searched = 0;
  #until: string | null = null;
  /** From where on this text does not contain a mark. */
  readonly #none = new Map<string, number>();
  #state: 'head' | 'channel' | 'tail' = 'head';
  #namespaces: WxrNamespaces = {};
  #isStray = false;
  #isEnded = false;

  /** `skips`: whether an item, by its text, need not be read. */
  constructor(file: string, skips: (item: string) => boolean = () => false) {
    this.#file = file;
    this.#skips = skips;
  }

  take(text: string, isLast: boolean): void {
    this.#text = this.#text.slice(this.#at) + text;
    this.#searched -= this.#at;
    this.#none.clear();
    this.#at = 0;
    for (let hasMore = true; hasMore; ) {
      if (this.#state === 'head') hasMore = this.#head(isLast);
      else hasMore = this.#state === 'channel' ? this.#child(isLast) : this.#tail(isLast);
    }
    if (isLast && !this.#isEnded) this.#lost('truncated', this.#text.length);
  }

  #head(isLast: boolean): boolean {
    if (this.#text.length < headLength && !isLast) return false;
    const start = channelStart.exec(this.#text);
    if (start === null) {
      if (isLast || this.#text.length > longestHead) throw foreign(this.#text, this.#file);
      return false;
    }
    const head = this.#text.slice(0, start.index);
    const { namespaces, isExport } = wxrNamespacesOf(head);
    if (!isExport && !this.#text.includes('<wp:')) throw foreign(this.#text, this.#file);
    const begins = Math.max(0, head.search(/<\?xml|<rss[\s>]|<!--/));
    if (begins > 0) this.#repaired('text_before_start');
    this.#open(namespaces, isExport, head, start.index + start[0].length);
    return true;
  }

  #open(namespaces: WxrNamespaces, isExport: boolean, head: string, at: number): void {
    if (!isExport) this.#repaired('namespace_missing');
    this.#namespaces = namespaces;
    this.#state = 'channel';
    this.#isEnded = false;
    const items = this.#text.slice(at, at + longestHead).search(/<item[\s>]/);
    const own = /<generator>([^<]*)<\/generator>/.exec(this.#text.slice(at, items < 0 ? undefined : at + items))?.[1];
    this.pieces.push({ generator: (own ?? /<!--\s*generator="([^"]*)"/.exec(head)?.[1] ?? '').trim() });
    this.#move(at);
  }

  /** Reads one child of the channel, or leaves something out; false: there is nothing more to do with this text. */
  #child(isLast: boolean): boolean {
    const start = indexOfOther(this.#text, this.#at);
    if (start > this.#at) this.#move(start);
    const left = this.#text.length - start;
    const isOpen = (isLast || left < 1024) && !this.#text.includes('>', start);
    if (left === 0 || isOpen) return this.#wait(isLast, start);
    if (this.#text.startsWith('<!--', start)) return this.#comment(start, isLast);
    channelEnd.lastIndex = start;
    if (channelEnd.test(this.#text)) {
      this.#state = 'tail';
      return this.#move(channelEnd.lastIndex);
    }
    childStart.lastIndex = start;
    const name = childStart.exec(this.#text)?.[1];
    return name === undefined ? this.#stray(start) : this.#element(name, start, isLast);
  }

  /** A comment that would contain items and a forbidden `--` is none: only its beginning was put there. */
  #comment(start: number, isLast: boolean): boolean {
    const end = this.#text.indexOf('-->', start + 4);
    const text = this.#text.slice(start + 4, end < 0 ? undefined : end);
    if (/^[ \t]*<item[\s>]/m.test(text) && text.includes('--')) return this.#stray(start);
    return end < 0 ? this.#wait(isLast, start) : this.#move(end + 3);
  }

  #wait(isLast: boolean, start: number): false {
    if (!isLast && this.#text.length - start > longestElement) this.#move(start + longestHead);
    if (isLast && start < this.#text.length) this.#endTruncated(start);
    return false;
  }

  #stray(start: number): boolean {
    if (!this.#isStray) this.#repaired('stray_text');
    this.#isStray = true;
    const next = this.#text.indexOf('<', start + 1);
    return this.#move(next < 0 ? this.#text.length : next);
  }

  #element(name: string, start: number, isLast: boolean): boolean {
    emptyChild.lastIndex = start;
    const found = emptyChild.test(this.#text) ? { end: emptyChild.lastIndex } : this.#search(name, start);
    if (found !== null && 'end' in found) {
      if (name === 'item' && this.#skips(this.#text.slice(start, found.end))) return this.#move(found.end);
      if (this.#accept(start, found.end, 'strictly')) return true;
    }
    if (found === null && !isLast && this.#text.length - start < longestElement) return false;
    const end = found === null ? this.#text.length : 'end' in found ? found.end : found.cut;
    return this.#recover(name, start, end, isLast, found === null);
  }

  #search(name: string, start: number): Found {
    const marks = name === 'item' ? inItem : inOther;
    const endTag = `</${name}`;
    let at = Math.max(this.#searched, start + 1);
    for (;;) {
      if (this.#until !== null) {
        const mark = this.#until;
        const end = at < (this.#none.get(mark) ?? at + 1) ? this.#text.indexOf(mark, at) : -1;
        if (end < 0) {
          this.#none.set(mark, Math.min(at, this.#none.get(mark) ?? at));
          this.#searched = Math.max(at, this.#text.length - 2);
          return null;
        }
        at = end + mark.length;
        this.#until = null;
      }
      marks.lastIndex = at;
      const mark = marks.exec(this.#text);
      if (mark === null) {
        this.#searched = Math.max(at, this.#text.length - endTag.length - 64);
        return null;
      }
      const [found] = mark;
      if (found === '<item') return { cut: mark.index };
      at = mark.index + found.length;
      if (found === '<!--') this.#until = '-->';
      else if (found === '<![CDATA[') this.#until = ']]>';
      else if (found.slice(0, -1).trimEnd() === endTag) return { end: at };
    }
  }

  /** Gives an element that can be read, and goes on behind it. */
  #accept(start: number, end: number, how: 'strictly' | 'leniently'): boolean {
    const text = this.#text.slice(start, end);
    // Without CDATA, there is nothing to be lenient about.
    if (how === 'leniently' && !text.includes('<![CDATA[')) return false;
    const read = readWxrElement(text, this.#namespaces, how);
    if (read === null || isMerged(read.element)) return false;
    if (how === 'leniently' && !isSensible(read.element, text)) return false;
    for (const notice of noticesOf(read.repairs, text, this.#file, this.#line)) this.pieces.push({ notice });
    this.pieces.push({ element: read.element, line: this.#line });
    this.#isStray = false;
    return this.#move(end);
  }

  /**
   * Reads an element that is not well-formed up to one of the next lines where another one can begin. If none makes sense of it, goes on behind
   * it, or at a line in it where another one seems to begin.
   */
  #recover(name: string, start: number, end: number, isLast: boolean, isOpen: boolean): boolean {
    const region = this.#text.slice(start, end);
    const near = name === 'item' ? this.#text.slice(start, Math.max(end, start + longestHead)) : region;
    const starts: number[] = [];
    lineStart.lastIndex = 1;
    for (let mark = lineStart.exec(near); mark !== null && starts.length < mostTries; mark = lineStart.exec(near)) {
      if (mark[1] === 'item' || mark[1] === name) starts.push(mark.index);
    }
    if (!isLast && near.length < longestHead && starts.length < mostTries && name === 'item') return false;
    const isCrowded = starts.length === mostTries;
    const tried = isCrowded ? near.slice(0, (starts.at(-1) ?? 0) + headLength) : near;
    const last = isCrowded ? -1 : region.lastIndexOf(`</${name}>`);
    const ends = last < 0 ? starts : [...starts, last + name.length + 3].sort((one, other) => one - other);
    for (const one of ends) if (this.#accept(start, start + one, 'leniently')) return true;
    const next = starts.find((at) => at < region.length && (isStart(tried, at, isOpen) || this.#isWhole(start + at)));
    if (isOpen && isLast && next === undefined) return this.#endTruncated(start);
    this.#lost(
      name === 'item' ? 'item_unreadable' : 'element_unreadable',
      start,
      titleOf(region.slice(0, headLength), name),
    );
    this.#isStray = true;
    return this.#move(start + (next ?? region.length));
  }

  /** Whether a whole element begins there that is well-formed and, as an item, has what one needs. */
  #isWhole(at: number): boolean {
    childStart.lastIndex = this.#text.indexOf('<', at);
    const start = childStart.lastIndex;
    const name = childStart.exec(this.#text)?.[1] ?? '';
    [this.#searched, this.#until] = [start, null];
    const found = this.#search(name, start);
    if (found === null || !('end' in found)) return false;
    const read = readWxrElement(this.#text.slice(start, found.end), this.#namespaces, 'strictly');
    return read !== null && !isMerged(read.element) && isSensible(read.element, '');
  }

  #endTruncated(start: number): false {
    this.#move(start);
    this.#lost('truncated', start);
    this.#move(this.#text.length);
    this.#isEnded = true;
    return false;
  }

  /** After the channel: text that does not belong there, or another export right behind this one. */
  #tail(isLast: boolean): boolean {
    const start = channelStart.exec(this.#text.slice(this.#at));
    const more = /^[ \t]*<item[\s>]/m.exec(this.#text.slice(this.#at));
    if (more !== null && (start === null || more.index < start.index)) {
      this.#state = 'channel';
      return this.#stray(this.#at + more.index - 1);
    }
    const rest = this.#text.slice(this.#at, start === null ? undefined : this.#at + start.index);
    const end = /<\/rss\s*>/.exec(rest);
    if (end !== null) this.#isEnded = true;
    if (start !== null) {
      const { namespaces, isExport } = wxrNamespacesOf(rest);
      this.#open(namespaces, isExport, rest, this.#at + start.index + start[0].length);
      return true;
    }
    if (isLast && end === null && !this.#isEnded) return false;
    const garbage = rest.replace(/<\/rss\s*>/, '').trim();
    const isComment = garbage.startsWith('<!--') && garbage.endsWith('-->');
    if (isLast && garbage !== '' && !isComment) this.#repaired('text_after_end');
    if (!isLast && rest.length > longestHead) this.#move(this.#text.length - headLength);
    return false;
  }

  #move(to: number): true {
    this.#line += lineEnds(this.#text, this.#at, to);
    this.#at = to;
    this.#searched = to;
    this.#until = null;
    return true;
  }

  #repaired(code: Parameters<typeof repairNotice>[0]): void {
    this.pieces.push({ notice: repairNotice(code, this.#file, this.#line) });
  }

  #lost(code: LossCode, at: number, which = ''): void {
    const line = this.#line + lineEnds(this.#text, this.#at, at);
    this.pieces.push({ notice: lossNotice(code, this.#file, line, which) });
  }
}

/** Whether an item is what is left of two. */
function isMerged({ name, children }: WxrElement): boolean {
  const once = (field: string) => children.filter((child) => child.name === field).length < 2;
  return name === 'item' && !['title', 'content:encoded', 'wp:post_id', 'wp:post_type'].every(once);
}

/** Whether an element that was repaired can be what it seems to be, and contains no other one. */
function isSensible({ name, children }: WxrElement, text: string): boolean {
  if (name !== 'item') return !text.includes(`<${name}>`, 1);
  const hasType = children.some((child) => child.name === 'wp:post_type' || child.name === 'wp:post_id');
  return hasType && text.split(':post_type>').length <= 3 && !/<\/item\s*>\s*<item[\s>]/.test(text);
}

/** Whether an element begins there, rather than a text of the one before: an open text contains no end of CDATA from there on. */
function isStart(text: string, at: number, isOpen: boolean): boolean {
  const isBehindOther = /<\/[\w:.-]{1,100}\s{0,9}>\s{0,99}$/.test(text.slice(Math.max(0, at - 200), at));
  const isItem = text.includes(':post_type>', at) || !text.startsWith('<item');
  return isBehindOther && isItem && !(isOpen && text.includes(']]>', at));
}

function indexOfOther(text: string, from: number): number {
  visible.lastIndex = from;
  return visible.exec(text)?.index ?? text.length;
}

function titleOf(region: string, name: string): string {
  if (name !== 'item') return `<${name}>`;
  const title = /<title>(?:\s*<!\[CDATA\[)?([^<\]]{1,80})/.exec(region)?.[1]?.trim();
  const id = /<[\w-]{1,20}:post_id>(?:<!\[CDATA\[)?(\d{1,20})/.exec(region)?.[1];
  return [id === undefined ? '' : `item ${id}`, title ? `“${title}”` : ''].filter(Boolean).join(', ') || 'an item';
}

/** Why a file is no export, and what to do. */
function foreign(text: string, file: string): SourceFault {
  const fault = (code: string, message: string) => new SourceFault(code, `${file}: ${message}`);
  const how = 'Export again in the old site under Tools, Export, and take the file that it gives';
  if (text.trim() === '') return fault('empty_file', `the file is empty. ${how}.`);
  if (/<rss[\s>]/.test(text) && channelStart.test(text))
    return fault('plain_feed', `this is a feed (RSS), which has only the latest posts, and no export. ${how}.`);
  if (/<!doctype html|<html[\s>]/i.test(text))
    return fault('web_page', `this is a web page, such as one to log in, and no export. Log in first. ${how}.`);
  if (/<rss[\s>]/.test(text)) return fault('cut_file', `the file ends before the first item. ${how}.`);
  if (text.startsWith('PK')) return fault('zip_file', 'this is a ZIP file. Unpack it, and name the XML files in it.');
  if (/^\s*<[?!a-z]/i.test(text)) return fault('other_xml', `this is XML, but no export of a site. ${how}.`);
  return fault('not_an_export', `this is neither XML nor an export of a site. ${how}.`);
}
