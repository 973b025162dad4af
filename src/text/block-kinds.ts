import { attributesOf, type Block } from './blocks.ts';
import { renderFootnotes } from './footnote-list.ts';
import type { Markup } from './markup.ts';
import type { Numbers } from './numbers.ts';
import type { JsonMap, JsonValue } from './ordered-json.ts';
import { paragraphs } from './paragraphs.ts';
import type { Surroundings } from './surroundings.ts';
import { addClasses, attributeOf, endOfElement, nextTag, nextToken, setAttribute, type Tag } from './tags.ts';

/** Markup of a block's own and of the blocks in it, which are rendered. */
export type Parts = readonly (string | Markup)[];

/** A block whose inner blocks are rendered. */
export interface Finished {
  readonly block: Block;
  readonly attributes: JsonMap;
  readonly parts: Parts;
}

// Set on the images of a gallery while it is rendered; scripts of older galleries look for it.
const GALLERY_ID = 'data-id';

/** What is to be rendered of a block: its parts, with what they have to know of it. */
export function beginBlock({ name, parts }: Block): readonly (string | Block)[] {
  if (name !== 'core/gallery') return parts;
  return parts.map((part) => (typeof part !== 'string' && part.name === 'core/image' ? withGalleryId(part) : part));
}

/** What a kind of block does to its own markup before it is sent; `null`: it shows nothing. */
export function finishBlock(
  { block, attributes, parts }: Finished,
  { footnotes, numbers }: Surroundings,
): Parts | null {
  switch (block.name) {
    case 'core/heading':
      return addClassTo(parts, ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], 'wp-block-heading');
    case 'core/list':
      return addClassTo(parts, ['ul', 'ol'], 'wp-block-list');
    case 'core/image':
      return finishImage(parts, attributes);
    case 'core/gallery':
      return finishGallery(parts, numbers);
    case 'core/button':
      return isEmptyButton(parts) ? null : parts;
    case 'core/shortcode':
      return [paragraphs(ownMarkup(parts))];
    case 'core/footnotes':
      return [renderFootnotes(footnotes)];
    default:
      return parts;
  }
}

/** What comes after the classes of the layout. */
export function withKindClass(name: string, parts: Parts): Parts {
  return name === 'core/paragraph' ? addClassTo(parts, ['p'], 'wp-block-paragraph') : parts;
}

/** Changes the first of a block's own pieces of markup that has a tag of one of the names. */
function changeTag(parts: Parts, names: readonly string[], change: (html: string, tag: Tag) => string): Parts | null {
  for (const [i, part] of parts.entries()) {
    if (typeof part !== 'string') continue;
    for (let tag = nextTag(part, 0); tag !== null; tag = nextTag(part, endOfElement(part, tag))) {
      if (names.includes(tag.name)) return parts.with(i, change(part, tag));
    }
  }
  return null;
}

function addClassTo(parts: Parts, names: readonly string[], className: string): Parts {
  return changeTag(parts, names, (html, tag) => addClasses(html, tag, [className])) ?? parts;
}

/** An image without an address shows nothing; an empty caption goes. */
function finishImage(parts: Parts, attributes: JsonMap): Parts | null {
  const id = attributes.get(GALLERY_ID);
  let shown = false;
  const changed = changeTag(parts, ['img'], (html, tag) => {
    const source = attributeOf(tag, 'src');
    shown = source !== null && source !== '' && source !== '0';
    const set = typeof id === 'string' ? setAttribute(html, tag, { name: 'data-id', value: id }) : html;
    return isFilled(attributes.get('caption')) ? set : dropEmptyCaption(set);
  });
  return shown ? changed : null;
}

function finishGallery(parts: Parts, numbers: Numbers): Parts {
  const name = `wp-block-gallery-${numbers.next('common')}`;
  const first = parts[0];
  const tag = typeof first === 'string' ? nextTag(first, 0) : null;
  return tag === null || typeof first !== 'string' ? parts : parts.with(0, addClasses(first, tag, [name]));
}

function withGalleryId(image: Block): Block {
  const attributes = attributesOf(image);
  const id = attributes.get('id');
  const text = typeof id === 'string' ? id : isNumber(id) ? id.number : undefined;
  if (text === undefined || attributes.has(GALLERY_ID)) return image;
  // Attributes are read from their text again, so the id is added to it.
  return {
    ...image,
    json: `${image.json.replace(/\}\s*$/, '')},${JSON.stringify(GALLERY_ID)}:${JSON.stringify(text)}}`,
  };
}

function isNumber(value: JsonValue | undefined): value is { number: string } {
  return typeof value === 'object' && value !== null && 'number' in value;
}

function isFilled(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '' && value !== '0' && value !== false;
}

function dropEmptyCaption(html: string): string {
  for (let tag = nextTag(html, 0); tag !== null; tag = nextTag(html, tag.end)) {
    if (tag.name !== 'figcaption') continue;
    const next = nextToken(html, tag.end);
    const between = html.slice(tag.end, next?.start ?? html.length);
    const isEmpty = next?.closing && next.name === 'figcaption' && isOnlyComments(between);
    return isEmpty ? html.slice(0, tag.start) + html.slice(next.end) : html;
  }
  return html;
}

/** A button whose link or button element has nothing in it is not shown. */
function isEmptyButton(parts: Parts): boolean {
  const html = ownMarkup(parts);
  if (nextTag(html, 0) === null) return false;
  for (let tag = nextTag(html, 0); tag !== null; tag = nextTag(html, tag.end)) {
    if (tag.name !== 'a' && tag.name !== 'button') continue;
    const end = nextToken(html, tag.end);
    return end !== null && end.name === tag.name && isOnlyComments(html.slice(tag.end, end.start));
  }
  return true;
}

function isOnlyComments(html: string): boolean {
  let at = 0;
  while (html.startsWith('<!--', at)) {
    const end = html.indexOf('-->', at + 4);
    if (end < 0) return false;
    at = end + 3;
  }
  return at === html.length;
}

function ownMarkup(parts: Parts): string {
  return parts.filter((part) => typeof part === 'string').join('');
}
