import { filterMarkup } from '#blocks/filter.ts';
import { readWhole } from '#blocks/shortcodes/run.ts';
import { typography } from '#blocks/typography.ts';
import type { MediaRow } from '#projections/media/row.ts';
import { mediaLink, sourceUrl } from '../../addresses/items.ts';
import { imageElement } from '../../media/image.ts';
import type { Here, RenderShortcode } from '../types.ts';
import { attachedBy } from './attached.ts';

interface Shape {
  readonly name: string;
  readonly size: string;
  readonly link: string;
  readonly item: string;
  readonly icon: string;
  readonly caption: string;
}

export const gallery: RenderShortcode = (shortcode, here) => {
  const { attributes } = shortcode;
  const number = here.rendering.counters.next('gallery');
  const { host, items } = attachedBy(shortcode, 'image', here);
  if (items.length === 0) return '';
  const shape: Shape = {
    name: `gallery-${number}`,
    size: attributes.get('size') ?? 'thumbnail',
    link: attributes.get('link') ?? '',
    item: element(attributes.get('itemtag') ?? 'figure', 'dl'),
    icon: element(attributes.get('icontag') ?? 'div', 'dt'),
    caption: element(attributes.get('captiontag') ?? 'figcaption', 'dd'),
  };
  const columns = readWhole(attributes.get('columns') ?? '3');
  const classes = `gallery galleryid-${host} gallery-columns-${columns} gallery-size-${sizeClass(shape.size)}`;
  const pictures = items.map((row) => pictureOf(row, shape, here));
  return `<div id='${shape.name}' class='${classes}'>${pictures.join('')}\n\t\t</div>\n`;
};

function pictureOf(row: MediaRow, shape: Shape, here: Here): string {
  const { item, icon, caption, name } = shape;
  const isCaptioned = row.caption.trim() !== '';
  const text = isCaptioned
    ? `\n\t\t\t\t<${caption} class='wp-caption-text gallery-caption' id='${name}-${row.id}'>\n\t\t\t\t${typography(row.caption)}\n\t\t\t\t</${caption}>`
    : '';
  const full = row.shown ?? row.image;
  const orientation = full === null ? '' : full.height > full.width ? 'portrait' : 'landscape';
  return `<${item} class='gallery-item'>\n\t\t\t<${icon} class='gallery-icon ${orientation}'>\n\t\t\t\t${imageOf(row, shape, { here, isCaptioned })}\n\t\t\t</${icon}>${text}</${item}>`;
}

function imageOf(
  row: MediaRow,
  { name, size, link }: Shape,
  { here, isCaptioned }: { readonly here: Here; readonly isCaptioned: boolean },
): string {
  const { model, viewer } = here.rendering;
  const image = imageElement(row, model, {
    size,
    ...(isCaptioned ? { more: { 'aria-describedby': `${name}-${row.id}` } } : {}),
  });
  if (link === 'none') return image;
  return `<a href='${link === 'file' ? sourceUrl(row, model) : mediaLink(row, model, viewer)}'>${image}</a>`;
}

/** The given element if texts may contain it, else `other`. */
function element(given: string, other: string): string {
  const name = given.toLowerCase().replace(/[^a-z0-9_:-]/g, '');
  return name !== '' && filterMarkup(`<${name}>`) !== '' ? name : other;
}

function sizeClass(size: string): string {
  return size.replace(/%[a-fA-F0-9]{2}/g, '').replace(/[^A-Za-z0-9_-]/g, '');
}
