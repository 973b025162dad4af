import { flagAt, isSet, numberAt, textAt } from '#blocks/attributes.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import { decodeReferences, escapeAttribute } from '#blocks/references.ts';
import { stripMarkup } from '#blocks/strip.ts';
import type { WrittenTag } from '#blocks/supports/features.ts';
import { partAttributes } from '#blocks/supports/wrapper.ts';
import { attributeOf, nextTag } from '#blocks/tags.ts';
import type { MediaRow } from '#projections/media/row.ts';
import { permalink } from '../../addresses/items.ts';
import { imageElement } from '../../media/image.ts';
import { showsMedia } from '../../rights.ts';
import { linkTo, relOf, targetOf, wrapped } from '../pieces.ts';
import { titleOfPost } from '../posts.ts';
import type { Here, Make, Post } from '../types.ts';

export const postFeaturedImage: Make = (block, here) => {
  const { attributes } = block;
  const { post } = here;
  const isLink = flagAt(attributes, 'isLink') === true;
  const image = featured(attributes, here, isLink ? { alt: altOf(post) } : {}) || firstImage(attributes, post);
  if (post.row === undefined || image === '') return '';
  const inside = image + overlay(attributes);
  const more = ` target="${targetOf(attributes)}" ${relOf(attributes).trim()}`;
  return wrapped('figure', block, isLink ? linkTo(permalink(post.row, here.rendering.model), inside, more) : inside);
};

/** The featured image of the post, if the viewer may see it. */
export function featuredOf(post: Post, { rendering: { model, viewer } }: Here): MediaRow | undefined {
  const row = post.row === undefined || post.row.featuredMedia === 0 ? undefined : model.media(post.row.featuredMedia);
  return row === undefined || !showsMedia(viewer, row, model) ? undefined : row;
}

function featured(attributes: JsonMap, here: Here, alt: { readonly alt?: string }): string {
  const row = featuredOf(here.post, here);
  if (row === undefined) return '';
  const size = textAt(attributes, 'sizeSlug') ?? 'post-thumbnail';
  return imageElement(row, here.rendering.model, {
    size,
    classes: [...partOf(attributes).classes, 'wp-post-image'].join(' '),
    more: { style: styleOf(attributes) },
    ...alt,
  });
}

function styleOf(attributes: JsonMap): string {
  const given = (name: string) => {
    const value = textAt(attributes, name);
    return isSet(value) ? value : undefined;
  };
  const [ratio, width, height] = [given('aspectRatio'), given('width'), given('height')];
  const { style } = partOf(attributes);
  return [
    style === '' ? '' : `${style};`,
    ratio === undefined ? '' : `aspect-ratio:${ratio};width:100%;`,
    height !== undefined ? `height:${height};` : width !== undefined ? 'height:auto;' : '',
    width === undefined ? '' : `width:${width};`,
    `object-fit:${given('scale') ?? 'cover'};`,
  ].join('');
}

/** Border and shadow, which the image shows. */
function partOf(attributes: JsonMap): WrittenTag {
  return partAttributes('core/post-featured-image', attributes);
}

function altOf(post: Post): string {
  return decodeReferences(stripMarkup(titleOfPost(post))) || `Untitled post ${post.id}`;
}

function firstImage(attributes: JsonMap, { isLocked, texts }: Post): string {
  if (flagAt(attributes, 'useFirstImageFromPost') !== true || isLocked) return '';
  const { content } = texts();
  let tag = nextTag(content, 0);
  while (tag !== null && tag.name !== 'img') tag = nextTag(content, tag.end);
  if (tag === null) return '';
  const found = tag;
  const given = new Map(found.attributes.map(({ name }) => [name, attributeOf(found, name) ?? '']));
  given.set('style', `${String(given.get('style') ?? '')}${styleOf(attributes)}`);
  const classes = [given.get('class') ?? '', ...partOf(attributes).classes].filter((one) => one !== '');
  if (classes.length > 0) given.set('class', classes.join(' '));
  const written = [...given]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => (value === true ? name : `${name}="${escapeAttribute(value)}"`));
  return `<img ${written.join(' ')}>`;
}

function overlay(attributes: JsonMap): string {
  const ratio = numberAt(attributes, 'dimRatio') ?? 0;
  if (ratio === 0) return '';
  const text = (name: string) => textAt(attributes, name) ?? '';
  const [colour, gradient, ownGradient] = [text('overlayColor'), text('gradient'), text('customGradient')];
  const classes = [
    ...['wp-block-post-featured-image__overlay', 'has-background-dim', `has-background-dim-${ratio}`],
    ...(colour === '' ? [] : [`has-${colour}-background-color`]),
    ...(gradient === '' && ownGradient === '' ? [] : ['has-background-gradient']),
    ...(gradient === '' ? [] : [`has-${gradient}-gradient-background`]),
  ];
  const style = [
    ownGradient === '' ? '' : `background-image: ${ownGradient};`,
    text('customOverlayColor') === '' ? '' : `background-color: ${text('customOverlayColor')};`,
  ].filter((one) => one !== '');
  return `<span class="${escapeAttribute(classes.join(' '))}" style="${escapeAttribute(style.join(' '))}" aria-hidden="true"></span>`;
}
