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
export type BlockAttributeTypes = Readonly<Record<string, BlockAttribute>>;

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
  ...{ type, source: 'attribute', selector, attribute },
});

export const each = (selector: string): BlockAttribute => ({ type: 'array', source: 'query', selector, default: [] });
