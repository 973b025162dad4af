import { readSupports, type Supported } from './supports.ts';

export type Category = 'text' | 'media' | 'design' | 'widgets' | 'theme' | 'embed' | 'reusable';

/** A type of block, which texts contain as `<!-- wp:name {…} -->` up to its end. */
export interface BlockType {
  readonly name: string;
  readonly title: string;
  readonly category: Category;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly attributes: BlockAttributeTypes;
  /** What it supports, as clients are told. */
  readonly supports: Supported['declared'];
  readonly features: Supported['features'];
  readonly own: Supported['own'];
  /** Attributes for which it adds a class itself. */
  readonly marks: ReadonlySet<MarkedAttribute>;
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

/** The alignment of a text, as older texts have it; the colour of links. */
export type MarkedAttribute = 'align' | 'link';

interface More {
  readonly keywords?: string;
  readonly attributes?: BlockAttributeTypes;
  /** For `readSupports`. */
  readonly supports?: string;
  readonly marks?: string;
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
  readonly source?: 'html' | 'rich-text' | 'attribute' | 'raw' | 'query' | 'tag' | 'text';
  readonly selector?: string;
  readonly attribute?: string;
  /** What is read of each element that the selector finds. */
  readonly query?: BlockAttributeTypes;
}
export type BlockAttributeTypes = Readonly<Record<string, BlockAttribute>>;

/** What the attribute `style` is for. */
const STYLED = ['color', 'border', 'typography', 'spacing', 'background', 'dimensions', 'filter', 'position', 'shadow'];

export const usualGap = '1.2rem';

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
    const { declared, features, own } = readSupports(
      `${more.supports ?? ''} ${more.layout === undefined ? '' : 'layout'}`,
    );
    return {
      name: `core/${name}`,
      title,
      category,
      description,
      markup,
      supports: declared,
      features,
      own,
      marks: new Set((more.marks?.split(' ') ?? []) as MarkedAttribute[]),
      keywords: more.keywords?.split(', ') ?? [],
      attributes: { ...more.attributes, ...supportAttributes(features), lock: object, metadata: object },
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

function supportAttributes(features: ReadonlySet<string>): BlockAttributeTypes {
  const has = (name: string) => features.has(name);
  const isStyled = [...features].some((name) => STYLED.some((group) => name.startsWith(group)));
  return {
    ...(has('align') ? { align: oneOf('left', 'center', 'right', 'wide', 'full', '') } : {}),
    ...(has('anchor') ? { anchor: textAttribute } : {}),
    ...(has('customClassName') ? { className: textAttribute } : {}),
    ...(has('color.background') ? { backgroundColor: textAttribute } : {}),
    ...(has('color.text') ? { textColor: textAttribute } : {}),
    ...(has('color.gradients') ? { gradient: textAttribute } : {}),
    ...(has('border.color') ? { borderColor: textAttribute } : {}),
    ...(has('typography.fontSize') ? { fontSize: textAttribute } : {}),
    ...(has('typography.fontFamily') ? { fontFamily: textAttribute } : {}),
    ...(has('layout') ? { layout: object } : {}),
    ...(isStyled ? { style: object } : {}),
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

export const htmlAttribute = (selector?: string): BlockAttribute => ({
  type: 'string',
  source: 'html',
  ...(selector === undefined ? {} : { selector }),
});

export const of = (selector: string, attribute: string, type = 'string'): BlockAttribute => ({
  type,
  source: 'attribute',
  selector,
  attribute,
});

export const each = (selector: string, query: BlockAttributeTypes): BlockAttribute => ({
  type: 'array',
  source: 'query',
  selector,
  default: [],
  query,
});

/** An attribute of the element itself. */
export const ownAttribute = (attribute: string): BlockAttribute => ({ type: 'string', source: 'attribute', attribute });
