import { isNumber, textAt } from '../attributes.ts';
import { attributesOf, type Block } from '../blocks.ts';
import { GALLERY_ID } from './image.ts';
import type { Kind } from './kind.ts';

export const galleryKind: Kind = {
  open: ({ parts }) =>
    parts.map((part) => (typeof part !== 'string' && part.name === 'core/image' ? withGalleryId(part) : part)),
  close: ({ outer, counters }) => {
    const number = counters.next();
    outer?.change({ classes: [`wp-block-gallery-${number}`] });
  },
};

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
