import { isSet, styleText, textAt, valueAt } from '#text/attributes.ts';
import { escapeAttribute } from '#text/references.ts';
import { wrapped } from '../pieces.ts';
import type { Make } from '../types.ts';
import { allIcons } from './icons.ts';

export const iconBlock: Make = (block) => {
  const { attributes } = block;
  const found = allIcons.get(textAt(attributes, 'icon') ?? '');
  if (found === undefined) return '';
  const label = textAt(attributes, 'ariaLabel');
  const said = isSet(label)
    ? `role="img" aria-label="${escapeAttribute(label ?? '')}"`
    : 'aria-hidden="true" focusable="false"';
  const width = styleText(valueAt(attributes, 'style', 'dimensions', 'width'));
  const drawing = found.content.replace('<svg ', () => `<svg ${said} `);
  return wrapped('div', block, drawing, { ...(width === undefined ? {} : { style: `width:${width}` }) });
};
