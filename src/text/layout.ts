import { createHash } from 'node:crypto';
import { encodeJson, type JsonMap, type JsonValue } from './ordered-json.ts';

/** How a kind of block lays out what is in it. */
interface Layout {
  /** What holds without a `layout` attribute. */
  readonly fallback: readonly (readonly [string, string])[];
  /** The gap between its blocks where only one side of it is given. */
  readonly gap: string;
  /** Whether its own styles take care of the gap. */
  readonly skipsGap: boolean;
}

interface Container {
  readonly layout: Layout;
  readonly used: JsonMap;
  readonly spacing: JsonValue | undefined;
}

const FLOW: Layout = { fallback: [], gap: '0.5em', skipsGap: false };
const FLEX: Layout = { ...FLOW, fallback: [['type', 'flex']] };

/** The container blocks of the editor. */
const LAYOUTS: ReadonlyMap<string, Layout> = new Map([
  ['core/group', FLOW],
  ['core/column', FLOW],
  ['core/cover', FLOW],
  ['core/details', FLOW],
  ['core/quote', FLOW],
  ['core/buttons', FLEX],
  ['core/social-links', FLEX],
  ['core/gallery', { ...FLEX, skipsGap: true }],
  [
    'core/columns',
    {
      ...FLEX,
      fallback: [
        ['type', 'flex'],
        ['flexWrap', 'nowrap'],
      ],
      gap: '2em',
    },
  ],
]);

const KIND_NAMES: ReadonlyMap<unknown, string> = new Map([
  ['default', 'is-layout-flow'],
  ['constrained', 'is-layout-constrained'],
  ['flex', 'is-layout-flex'],
  ['grid', 'is-layout-grid'],
]);

/** The classes for the element around a container's blocks; `null` for blocks that are no containers. */
export function containerClasses(name: string, attributes: JsonMap): string[] | null {
  const layout = LAYOUTS.get(name);
  if (layout === undefined) return null;
  const given = asMap(attributes.get('layout'));
  const used: JsonMap = new Map(given ?? layout.fallback);
  if (isSet(used.get('inherit')) || isSet(used.get('contentSize'))) used.set('type', 'constrained');
  const kindName = KIND_NAMES.get(used.get('type') ?? 'default') ?? '';
  const own = containerName(name, { layout, used, spacing: at(attributes, 'style', 'spacing') });
  return [
    used.get('type') === 'constrained' ? 'has-global-padding' : '',
    named('is-', given?.get('orientation')),
    named('is-content-justification-', given?.get('justifyContent')),
    given?.get('flexWrap') === 'nowrap' ? 'is-nowrap' : '',
    kindName,
    own,
    `wp-block-${name.slice(name.indexOf('/') + 1)}-${kindName}`,
  ].filter((className) => className !== '');
}

/** The class for a block that its container places in a way of its own, or none. */
export function placementClass(attributes: JsonMap, parentLayout: JsonMap | undefined): string | null {
  const place = asMap(at(attributes, 'style', 'layout'));
  if (place === undefined) return null;
  const stretch = place.get('selfStretch');
  const sized = stretch === 'fill' || (stretch === 'fixed' && isGiven(place.get('flexSize')));
  const placed = ['columnSpan', 'rowSpan', 'columnStart', 'rowStart'].some((key) => isGiven(place.get(key)));
  if (!sized && !placed) return null;
  const hashed: JsonMap = new Map([
    ['layout', only(place, ['selfStretch', 'flexSize', 'columnStart', 'columnSpan', 'rowStart', 'rowSpan'])],
    ['parentLayout', only(parentLayout ?? new Map(), ['minimumColumnWidth', 'columnCount'])],
  ]);
  return `wp-container-content-${shortHash(hashed)}`;
}

/** The layout a block gives to those in it. */
export function layoutOf(attributes: JsonMap): JsonMap | undefined {
  return asMap(attributes.get('layout'));
}

/** A class of its own for a container that needs styles of its own, the same wherever it needs the same. */
function containerName(name: string, { layout, used, spacing }: Container): string {
  const gap = safeGap(spacing instanceof Map ? spacing.get('blockGap') : undefined);
  if (!needsStyle(used, layout.skipsGap ? null : gap)) return '';
  const hash = shortHash([used, true, gap, layout.skipsGap, layout.gap, spacing ?? null]);
  return `wp-container-${name.replace('/', '-')}-is-layout-${hash}`;
}

function needsStyle(used: JsonMap, gap: JsonValue): boolean {
  const kind = used.get('type') ?? 'default';
  const justify = used.get('justifyContent');
  const align = used.get('verticalAlignment');
  const rowGap = gap instanceof Map ? (gap.get('top') ?? null) : gap;
  if (kind === 'grid') return true;
  if (kind === 'flex') {
    if (isGiven(used.get('orientation')) && used.get('orientation') !== 'horizontal') return true;
    const aligned = ['left', 'right', 'center', 'space-between'].includes(String(justify));
    const placed = ['top', 'center', 'bottom', 'stretch'].includes(String(align));
    return used.get('flexWrap') === 'nowrap' || (gap !== null && gap !== '') || aligned || placed;
  }
  if (kind === 'constrained') {
    const sized = isSet(used.get('contentSize')) || isSet(used.get('wideSize'));
    return sized || justify === 'left' || justify === 'right' || rowGap !== null;
  }
  return kind === 'default' && rowGap !== null;
}

/** A gap without values that could hold more than a length. */
function safeGap(gap: JsonValue | undefined): JsonValue {
  if (gap instanceof Map) return new Map([...gap].map(([side, value]) => [side, safeGap(value)]));
  if (typeof gap !== 'string') return gap ?? null;
  return /[\\(&=}]|\/\*/.test(gap) ? null : gap;
}

function at(map: JsonMap, ...path: string[]): JsonValue | undefined {
  let value: JsonValue | undefined = map;
  for (const key of path) value = value instanceof Map ? value.get(key) : undefined;
  return value ?? undefined;
}

function asMap(value: JsonValue | undefined): JsonMap | undefined {
  return value instanceof Map ? value : undefined;
}

function only(map: JsonMap, keys: readonly string[]): JsonMap {
  return new Map([...map].filter(([key]) => keys.includes(key)));
}

function named(prefix: string, value: JsonValue | undefined): string {
  if (typeof value !== 'string' || value === '' || value === '0') return '';
  const name = value.toLowerCase().replace(/[^a-z0-9_-]/g, '');
  return prefix + name;
}

function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

/** Whether a value counts as true where only that is asked. */
function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === '0') return false;
  return !(Array.isArray(value) && value.length === 0);
}

function shortHash(value: JsonValue): string {
  return createHash('md5').update(encodeJson(value)).digest('hex').slice(0, 8);
}
