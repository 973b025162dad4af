import { kebabCase } from '#blocks/supports/class-names.ts';
import { isBalanced, isStyleValue } from '#blocks/supports/style-rule.ts';
import { type SheetRule, sheetOf, withoutComments } from './block-styles.ts';
import { isScalar } from './shapes.ts';

/** Builds a style sheet from the styles that editors set for all pages. Omits what is invalid or could do more than style. */

type Fields = Readonly<Record<string, unknown>>;

/** Paths of style members and their CSS properties. */
const properties: readonly (readonly [path: string, property: string])[] = [
  ['color.text', 'color'],
  ['color.background', 'background-color'],
  ['color.gradient', 'background'],
  ...['font-family', 'font-size', 'font-style', 'font-weight', 'letter-spacing', 'line-height'].map(typography),
  ...['text-decoration', 'text-transform', 'text-align'].map(typography),
  ...['radius', 'color', 'style', 'width'].map((name) => [`border.${name}`, `border-${name}`] as const),
  ...['padding', 'margin'].flatMap((name) => [
    [`spacing.${name}`, name] as const,
    ...['top', 'right', 'bottom', 'left'].map((side) => [`spacing.${name}.${side}`, `${name}-${side}`] as const),
  ]),
  ['shadow', 'box-shadow'],
];

const headings = 'h1, h2, h3, h4, h5, h6';
const elements: ReadonlyMap<string, string> = new Map([
  ['link', 'a'],
  ['button', 'button, .wp-element-button'],
  ['heading', headings],
  ['caption', 'figcaption'],
  ['cite', 'cite'],
  ...headings.split(', ').map((name) => [name, name] as const),
]);
const plainBlocks: ReadonlyMap<string, string> = new Map([
  ['core/paragraph', 'p'],
  ['core/heading', headings],
  ['core/list', 'ul, ol'],
]);
const states = [':hover', ':focus', ':active', ':visited'];

interface Preset {
  readonly path: string;
  readonly member: string;
  readonly name: string;
  readonly classes: readonly (readonly [ending: string, property: string])[];
}

const presets: readonly Preset[] = [
  {
    path: 'color.palette',
    member: 'color',
    name: 'color',
    classes: [
      ['color', 'color'],
      ['background-color', 'background-color'],
      ['border-color', 'border-color'],
    ],
  },
  { path: 'color.gradients', member: 'gradient', name: 'gradient', classes: [['gradient-background', 'background']] },
  { path: 'typography.fontSizes', member: 'size', name: 'font-size', classes: [['font-size', 'font-size']] },
  {
    path: 'typography.fontFamilies',
    member: 'fontFamily',
    name: 'font-family',
    classes: [['font-family', 'font-family']],
  },
  { path: 'spacing.spacingSizes', member: 'size', name: 'spacing', classes: [] },
];
const maxPresets = 200;
const longestCss = 100_000;

/** The whole sheet of the site. */
export function siteSheet({
  settings = {},
  styles = {},
}: {
  readonly settings?: Fields;
  readonly styles?: Fields;
}): string {
  const width = at(settings, 'layout.contentSize');
  const rules = [
    ...(width === undefined ? [] : [ruleOf(':root', [['--width', width]])]),
    ...presets.flatMap((preset) => presetRules(preset, settings)),
    ...styleRules(styles, 'body', ''),
    ...blockRules(styles, () => true),
  ];
  return [sheetOf(rules, ''), ownCss(styles['css'])].filter((part) => part !== '').join('\n');
}

/** The presets that a text names by their classes or variables. Those of the site come after others, which they replace. */
export function presetSheet(settings: readonly Fields[], text: string): string {
  const named = new Set(text.match(/--wp--preset--[\w-]+|\bhas-[\w-]+/g));
  const rules = presets.flatMap((preset) =>
    settings.flatMap((own) => presetRules(preset, own, (name) => named.has(name))),
  );
  return sheetOf(rules, '');
}

/** What the site sets for the blocks that a rendered text has. */
export function blockSheetOf({ styles = {} }: { readonly styles?: Fields }, html: string): string {
  return sheetOf(
    blockRules(styles, (block) => html.includes(classOf(block))),
    '',
  );
}

/** The widths of a text and of what is wide, if the site sets them. */
export function widthsIn({ settings = {} }: { readonly settings?: Fields }): {
  readonly content?: string;
  readonly wide?: string;
} {
  const width = (name: string) => {
    const value = at(settings, `layout.${name}`);
    return typeof value === 'string' && isStyleValue(value) ? value : undefined;
  };
  const [content, wide] = [width('contentSize'), width('wideSize')];
  return { ...(content === undefined ? {} : { content }), ...(wide === undefined ? {} : { wide }) };
}

function blockRules(styles: Fields, isWanted: (name: string) => boolean): readonly SheetRule[] {
  return Object.entries(fieldsAt(styles, 'blocks')).flatMap(([block, style]) => {
    const selector = selectorOf(block);
    return isWanted(block) && isFields(style) ? styleRules(style, selector, selector) : [];
  });
}

function styleRules(style: Fields, own: string, around: string): readonly SheetRule[] {
  const within = Object.entries(fieldsAt(style, 'elements')).flatMap(([name, inner]) => {
    const selector = elements.get(name);
    if (selector === undefined || !isFields(inner)) return [];
    const all = selector.split(', ').map((part) => `${around === '' ? '' : `:is(${around}) `}${part}`);
    const inStates = states.map((state) =>
      ruleOf(all.map((part) => part + state).join(', '), declared(fieldsAt(inner, state))),
    );
    return [ruleOf(all.join(', '), declared(inner)), ...inStates];
  });
  return [ruleOf(own, declared(style)), ...within];
}

function declared(style: Fields): readonly (readonly [string, unknown])[] {
  return properties.map(([path, property]) => [property, presetValue(at(style, path))] as const);
}

/** `isNamed`: whether a variable or class is needed; absent: all are. */
function presetRules(
  { path, member, name, classes }: Preset,
  settings: Fields,
  isNamed: (name: string) => boolean = () => true,
): readonly SheetRule[] {
  return presetsIn(at(settings, path)).flatMap((preset) => {
    const slug = isScalar(preset['slug']) ? kebabCase(String(preset['slug'])) : '';
    if (!/^[\w-]{1,100}$/.test(slug)) return [];
    const variable = `--wp--preset--${name}--${slug}`;
    const shown = classes.filter(([ending]) => isNamed(`has-${slug}-${ending}`));
    if (shown.length === 0 && !isNamed(variable)) return [];
    return [
      ruleOf(':root', [[variable, preset[member]]]),
      ...shown.map(([ending, property]) =>
        ruleOf(`.has-${slug}-${ending}`, [[property, `var(${variable}) !important`]]),
      ),
    ];
  });
}

function presetsIn(value: unknown): readonly Fields[] {
  const lists = Array.isArray(value) ? [value] : isFields(value) ? Object.values(value) : [];
  return lists.flatMap((list) => (Array.isArray(list) ? list.filter(isFields) : [])).slice(0, maxPresets);
}

function selectorOf(block: string): string {
  return plainBlocks.get(block) ?? `.${classOf(block)}`;
}

function classOf(block: string): string {
  return `wp-block-${block.replace(/^core\//, '').replaceAll('/', '-')}`;
}

function ruleOf(selector: string, pairs: readonly (readonly [string, unknown])[]): SheetRule {
  const declarations = pairs.flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [],
  );
  return { selector, declarations };
}

/** Converts `var:preset|color|accent` to a CSS variable. */
function presetValue(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const [, kind, slug = ''] = /^var:preset\|([\w-]+)\|([\w-]+)$/.exec(value) ?? [];
  return kind === undefined ? value : `var(--wp--preset--${kind}--${kebabCase(slug)})`;
}

function ownCss(css: unknown): string {
  if (typeof css !== 'string' || css.length > longestCss) return '';
  if (!isBalanced(withoutComments(css))) return '';
  return /<\/|<!|@import|@charset|javascript:/i.test(css) ? '' : css.trim();
}

function at(fields: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isFields(value) ? own(value, name) : undefined), fields);
}

function fieldsAt(fields: Fields, name: string): Fields {
  const value = own(fields, name);
  return isFields(value) ? value : {};
}

function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function typography(property: string): readonly [string, string] {
  return [`typography.${property.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}`, property];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
