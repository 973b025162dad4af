import { isSet, mapAt, numberAt, textAt } from '../attributes.ts';
import type { JsonMap, JsonValue } from '../ordered-json.ts';
import { type Container, containerOf, isGivenValue, placementClass } from './layout.ts';
import { ORDINARY } from './layout-base.ts';
import { type ClassRule, cssValue, ruleOf } from './style-rule.ts';

const STARTS: ReadonlyMap<unknown, string> = new Map([
  ['left', 'flex-start'],
  ['right', 'flex-end'],
  ['center', 'center'],
  ['space-between', 'space-between'],
  ['stretch', 'stretch'],
]);
const HEIGHTS: ReadonlyMap<unknown, string> = new Map([
  ['top', 'flex-start'],
  ['center', 'center'],
  ['bottom', 'flex-end'],
  ['stretch', 'stretch'],
  ['space-between', 'space-between'],
]);
const columnWidth = '12rem';

/** The rules that the class of a container stands for. */
export function containerRules(name: string, attributes: JsonMap): readonly ClassRule[] {
  const container = containerOf(name, attributes);
  if (container === null || container.className === '') return [];
  const own = `.${container.className}`;
  switch (container.used.get('type') ?? 'default') {
    case 'flex':
      return ruleOf(own, flexed(container));
    case 'grid':
      return ruleOf(own, gridded(container));
    case 'constrained':
      return [...widths(own, container), ...rowGaps(own, container)];
    default:
      return rowGaps(own, container);
  }
}

/** The rules for the place that a block takes in the layout of the block around it. */
export function placementRules(attributes: JsonMap, parentLayout: JsonMap | undefined): readonly ClassRule[] {
  const className = placementClass(attributes, parentLayout);
  const place = mapAt(attributes, 'style', 'layout');
  if (className === null || place === undefined) return [];
  const own = `.${className}`;
  const stretch = textAt(place, 'selfStretch');
  const isFixed = stretch === 'fixed' || stretch === 'fixedNoShrink';
  const size = isFixed ? cssValue(place.get('flexSize')) : undefined;
  const span = wholeAt(place, 'columnSpan');
  return [
    ...ruleOf(own, [
      ['flex-basis', size],
      ['flex-shrink', size !== undefined && stretch === 'fixedNoShrink' ? '0' : undefined],
      ['box-sizing', size === undefined ? undefined : 'border-box'],
      ['flex-grow', stretch === 'fill' ? '1' : undefined],
      ['grid-column', spanned(wholeAt(place, 'columnStart'), span)],
      ['grid-row', spanned(wholeAt(place, 'rowStart'), wholeAt(place, 'rowSpan'))],
    ]),
    ...narrowed(own, { start: wholeAt(place, 'columnStart'), span }, parentLayout),
  ];
}

/** In a grid that makes as many columns as fit, what spans several takes all of them where there are fewer. */
function narrowed(
  own: string,
  { start, span }: { readonly start: number | undefined; readonly span: number | undefined },
  parent: JsonMap | undefined,
): readonly ClassRule[] {
  const columns = span === undefined ? start : span + (start ?? 1) - 1;
  if (columns === undefined || columns < 2 || parent?.get('columnCount') !== undefined) return [];
  const [, width, unit] =
    /^(\d+(?:\.\d+)?)(px|r?em)$/.exec(textAt(parent ?? new Map(), 'minimumColumnWidth') ?? columnWidth) ?? [];
  if (width === undefined || unit === undefined) return [];
  const gaps = (columns - 1) * (unit === 'px' ? 24 : 1.5);
  const query = `@container (max-width:${columns * Number(width) + gaps}${unit})`;
  return ruleOf(
    own,
    [
      ['grid-column', '1/-1'],
      ['grid-row', start === undefined ? undefined : 'auto'],
    ],
    query,
  );
}

function flexed({ used, gap, fallbackGap }: Container): Parameters<typeof ruleOf>[1] {
  const isVertical = isGivenValue(used.get('orientation')) && used.get('orientation') !== 'horizontal';
  const across = STARTS.get(used.get('justifyContent'));
  const along = HEIGHTS.get(used.get('verticalAlignment'));
  return [
    ['flex-wrap', used.get('flexWrap') === 'nowrap' ? 'nowrap' : undefined],
    ['gap', bothGaps(gap, fallbackGap)],
    ['flex-direction', isVertical ? 'column' : undefined],
    ['justify-content', isVertical ? along : across === 'stretch' ? undefined : across],
    ['align-items', isVertical ? (across ?? 'flex-start') : along === 'space-between' ? undefined : along],
  ];
}

function gridded({ used, gap, fallbackGap }: Container): Parameters<typeof ruleOf>[1] {
  const columns = wholeAt(used, 'columnCount');
  const rows = wholeAt(used, 'rowCount');
  const width = cssValue(used.get('minimumColumnWidth'));
  const distance = bothGaps(gap, fallbackGap);
  const fits = `min(${width ?? columnWidth},100%)`;
  const isCounted = columns !== undefined && width === undefined;
  const across = distance?.split(' ').at(-1) ?? fallbackGap;
  const least = columns === undefined ? fits : `max(${fits},(100% - (${across} * ${columns - 1})) / ${columns})`;
  return [
    [
      'grid-template-columns',
      isCounted ? `repeat(${columns},minmax(0,1fr))` : `repeat(auto-fill,minmax(${least},1fr))`,
    ],
    ['container-type', isCounted ? undefined : 'inline-size'],
    ['grid-template-rows', rows === undefined ? undefined : `repeat(${rows},minmax(1rem,auto))`],
    ['gap', distance],
  ];
}

function widths(own: string, { used, spacing }: Container): readonly ClassRule[] {
  const [content, wide] = [cssValue(used.get('contentSize')), cssValue(used.get('wideSize'))];
  const justify = used.get('justifyContent');
  const isSized = content !== undefined || wide !== undefined;
  const margin = (side: string) => (justify === side ? '0 !important' : 'auto !important');
  const inside = spacing instanceof Map ? mapAt(spacing, 'padding') : undefined;
  const outwards = (side: string) => {
    const padding = cssValue(inside?.get(side));
    return padding === undefined ? undefined : `calc(${padding} * -1)`;
  };
  return [
    ...(isSized
      ? [
          ...ruleOf(`${own} > ${ORDINARY}`, [
            ['max-width', content ?? wide],
            ['margin-left', margin('left')],
            ['margin-right', margin('right')],
          ]),
          ...ruleOf(`${own} > .alignwide`, [['max-width', wide ?? content]]),
          ...ruleOf(`${own} .alignfull`, [['max-width', 'none']]),
        ]
      : justify === 'left' || justify === 'right'
        ? ruleOf(`${own} > ${ORDINARY}`, [[`margin-${justify}`, '0 !important']])
        : []),
    ...ruleOf(`${own} > .alignfull`, [
      ['margin-right', outwards('right')],
      ['margin-left', outwards('left')],
    ]),
  ];
}

function rowGaps(own: string, { gap }: Container): readonly ClassRule[] {
  const distance = oneGap(gap instanceof Map ? gap.get('top') : gap);
  if (distance === undefined) return [];
  return [
    ...ruleOf(`${own} > *`, [['margin-block', '0']]),
    ...ruleOf(`${own} > * + *`, [['margin-block', `${distance} 0`]]),
  ];
}

function bothGaps(gap: JsonValue, fallback: string): string | undefined {
  if (!(gap instanceof Map)) return oneGap(gap);
  const [row, column] = ['top', 'left'].map((side) => oneGap(gap.get(side)) ?? fallback);
  return row === column ? row : `${row} ${column}`;
}

function oneGap(gap: JsonValue | undefined): string | undefined {
  return gap === undefined || gap === null ? undefined : cssValue(gap);
}

function spanned(start: number | undefined, span: number | undefined): string | undefined {
  const across = span === undefined ? undefined : `span ${span}`;
  return start === undefined ? across : across === undefined ? String(start) : `${start}/${across}`;
}

/** The positive whole number at a key; undefined for anything else. */
function wholeAt(map: JsonMap, key: string): number | undefined {
  const number = isSet(map.get(key)) ? numberAt(map, key) : undefined;
  return number !== undefined && Number.isInteger(number) && number > 0 && number < 1000 ? number : undefined;
}
