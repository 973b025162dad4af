import { hash } from 'node:crypto';
import { sizeName } from '#domain/media/naming.ts';
import { alikeInShape, type Dimensions, fitted } from '#domain/media/sizes.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { fileUrl, shownFile } from '#site/addresses/media.ts';
import { frameAddress } from '#site/addresses/place.ts';
import { userLink } from '#site/addresses/users.ts';
import { type Item, plainTitle } from '#site/items/item.ts';
import { hostScript } from '#site/markup/frame-script.ts';
import { canReadMedia } from '#site/rights/media.ts';
import { escapedHtml } from '#text/html.ts';

/** In pixels; a height of 0 means no limit. */
export interface CardBounds {
  readonly maxWidth: number;
  readonly maxHeight?: number;
}

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
export function secretOf(address: string): string {
  return hash('sha256', address, 'hex').slice(0, 10);
}

const LEAST = 200;
const MOST = 600;

/** A quotation as a fallback, a sandboxed frame that reports its height, and the script that receives it. */
function cardOf(item: Item, model: Model, { width, height }: { width: number; height: number }): string {
  const secret = secretOf(item.address);
  const address = escapedHtml(item.address);
  const title = escapedHtml(plainTitle(item));
  const name = `&#8220;${title}&#8221; &#8212; ${escapedHtml(model.site().name)}`;
  const source = `${escapedHtml(frameAddress(item))}#?secret=${secret}`;
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
