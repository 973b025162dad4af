import { mapAt, textAt, valueAt } from '../attributes.ts';
import type { JsonMap } from '../ordered-json.ts';
import { elementsClass } from './class-names.ts';
import { hiddenOn } from './outer-tag.ts';
import { type ClassRule, cssValue, ruleOf } from './style-rule.ts';

const LINK = 'a:where(:not(.wp-element-button))';
const BUTTON = ['.wp-element-button', '.wp-block-button__link'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const ELEMENTS: readonly (readonly [name: string, selectors: readonly string[]])[] = [
  ['button', BUTTON],
  ['heading', HEADINGS],
  ...HEADINGS.map((name) => [name, [name]] as const),
];
const VIEWPORTS: Readonly<Record<string, string>> = {
  mobile: '@media (width <= 480px)',
  tablet: '@media (480px < width <= 782px)',
  desktop: '@media (width > 782px)',
};

/** The rules that the class for the colours of a block's elements stands for. */
export function elementRules(attributes: JsonMap): readonly ClassRule[] {
  const className = elementsClass(attributes);
  const elements = mapAt(attributes, 'style', 'elements');
  if (className === '' || elements === undefined) return [];
  const within = (selectors: readonly string[]) => selectors.map((one) => `.${className} ${one}`).join(', ');
  const colour = (...path: readonly string[]) => cssValue(valueAt(elements, ...path));
  return [
    ...ruleOf(within([LINK]), [['color', colour('link', 'color', 'text')]]),
    ...ruleOf(within([`${LINK}:hover`]), [['color', colour('link', ':hover', 'color', 'text')]]),
    ...ELEMENTS.flatMap(([name, selectors]) =>
      ruleOf(within(selectors), [
        ['color', colour(name, 'color', 'text')],
        ['background-color', colour(name, 'color', 'background')],
        ['background', colour(name, 'color', 'gradient')],
      ]),
    ),
  ];
}

/** The rule for a block that stays visible while its surroundings are scrolled. `className`: its own. */
export function stickyRules(className: string, attributes: JsonMap): readonly ClassRule[] {
  const top = cssValue(textAt(attributes, 'style', 'position', 'top')) ?? '0px';
  return ruleOf(`.${className}`, [
    ['top', top],
    ['position', 'sticky'],
    ['z-index', '10'],
  ]);
}

/** The rules for a block that is hidden on some devices. */
export function visibilityRules(attributes: JsonMap): readonly ClassRule[] {
  return hiddenOn(attributes).flatMap((view) =>
    ruleOf(`.wp-block-hidden-${view}`, [['display', 'none !important']], VIEWPORTS[view]),
  );
}
