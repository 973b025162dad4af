export type Category = 'text' | 'media' | 'design' | 'widgets' | 'theme' | 'embed' | 'reusable';

/** A type of block, which texts contain as `<!-- wp:name {…} -->` up to its end. */
export interface BlockType {
  readonly name: string;
  readonly title: string;
  readonly category: Category;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly attributes: BlockAttributeTypes;
  /** Common block features; an absent one has its usual setting. */
  readonly supports: Readonly<Record<string, unknown>>;
  /** The features that the server renders. */
  readonly rendered: ReadonlySet<Support>;
  /** Its texts contain its markup, which the server may complete, or the server makes its markup whenever it is shown. */
  readonly markup: 'stored' | 'completed' | 'made';
  /** Default layout of the blocks in it; null: it arranges none. */
  readonly layout: BlockLayout | null;
  /** Distance between the blocks in it when they have none. */
  readonly gap: string;
  /** Blocks that may directly contain it; null: any. */
  readonly parent: readonly string[] | null;
  /** Blocks of which one must be an ancestor; null: any. */
  readonly ancestor: readonly string[] | null;
  /** Blocks that it may contain; null: any. */
  readonly allowed: readonly string[] | null;
  readonly uses: readonly string[];
  /** Attributes passed to descendants, by the name under which they receive them. */
  readonly provides: Readonly<Record<string, string>>;
  /** Style variations; the first is the default. */
  readonly styles: readonly string[];
}

/** Of blocks in another: below each other, or beside each other. */
export type BlockLayout = 'flow' | 'flex' | 'flex nowrap' | 'flex wrap';

/** What the outer element of a block shows of its attributes. */
export type Support = 'align' | 'anchor' | 'background' | 'border' | 'color' | 'spacing' | 'typography';

interface More {
  readonly keywords?: string;
  readonly attributes?: BlockAttributeTypes;
  /** Tokens of `supportTokens`. */
  readonly supports?: string;
  /** The features that the server renders, where the reference system renders others than it announces in `supports`. */
  readonly renders?: string;
  readonly parent?: string;
  readonly ancestor?: string;
  readonly allowed?: string;
  readonly uses?: string;
  readonly provides?: Readonly<Record<string, string>>;
  readonly styles?: string;
  readonly layout?: BlockLayout;
  readonly gap?: string;
}

type Describe = (name: string, title: string, description: string, more?: More) => BlockType;

export interface BlockAttribute {
  readonly type: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly items?: { readonly type: string };
  readonly minimum?: number;
  readonly maximum?: number;
  readonly source?: 'html' | 'rich-text' | 'attribute' | 'raw' | 'query';
  readonly selector?: string;
  readonly attribute?: string;
}
type BlockAttributeTypes = Readonly<Record<string, BlockAttribute>>;

export const usualGap = '1.2rem';
const ALL: readonly Support[] = ['align', 'anchor', 'background', 'border', 'color', 'spacing', 'typography'];
/** For a block whose type is not known, and for stored markup. */
export const usuallyRendered: ReadonlySet<Support> = new Set(ALL.filter((support) => support !== 'background'));

export const textAttribute: BlockAttribute = { type: 'string' };
export const number: BlockAttribute = { type: 'number' };
export const flag: BlockAttribute = { type: 'boolean' };
export const object: BlockAttribute = { type: 'object' };
export const listAttribute: BlockAttribute = { type: 'array' };
/** A flag that is true by default. */
export const on: BlockAttribute = { type: 'boolean', default: true };
/** A flag that is false by default. */
export const off: BlockAttribute = { type: 'boolean', default: false };

export const texts: BlockAttribute = { type: 'array', items: { type: 'string' } };

export const stored = (category: Category): Describe => describe(category, 'stored');

export const completed = (category: Category): Describe => describe(category, 'completed');

export const made = (category: Category): Describe => describe(category, 'made');

function describe(category: Category, markup: BlockType['markup']): Describe {
  return (name, title, description, more = {}) => {
    const supports = supportsOf(more.supports ?? '');
    return {
      name: `core/${name}`,
      title,
      category,
      description,
      markup,
      supports,
      rendered: markup === 'stored' ? usuallyRendered : renderedOf(supports, more.renders),
      keywords: more.keywords?.split(', ') ?? [],
      attributes: { ...more.attributes, ...supportAttributes(supports), lock: object, metadata: object },
      parent: blocks(more.parent),
      ancestor: blocks(more.ancestor),
      allowed: blocks(more.allowed),
      uses: more.uses?.split(' ') ?? [],
      provides: more.provides ?? {},
      styles: more.styles?.split(' ') ?? [],
      layout: more.layout ?? null,
      gap: more.gap ?? usualGap,
    };
  };
}

function blocks(names: string | undefined): readonly string[] | null {
  return names?.split(' ').map((name) => `core/${name}`) ?? null;
}

const colour = { background: true, text: true };

/** Meaning of each token. A leading `-` means that the blocks lack a usual feature. */
const supportTokens: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  align: { align: true },
  wide: { align: ['wide', 'full'] },
  sides: { align: ['left', 'center', 'right'] },
  anchor: { anchor: true },
  colour: { color: { ...colour, gradients: true, link: true } },
  plainColour: { color: colour },
  border: { border: { color: true, radius: true, style: true, width: true } },
  spacing: { spacing: { margin: true, padding: true } },
  gap: { spacing: { blockGap: true, margin: true, padding: true } },
  margin: { spacing: { margin: true } },
  type: { typography: { fontSize: true, lineHeight: true, textAlign: true } },
  layout: { layout: true },
  background: { background: { backgroundImage: true, backgroundSize: true } },
  size: { dimensions: { minHeight: true } },
  shadow: { shadow: true },
  interactive: { interactivity: { clientNavigation: true } },
  '-html': { html: false },
  '-class': { className: false },
  '-own': { customClassName: false },
  '-insert': { inserter: false },
  '-reuse': { reusable: false },
  '-many': { multiple: false },
};

function supportsOf(tokens: string): Readonly<Record<string, unknown>> {
  return Object.assign({}, ...tokens.split(' ').map((token) => supportTokens[token] ?? {}));
}

function renderedOf(supports: Readonly<Record<string, unknown>>, renders: string | undefined): ReadonlySet<Support> {
  const named = renders?.split(' ');
  return new Set(ALL.filter((support) => (named === undefined ? support in supports : named.includes(support))));
}

function supportAttributes(supports: Readonly<Record<string, unknown>>): BlockAttributeTypes {
  const has = (...names: readonly string[]) => names.some((name) => name in supports);
  return {
    ...(has('align') ? { align: oneOf('left', 'center', 'right', 'wide', 'full', '') } : {}),
    ...(has('anchor') ? { anchor: textAttribute } : {}),
    ...(supports['customClassName'] === false ? {} : { className: textAttribute }),
    ...(has('color') ? { backgroundColor: textAttribute, textColor: textAttribute, gradient: textAttribute } : {}),
    ...(has('border') ? { borderColor: textAttribute } : {}),
    ...(has('typography') ? { fontSize: textAttribute, fontFamily: textAttribute } : {}),
    ...(has('layout') ? { layout: object } : {}),
    ...(has('color', 'border', 'typography', 'spacing', 'background', 'dimensions', 'shadow') ? { style: object } : {}),
  };
}

export const oneOf = (...words: readonly string[]): BlockAttribute => ({ type: 'string', enum: words });

/** The attribute with a default value. */
export const usually = (attribute: BlockAttribute, value: unknown): BlockAttribute => ({
  ...attribute,
  default: value,
});

export const between = (minimum: number, maximum: number): BlockAttribute => ({ ...number, minimum, maximum });

export const rich = (selector: string): BlockAttribute => ({ type: 'rich-text', source: 'rich-text', selector });

export const htmlAttribute = (selector: string): BlockAttribute => ({ type: 'string', source: 'html', selector });

export const of = (selector: string, attribute: string, type = 'string'): BlockAttribute => ({
  type,
  source: 'attribute',
  selector,
  attribute,
});

export const each = (selector: string): BlockAttribute => ({ type: 'array', source: 'query', selector, default: [] });
