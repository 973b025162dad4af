import { attributeOf, nextTag, setAttribute } from './tags.ts';

/** An uploaded image that a tag names. */
export interface NamedImage {
  /** Pixels of the file that the tag shows. */
  readonly width: number;
  readonly height: number;
  /** The value of `srcset` for an image shown in a size; null: there is nothing to choose from. */
  readonly choices: (width: number, height: number) => string | null;
}

/** Finds an uploaded image by its id and the address of one of its files; null if the file is not one of that image. */
export type FindImage = (id: number, address: string) => NamedImage | null;

/** Whether images in a text name uploaded ones, by the class that editors give them. */
export function namesImages(html: string): boolean {
  return /wp-image-\d/i.test(html);
}

/** Gives images that name uploaded ones their dimensions, and other files of theirs for browsers to choose from. */
export function sizeImages(html: string, find: FindImage): string {
  if (!namesImages(html)) return html;
  let out = '';
  let done = 0;
  for (let start = html.indexOf('<img'); start >= 0; start = html.indexOf('<img', done)) {
    const end = html.indexOf('>', start);
    if (end < 0) break;
    const tag = html.slice(start, end + 1);
    out += html.slice(done, start) + (isWhole(tag) ? sizedImage(tag, find) : tag);
    done = end + 1;
  }
  return out + html.slice(done);
}

/** Whether a piece is the tag of an image up to its end: a `>` may be in a value as well. */
function isWhole(tag: string): boolean {
  return /^<img[\s/]/.test(tag) && tag.split('"').length % 2 === 1;
}

function sizedImage(tag: string, find: FindImage): string {
  const id = Number(/wp-image-(\d{1,15})/i.exec(tag)?.[1] ?? 0);
  const start = tag.indexOf(' src="') + ' src="'.length;
  const [address = ''] = start < ' src="'.length ? [] : tag.slice(start, tag.indexOf('"', start)).split('?', 1);
  const image = id === 0 || address === '' ? null : find(id, address);
  return image === null ? tag : withChoices(withSize(tag, image), image);
}

function withSize(tag: string, { width, height }: NamedImage): string {
  if (tag.includes(' width=') || tag.includes(' height=')) return tag;
  const styled = Number(/style="width:\s*(\d{1,7})px;"/.exec(tag)?.[1] ?? 0);
  const [w, h] = styled === 0 ? [width, height] : [styled, Math.round((height * styled) / width)];
  return tag.replace('<img', `<img width="${w}" height="${h}"`);
}

/** A tag without its end, which may have blanks and a slash. */
function withoutEnd(tag: string): string {
  let end = tag.length - 1;
  while (' \t\n\r\f/'.includes(tag[end - 1] ?? '')) end -= 1;
  return tag.slice(0, end);
}

function withChoices(tag: string, image: NamedImage): string {
  if (tag.includes(' srcset=')) return tag;
  const given = (name: string) => Number(new RegExp(` ${name}="([0-9]{1,7})"`).exec(tag)?.[1] ?? 0);
  const [width, height] = [given('width'), given('height')];
  const shown = width > 0 && height > 0 ? { width, height } : image;
  const choices = image.choices(shown.width, shown.height);
  if (choices === null) return tag;
  const sizes = tag.includes(' sizes=') ? '' : ` sizes="(max-width: ${shown.width}px) 100vw, ${shown.width}px"`;
  return `${withoutEnd(tag)} srcset="${choices}"${sizes} />`;
}

/** Adds asynchronous decoding to images, and lazy loading to images and frames of known size. */
export function easeLoading(html: string): string {
  if (!html.includes('<img') && !html.includes('<iframe')) return html;
  const opener = /<(img|iframe)[ \t\n\v\f\r]/g;
  let out = '';
  let done = 0;
  for (let found = opener.exec(html); found !== null; found = opener.exec(html)) {
    const end = html.indexOf('>', opener.lastIndex);
    if (end < 0) break;
    if (end === opener.lastIndex) continue;
    const tag = html.slice(found.index, end + 1);
    out += html.slice(done, found.index) + (found[1] === 'img' ? easeImage(tag) : easeFrame(tag));
    done = end + 1;
    opener.lastIndex = done;
  }
  return out + html.slice(done);
}

function easeImage(tag: string): string {
  if (!tag.includes(' src="')) return tag;
  let image = tag;
  if (!/ decoding=["'][A-Za-z]+["']/.test(image)) image = image.replace('<img', '<img decoding="async"');
  if (isSized(image) && !/ loading=["'][A-Za-z]+["']/.test(image) && !/ fetchpriority=["']high["']/.test(image)) {
    image = image.replace('<img', '<img loading="lazy"');
  }
  return image.includes(' sizes=') ? easeSizes(image) : image;
}

function isSized(tag: string): boolean {
  const width = / width=["']([0-9]+)["']/.exec(tag);
  const height = / height=["']([0-9]+)["']/.exec(tag);
  return width !== null && height !== null && tag.includes(' width="') && tag.includes(' height="');
}

function easeSizes(image: string): string {
  const tag = nextTag(image, 0);
  if (tag === null || attributeOf(tag, 'loading') !== 'lazy') return image;
  const [width, sizes] = [attributeOf(tag, 'width'), attributeOf(tag, 'sizes')];
  if (typeof width !== 'string' || width === '' || typeof sizes !== 'string') return image;
  if (/^\s*auto\s*(?:,|$)/i.test(sizes)) return image;
  return setAttribute(image, tag, { name: 'sizes', value: `auto, ${sizes}` });
}

function easeFrame(tag: string): string {
  const ready = [' src="', ' width="', ' height="'].every((part) => tag.includes(part));
  if (!ready || tag.includes(' loading=') || tag.includes(' data-secret="')) return tag;
  return tag.replace('<iframe', '<iframe loading="lazy"');
}
