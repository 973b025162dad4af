import { type ClassRule, ruleOf } from './style-rule.ts';

/** Blocks that are neither beside the text nor as wide as the page. */
export const ORDINARY = ':where(:not(.alignleft):not(.alignright):not(.alignfull))';
const STACKED = '@media (width < 782px)';
const BESIDE = '@media (width >= 782px)';

const FLOATS: readonly ClassRule[] = [
  ...ruleOf('.alignleft', [
    ['float', 'inline-start'],
    ['margin-inline', '0 2em'],
  ]),
  ...ruleOf('.alignright', [
    ['float', 'inline-end'],
    ['margin-inline', '2em 0'],
  ]),
  ...ruleOf('.aligncenter', [['margin-inline', 'auto']]),
];

/** The rules of the classes that all blocks with a kind of layout have, by a class that tells of them. */
const BASE: readonly (readonly [className: string, rules: readonly ClassRule[]])[] = [
  ['align', FLOATS],
  [
    'is-layout-constrained',
    [
      ...ruleOf(`.is-layout-constrained > ${ORDINARY}`, [
        ['max-width', 'var(--wp--style--global--content-size)'],
        ['margin-inline', 'auto'],
      ]),
      ...ruleOf('.is-layout-constrained > .alignwide', [['max-width', 'var(--wp--style--global--wide-size)']]),
    ],
  ],
  [
    'is-layout-flex',
    [
      ...ruleOf('.is-layout-flex', [
        ['display', 'flex'],
        ['flex-wrap', 'wrap'],
        ['align-items', 'center'],
      ]),
      ...ruleOf(':where(.is-layout-flex)', [['gap', '1.2rem']]),
      ...ruleOf('.is-layout-flex > *', [['margin', '0']]),
    ],
  ],
  [
    'is-layout-grid',
    [
      ...ruleOf('.is-layout-grid', [['display', 'grid']]),
      ...ruleOf(':where(.is-layout-grid)', [['gap', '1.2rem']]),
      ...ruleOf('.is-layout-grid > *', [['margin', '0']]),
    ],
  ],
  [
    'wp-block-columns',
    [
      ...ruleOf('.wp-block-columns', [['align-items', 'normal']]),
      ...ruleOf('.wp-block-columns.is-layout-flex:not(.is-not-stacked-on-mobile)', [['flex-wrap', 'wrap']], STACKED),
      ...ruleOf(
        '.wp-block-columns:not(.is-not-stacked-on-mobile) > .wp-block-column',
        [['flex-basis', '100% !important']],
        STACKED,
      ),
      ...ruleOf('.wp-block-column', [
        ['flex', '1 1 0'],
        ['min-width', '0'],
      ]),
      ...ruleOf('.wp-block-column[style*=flex-basis]', [['flex-grow', '0']], BESIDE),
    ],
  ],
  [
    'are-vertically-aligned-center',
    ruleOf('.wp-block-columns.are-vertically-aligned-center', [['align-items', 'center']]),
  ],
  [
    'are-vertically-aligned-bottom',
    ruleOf('.wp-block-columns.are-vertically-aligned-bottom', [['align-items', 'flex-end']]),
  ],
  ['is-vertically-aligned-center', ruleOf('.is-vertically-aligned-center', [['align-self', 'center']])],
  ['is-vertically-aligned-bottom', ruleOf('.is-vertically-aligned-bottom', [['align-self', 'flex-end']])],
  ...['center', 'right', 'left', 'justify'].map(
    (side) => [`has-text-align-${side}`, ruleOf(`.has-text-align-${side}`, [['text-align', side]])] as const,
  ),
];

/** The rules of classes that do not depend on values, as far as a rendered text has them. */
export function baseRules(html: string): readonly ClassRule[] {
  return BASE.flatMap(([className, rules]) => (html.includes(className) ? rules : []));
}
