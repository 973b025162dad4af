import type { Block } from './blocks.ts';
import { contains } from './contains.ts';
import { attributeOf, endOfElement, nextTag, type Tag } from './tags.ts';

export function* startTags(html: string): Generator<Tag> {
  for (let tag = nextTag(html, 0); tag !== null; tag = nextTag(html, endOfElement(html, tag))) yield tag;
}

export function hasClass(tag: Tag, name: string): boolean {
  const classes = attributeOf(tag, 'class');
  return typeof classes === 'string' && classes.split(/[ \t\f\r\n]+/).includes(name);
}

/**
 * The element directly around a block's inner blocks, found in the rendered form of its first piece of markup: the first element that
 * includes the classes of the source's last tag with classes. `undefined` means the outer element, null none.
 */
export function wrapperIn(html: string, block: Block): Tag | null | undefined {
  const [source] = block.parts;
  if (typeof source !== 'string' || block.parts.length < 2) return undefined;
  let classes = '';
  for (const tag of startTags(source)) {
    const given = attributeOf(tag, 'class');
    if (typeof given === 'string' && given !== '' && given !== '0') classes = given;
  }
  if (classes === '') return undefined;
  for (const tag of startTags(html)) if (contains(String(attributeOf(tag, 'class')), classes)) return tag;
  return null;
}
