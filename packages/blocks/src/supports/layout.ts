import { isSet, mapAt, styleText, valueAt } from '../attributes.ts';
import { blockTypes } from '../block-types/all.ts';
import { type BlockLayout, usualGap } from '../block-types/block-type.ts';
import type { JsonMap, JsonValue } from '../ordered-json.ts';
import { shortHash } from './class-names.ts';

/** How a block arranges the blocks in it. */
export interface Container {
  readonly used: JsonMap;
  /** The distance between them, or one per direction; null if none is given. */
  readonly gap: JsonValue;
  /** The distance if only that of the other direction is given. */
  readonly fallbackGap: string;
  readonly spacing: JsonValue | undefined;
  /** Its own class; '' if it needs no rule of its own. */
  readonly className: string;
}

const LAYOUTS: Readonly<Record<BlockLayout, readonly [string, string][]>> = {
  flow: [],
  flex: [['type', 'flex']],
  'flex nowrap': [
    ['type', 'flex'],
    ['flexWrap', 'nowrap'],
  ],
  'flex wrap': [
    ['type', 'flex'],
    ['flexWrap', 'wrap'],
  ],
};

const KIND_NAMES: ReadonlyMap<unknown, string> = new Map([
  ['default', 'is-layout-flow'],
  ['constrained', 'is-layout-constrained'],
  ['flex', 'is-layout-flex'],
  ['grid', 'is-layout-grid'],
]);

const PLACES = ['selfStretch', 'flexSize', 'columnStart', 'columnSpan', 'rowStart', 'rowSpan'];

export function isContainer(name: string): boolean {
  return layoutIn(name) !== undefined;
}

/** How a block arranges the blocks in it; null for one that does not. */
export function containerOf(name: string, attributes: JsonMap): Container | null {
  const fallback = layoutIn(name);
  if (fallback === undefined) return null;
  const used: JsonMap = new Map(mapAt(attributes, 'layout') ?? fallback);
  if (isSet(used.get('inherit')) || isSet(used.get('contentSize'))) used.set('type', 'constrained');
  const gap = safeGap(valueAt(attributes, 'style', 'spacing', 'blockGap'));
  const fallbackGap = blockTypes.get(name)?.gap ?? usualGap;
  const spacing = valueAt(attributes, 'style', 'spacing');
  const container = { used, gap, fallbackGap, spacing };
  if (!needsRule(container)) return { ...container, className: '' };
  const hash = shortHash([used, true, gap, false, fallbackGap, spacing ?? null]);
  return { ...container, className: `wp-container-${name.replace('/', '-')}-is-layout-${hash}` };
}

/** The layout classes of a container block; empty for other blocks. */
export function containerClasses(name: string, attributes: JsonMap): string[] {
  const container = containerOf(name, attributes);
  if (container === null) return [];
  const given = mapAt(attributes, 'layout');
  const { used } = container;
  const kindName = KIND_NAMES.get(used.get('type') ?? 'default') ?? '';
  return [
    used.get('type') === 'constrained' ? 'has-global-padding' : '',
    named('is-', given?.get('orientation')),
    named('is-content-justification-', given?.get('justifyContent')),
    given?.get('flexWrap') === 'nowrap' ? 'is-nowrap' : '',
    kindName,
    container.className,
    `wp-block-${shortName(name)}-${kindName}`,
  ].filter((className) => className !== '');
}

export function placementClass(attributes: JsonMap, parentLayout: JsonMap | undefined): string | null {
  const place = mapAt(attributes, 'style', 'layout');
  if (place === undefined) return null;
  const stretch = place.get('selfStretch');
  const isFixed = stretch === 'fixed' || stretch === 'fixedNoShrink';
  const sized = stretch === 'fill' || (isFixed && isGivenValue(place.get('flexSize')));
  const placed = ['columnSpan', 'rowSpan', 'columnStart', 'rowStart'].some((key) => isSet(place.get(key)));
  if (!sized && !placed) return null;
  const hashed: JsonMap = new Map([
    ['layout', only(place, PLACES)],
    ['parentLayout', only(parentLayout ?? new Map(), ['minimumColumnWidth', 'columnCount'])],
  ]);
  return `wp-container-content-${shortHash(hashed)}`;
}

function layoutIn(name: string): readonly [string, string][] | undefined {
  const layout = blockTypes.get(name)?.layout ?? undefined;
  return layout && LAYOUTS[layout];
}

export function layoutOf(attributes: JsonMap): JsonMap | undefined {
  return mapAt(attributes, 'layout');
}

type Arranged = Omit<Container, 'className'>;

function needsRule(container: Arranged): boolean {
  switch (container.used.get('type') ?? 'default') {
    case 'grid':
      return true;
    case 'flex':
      return needsFlexRule(container);
    case 'constrained':
      return needsWidthRule(container);
    case 'default':
      return hasRowGap(container.gap);
    default:
      return false;
  }
}

function needsFlexRule({ used, gap, fallbackGap }: Arranged): boolean {
  if (used.get('flexWrap') === 'nowrap' || hasFlexGap(gap, fallbackGap)) return true;
  if (isGivenValue(used.get('orientation')) && used.get('orientation') !== 'horizontal') return true;
  const justified = ['left', 'right', 'center', 'space-between'].includes(String(used.get('justifyContent')));
  return justified || ['top', 'center', 'bottom', 'stretch'].includes(String(used.get('verticalAlignment')));
}

function needsWidthRule({ used, gap, spacing }: Arranged): boolean {
  if (isSet(used.get('contentSize')) || isSet(used.get('wideSize')) || hasRowGap(gap)) return true;
  const justify = used.get('justifyContent');
  if (justify === 'left' || justify === 'right') return true;
  const padding = spacing instanceof Map ? spacing.get('padding') : undefined;
  return padding instanceof Map && ['left', 'right'].some((side) => styleText(padding.get(side)) !== undefined);
}

function hasRowGap(gap: JsonValue): boolean {
  return isGivenValue(gap instanceof Map ? gap.get('top') : gap);
}

function hasFlexGap(gap: JsonValue, fallbackGap: string): boolean {
  if (!(gap instanceof Map)) return gap !== null && gap !== '';
  return ['top', 'left'].some((side) => (gap.get(side) ?? fallbackGap) !== '');
}

function safeGap(gap: JsonValue | undefined): JsonValue {
  if (gap instanceof Map) return new Map([...gap].map(([side, value]) => [side, safeGap(value)]));
  if (typeof gap !== 'string') return gap ?? null;
  return /[\\(&=}]|\/\*/.test(gap) ? null : gap;
}

function only(map: JsonMap, keys: readonly string[]): JsonMap {
  return new Map([...map].filter(([key]) => keys.includes(key)));
}

function named(prefix: string, value: JsonValue | undefined): string {
  if (typeof value !== 'string' || !isSet(value)) return '';
  const name = value.trim().toLowerCase().replace(/\s+/g, '-');
  return prefix + name.replace(/[^a-z0-9_-]/g, '').replace(/-+/g, '-');
}

function shortName(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

export function isGivenValue(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}
