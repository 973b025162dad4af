import { isNumber, isSet, textAt, valueAt } from '../attributes.ts';
import { attributesOf, type Block } from '../blocks.ts';
import type { Counters } from '../counters.ts';
import type { JsonMap } from '../ordered-json.ts';
import { shortHash } from '../supports/class-names.ts';
import { attributeOf, nextTag, nextToken, setAttribute } from '../tags.ts';
import { type Closing, changeTag, isOnlyComments, type Kind, type KindParts } from './kind.ts';

// Set on images of a gallery during rendering; scripts of older galleries use it.
const GALLERY_ID = 'data-id';

const ON_PICTURE = {
  'data-wp-class--hide': 'state.isContentHidden',
  'data-wp-class--show': 'state.isContentVisible',
  'data-wp-init': 'callbacks.setButtonStyles',
  'data-wp-on--click': 'actions.showLightbox',
  'data-wp-on--load': 'callbacks.setButtonStyles',
  'data-wp-on--pointerdown': 'actions.preloadImage',
  'data-wp-on--pointerenter': 'actions.preloadImageWithDelay',
  'data-wp-on--pointerleave': 'actions.cancelPreload',
  'data-wp-on-window--resize': 'callbacks.setButtonStyles',
};

const BUTTON = `<button
			class="lightbox-trigger"
			type="button"
			aria-haspopup="dialog"
			aria-label="Enlarge"
			data-wp-init="callbacks.initTriggerButton"
			data-wp-on--click="actions.showLightbox"
			data-wp-style--right="state.imageButtonRight"
			data-wp-style--top="state.imageButtonTop"
		>
			<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12" fill="none" viewBox="0 0 12 12">
				<path stroke="#fff" stroke-width="1.5" d="M1 4V1h3M8 1h3v3M11 8v3H8M4 11H1V8" />
			</svg>
		</button>`;

export const image: Kind = {
  open: ({ parts }, attributes) => finishImage(parts, attributes),
  marks: ({ name }) => (name === 'figure' || name === 'img' ? name : null),
  isMarked: isEnlargeable,
  finish: (closing) => {
    if (isEnlargeable(closing.attributes)) enlarge(closing);
  },
};

export const galleryKind: Kind = {
  open: ({ parts }) =>
    parts.map((part) => (typeof part !== 'string' && part.name === 'core/image' ? withGalleryId(part) : part)),
  close: ({ outer, counters }) => {
    const number = counters.next();
    outer?.change({ classes: [`wp-block-gallery-${number}`] });
  },
};

export const file: Kind = {
  marks: ({ name }) => (name === 'object' ? 'object' : null),
  close: ({ attributes, outer, place, find }) => {
    const object = find('object', place)?.tag;
    const label = object?.get('aria-label');
    if (typeof label === 'string') object?.change({ set: { 'aria-label': labelOf(label) } });
    if (!isSet(attributes.get('displayPreview'))) return;
    outer?.change({ set: { 'data-wp-interactive': 'core/file' } });
    object?.change({ set: { 'data-wp-bind--hidden': '!state.hasPdfPreview', hidden: true } });
  },
};

/** Drops an image without an address, and an empty caption. */
function finishImage(parts: KindParts, attributes: JsonMap): KindParts | null {
  const id = textAt(attributes, GALLERY_ID);
  let shown = false;
  const changed = changeTag(parts, ['img'], (html, tag) => {
    const source = attributeOf(tag, 'src');
    shown = source !== null && source !== '' && source !== '0';
    const set = id === undefined ? html : setAttribute(html, tag, { name: GALLERY_ID, value: id });
    return isSet(attributes.get('caption')) ? set : dropEmptyCaption(set);
  });
  return shown ? changed : null;
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

function isEnlargeable(attributes: JsonMap): boolean {
  const isLinked = (textAt(attributes, 'linkDestination') ?? 'none') !== 'none';
  return !isLinked && valueAt(attributes, 'lightbox', 'enabled') === true;
}

function enlarge({ attributes, counters, place, find }: Closing): void {
  const figure = find('figure', place);
  const picture = find('img', place);
  if (figure === null || picture === null) return;
  const key = keyOf(attributes, counters);
  figure.tag.change({
    set: {
      'data-wp-context': JSON.stringify({ imageId: key }),
      'data-wp-interactive': 'core/image',
      'data-wp-key': key,
    },
    classes: ['wp-lightbox-container'],
  });
  picture.tag.change({ set: ON_PICTURE, after: BUTTON });
}

function keyOf(attributes: JsonMap, counters: Counters): string {
  const number = String(counters.next('lightbox'));
  return (shortHash([number, attributes]) + shortHash([attributes, number])).slice(0, 13);
}

function withGalleryId(image: Block): Block {
  const attributes = attributesOf(image);
  const id = attributes.get('id');
  const text = textAt(attributes, 'id') ?? (isNumber(id) ? id.number : undefined);
  if (text === undefined || attributes.has(GALLERY_ID)) return image;
  // Attributes are parsed from `json` again, so the id is added there.
  return {
    ...image,
    json: `${image.json.replace(/\}\s*$/, '')},${JSON.stringify(GALLERY_ID)}:${JSON.stringify(text)}}`,
  };
}

function labelOf(name: string): string {
  return name === '' || name === 'PDF embed' ? 'PDF embed' : `Embed of ${name}.`;
}
