import { hash } from 'node:crypto';
import { decodeReferences } from '#blocks/references.ts';
import { stripTags } from '#blocks/strip.ts';
import { attributeOf, endOfElement, nextToken, type Tag } from '#blocks/tags.ts';
import { sizeName } from '#domain/media/naming.ts';
import { alikeInShape, type Dimensions, fitted } from '#domain/media/sizes.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { fileUrl, shownFile, userLink } from '#site/addresses/items.ts';
import { frameAddress } from '#site/addresses/place.ts';
import { type Item, plainTitle } from '#site/items/item.ts';
import { hostScript } from '#site/markup/frame-script.ts';
import { canReadMedia } from '#site/rights.ts';
import { escapeHtml } from '#text/escape-html.ts';

/** In pixels; a height of 0 means no limit. */
export interface CardBounds {
  readonly maxWidth: number;
  readonly maxHeight?: number;
}

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

/** The description of an item of this site (interface behaviour, section 23). */
export function describeItem(
  item: Item,
  model: Model,
  { maxWidth, maxHeight = 0 }: CardBounds,
): Readonly<Record<string, unknown>> {
  const { name, url } = model.site();
  const author = authorOf(item, model);
  const width = Math.min(Math.max(maxWidth, LEAST), MOST);
  const fitting = Math.max(Math.ceil((width * 9) / 16), LEAST);
  const height = maxHeight > 0 ? Math.min(fitting, Math.max(maxHeight, LEAST)) : fitting;
  return {
    version: '1.0',
    provider_name: name,
    provider_url: url,
    author_name: author?.displayName ?? name,
    author_url: author === null ? url : userLink(author, url),
    title: item.title,
    type: 'rich',
    width,
    height,
    html: cardOf(item, model, { width, height }),
    ...thumbnail(item.image, model, width),
  };
}

function authorOf({ author }: Item, model: Model): UserRow | null {
  const user = model.user(author);
  return user === undefined || user.erased ? null : user;
}

/** A secret shared by a frame and the quotation before it. Derived from the address, so that responses are repeatable. */
function secretOf(address: string): string {
  return hash('sha256', address, 'hex').slice(0, 10);
}

const LEAST = 200;
const MOST = 600;

/** A quotation as a fallback, a sandboxed frame that reports its height, and the script that receives it. */
function cardOf(item: Item, model: Model, { width, height }: { width: number; height: number }): string {
  const secret = secretOf(item.address);
  const address = escapeHtml(item.address);
  const title = escapeHtml(plainTitle(item));
  const name = `&#8220;${title}&#8221; &#8212; ${escapeHtml(model.site().name)}`;
  const source = `${escapeHtml(frameAddress(item, model))}#?secret=${secret}`;
  return (
    `<blockquote class="wp-embedded-content" data-secret="${secret}"><a href="${address}">${title}</a></blockquote>` +
    `<iframe sandbox="allow-scripts" security="restricted" src="${source}" width="${width}" height="${height}"` +
    ` title="${name}" data-secret="${secret}" frameborder="0" marginwidth="0" marginheight="0" scrolling="no"` +
    ` class="wp-embedded-content"></iframe><script>\n${hostScript}\n</script>`
  );
}

interface Source extends Dimensions {
  readonly file: string;
}

/**
 * The thumbnail in a description: the smallest uncropped file that is as wide as the description, else the full one, with the size
 * at which it is shown. Empty without a public image.
 */
function thumbnail(id: number, model: Model, width: number): Readonly<Record<string, unknown>> {
  const row = id === 0 ? undefined : model.media(id);
  if (row === undefined || !canReadMedia(anonymous, row, model)) return {};
  const source = sourceFor(row, width);
  if (source === null) return {};
  const shown = fitted(source, { width, height: 0 });
  return {
    thumbnail_url: fileUrl(row, source.file, model),
    thumbnail_width: shown.width,
    thumbnail_height: shown.height,
  };
}

function sourceFor(row: MediaRow, width: number): Source | null {
  if (row.image === null) return null;
  const { width: fullWidth, height: fullHeight } = row.shown ?? row.image;
  const full = { width: fullWidth, height: fullHeight, file: shownFile(row) };
  const wideEnough = row.sizes
    .filter((size) => size.width >= width && alikeInShape(size, full))
    .sort((a, b) => a.width * a.height - b.width * b.height)[0];
  return wideEnough === undefined ? full : { ...wideEnough, file: sizeName(row.name, wideEnough) };
}

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
    this.#out += address === null ? `<${tag.name}>` : `<a href="${escapeHtml(address)}">`;
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
    if (this.#open.length > 0) this.#out += escapeHtml(decodeReferences(stripTags(between)));
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
  const written = attributes.map(([name, value]) => (value === null ? '' : ` ${name}="${escapeHtml(value)}"`));
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
