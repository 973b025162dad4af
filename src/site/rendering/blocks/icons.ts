import { isSet, textAt } from '#blocks/attributes.ts';
import { escapeAttribute } from '#blocks/references.ts';
import { partAttributes } from '#blocks/supports/wrapper.ts';
import { wrapped } from '../pieces.ts';
import type { Make } from '../types.ts';
import icons from './icons.json' with { type: 'json' };

export interface DrawnIcon {
  /** Its name in blocks, such as `core/star-filled`. */
  readonly name: string;
  readonly label: string;
  /** An SVG element. */
  readonly content: string;
}

/** The only collection of icons. They are drawn for this project, in a square of 24 units. */
export const COLLECTION = 'core';

const LINE = 'fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"';

export const allIcons: ReadonlyMap<string, DrawnIcon> = new Map(
  [
    ...Object.entries(icons.drawn).map(([name, path]) => iconOf(name, `<path ${LINE} d="${path}"/>`)),
    ...Object.entries(icons.filled).map(([name, path]) => iconOf(name, `<path fill="currentColor" d="${path}"/>`)),
  ]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((icon) => [icon.name, icon]),
);

function iconOf(name: string, inside: string): DrawnIcon {
  const label = name.replace(/(?:^|-)(.)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
  const content = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${inside}</svg>`;
  return { name: `${COLLECTION}/${name}`, label, content };
}

export const iconBlock: Make = (block) => {
  const { attributes } = block;
  const found = allIcons.get(textAt(attributes, 'icon') ?? '');
  if (found === undefined) return '';
  const label = textAt(attributes, 'ariaLabel');
  const said = isSet(label)
    ? `role="img" aria-label="${escapeAttribute(label ?? '')}"`
    : 'aria-hidden="true" focusable="false"';
  const { classes, style } = partAttributes(block.name, attributes);
  const shown = [
    style === '' ? '' : `style="${escapeAttribute(style)};" `,
    classes.length === 0 ? '' : `class="${escapeAttribute(classes.join(' '))}" `,
  ];
  return wrapped(
    'div',
    block,
    found.content.replace('<svg ', () => `<svg ${shown.join('')}${said} `),
  );
};
