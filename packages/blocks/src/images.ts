import { attributeOf, nextTag, setAttribute } from './tags.ts';

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
