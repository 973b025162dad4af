import { escapedHtml } from '#text/html.ts';
import { decodeReferences } from '#text/references.ts';
import { stripTags } from '#text/strip-tags.ts';
import { attributeOf, endOfElement, nextToken, type Tag } from '#text/tags.ts';
import { secretOf } from './card.ts';

/** Source of the markup: a provider on the list (`kept`), or a page that named its own description. */
export interface CardSource {
  readonly kept: boolean;
  readonly site: string;
}

export interface Reduced {
  readonly html: string;
  readonly framed: boolean;
}

const INLINE: readonly string[] = ['blockquote', 'p', 'a'];

/** Reduces foreign markup to quotations with links and one frame. It is rewritten rather than filtered, so that nothing unknown remains. */
export function reduceMarkup(markup: string, source: CardSource): Reduced {
  const writer = new Writer();
  let frame = '';
  let at = 0;
  for (let tag = nextToken(markup, 0); tag !== null; tag = nextToken(markup, at)) {
    writer.text(markup.slice(at, tag.start));
    if (tag.name === 'iframe' && !tag.closing && frame === '') frame = frameOf(tag, source);
    else if (tag.closing) writer.close(tag.name);
    else if (tag.name === 'br') writer.breakLine();
    else if (INLINE.includes(tag.name)) writer.open(tag);
    at = endOfElement(markup, tag);
  }
  writer.text(markup.slice(at));
  return { html: writer.end() + frame, framed: frame !== '' };
}

/** A web address in normal form, safe in an attribute; null for any other address. */
export function cardAddress(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value, 'https://relative.invalid') : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.hostname === 'relative.invalid' ? null : url.href;
}

class Writer {
  #out = '';
  readonly #open: string[] = [];

  open(tag: Tag): void {
    if (tag.name !== 'blockquote' && !this.#open.includes('blockquote')) return;
    if (tag.name !== 'blockquote' && this.#open.includes(tag.name)) this.close(tag.name);
    const address = tag.name === 'a' ? cardAddress(attributeOf(tag, 'href')) : null;
    this.#out += address === null ? `<${tag.name}>` : `<a href="${escapedHtml(address)}">`;
    this.#open.push(tag.name);
  }

  close(name: string): void {
    if (!this.#open.includes(name)) return;
    for (let last = this.#open.pop(); last !== undefined; last = this.#open.pop()) {
      this.#out += `</${last}>`;
      if (last === name) return;
    }
  }

  breakLine(): void {
    if (this.#open.length > 0) this.#out += '<br>';
  }

  /** The text between tags; comments and the like are dropped. */
  text(between: string): void {
    if (this.#open.length > 0) this.#out += escapedHtml(decodeReferences(stripTags(between)));
  }

  end(): string {
    const [outermost] = this.#open;
    while (outermost !== undefined && this.#open.length > 0) this.close(outermost);
    return this.#out;
  }
}

/** A sandboxed frame. Players of listed providers need their own origin, which must not be that of the site. */
function frameOf(tag: Tag, { kept, site }: CardSource): string {
  const src = cardAddress(attributeOf(tag, 'src'));
  if (src === null) return '';
  const trusted = kept && new URL(src).host !== site;
  const secret = secretOf(src);
  const attributes: (readonly [string, string | null])[] = [
    ['class', 'wp-embedded-content'],
    ['sandbox', trusted ? 'allow-scripts allow-same-origin allow-popups allow-presentation' : 'allow-scripts'],
    ['security', trusted ? null : 'restricted'],
    ['allow', trusted ? 'encrypted-media; fullscreen; picture-in-picture' : null],
    ['src', trusted ? src : `${src.split('#')[0]}#?secret=${secret}`],
    ['data-secret', trusted ? null : secret],
    ['width', lengthIn(tag, 'width')],
    ['height', lengthIn(tag, 'height')],
    ['title', textIn(tag, 'title')],
    ['frameborder', '0'],
  ];
  const written = attributes.map(([name, value]) => (value === null ? '' : ` ${name}="${escapedHtml(value)}"`));
  return `<iframe${written.join('')}></iframe>`;
}

function lengthIn(tag: Tag, name: string): string | null {
  const value = attributeOf(tag, name);
  return typeof value === 'string' && /^\d{1,4}(?:px|%)?$/.test(value) ? value : null;
}

function textIn(tag: Tag, name: string): string | null {
  const value = attributeOf(tag, name);
  return typeof value === 'string' ? value.slice(0, 500) : null;
}
