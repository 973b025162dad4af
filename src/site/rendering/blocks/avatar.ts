import { flagAt, numberAt, textAt } from '#blocks/attributes.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import { escapeAttribute } from '#blocks/references.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { partAttributes, wrapperAttributes } from '#blocks/supports/wrapper.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import { avatarAddress, type Pictured, userLink } from '../../addresses/items.ts';
import { authorOf, commentIn, picturedBy } from '../comments.ts';
import type { Make } from '../types.ts';

export interface PictureOptions {
  /** Pixels per side. */
  readonly size: number;
  readonly alt: string;
  readonly classes?: string;
  readonly style?: string;
}

export const avatarBlock: Make = ({ name, attributes, scope }, { post, rendering: { model } }) => {
  const commentId = scope.get('commentId');
  if (commentId !== undefined) {
    const shown = ofCommenter(commentIn(commentId, model), attributes, model);
    return shown === '' ? '' : `<div ${wrapperAttributes(name, attributes)}>${shown}</div>`;
  }
  const user = model.user(Math.trunc(numberAt(attributes, 'userId') ?? post.row?.author ?? 0));
  if (user === undefined || user.erased) return '';
  const { url } = model.site();
  const image = picture(user, url, {
    size: sizeOf(attributes),
    alt: `${user.displayName} Avatar`,
    ...imageOf(name, attributes),
  });
  const shown = linked(image, attributes, {
    address: userLink(user, url),
    whose: `${user.displayName} author archive`,
  });
  return `<div ${wrapperAttributes(name, attributes)}>${shown}</div>`;
};

function ofCommenter(comment: CommentRow | undefined, attributes: JsonMap, model: Model): string {
  if (comment === undefined) return '';
  const alt = `${stripMarkup(authorOf(comment, model))} Avatar`;
  const options = { size: sizeOf(attributes), alt, ...imageOf('core/avatar', attributes) };
  const image = picture(picturedBy(comment, model), model.site().storeUrl, options);
  const whose = `${stripMarkup(authorOf(comment, model))} website link`;
  return comment.url === '' ? image : linked(image, attributes, { address: comment.url, whose });
}

function sizeOf(attributes: JsonMap): number {
  return Math.max(1, Math.trunc(numberAt(attributes, 'size') ?? 96));
}

function imageOf(name: string, attributes: JsonMap): { readonly classes: string; readonly style: string } {
  const { classes, style } = partAttributes(name, attributes);
  return {
    classes: ['wp-block-avatar__image', ...classes].join(' '),
    style: style === '' ? '' : `${style};`,
  };
}

function linked(
  image: string,
  attributes: JsonMap,
  { address, whose }: { readonly address: string; readonly whose: string },
): string {
  if (flagAt(attributes, 'isLink') !== true) return image;
  const target = textAt(attributes, 'linkTarget') || '_self';
  const label = target === '_blank' ? `aria-label="${escapeAttribute(`(${whose}, opens in a new tab)`)}"` : '';
  return `<a href="${escapeAddress(address)}" target="${escapeAttribute(target)}" ${label} class="wp-block-avatar__link">${image}</a>`;
}

export function picture(whose: Pictured, url: string, { size, alt, classes = '', style = '' }: PictureOptions): string {
  const source = (pixels: number): string => escapeAddress(avatarAddress(whose, url, pixels));
  const names = `avatar avatar-${size} photo${classes === '' ? '' : ` ${classes}`}`;
  const styled = style === '' ? '' : ` style="${escapeAttribute(style)}"`;
  return (
    `<img alt='${escapeAttribute(alt)}' src='${source(size)}' srcset='${source(size * 2)} 2x'` +
    ` class='${escapeAttribute(names)}' height='${size}' width='${size}'${styled} decoding='async'/>`
  );
}
