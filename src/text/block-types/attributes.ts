export interface Attribute {
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
export type Attributes = Readonly<Record<string, Attribute>>;

export const text: Attribute = { type: 'string' };
export const number: Attribute = { type: 'number' };
export const flag: Attribute = { type: 'boolean' };
export const object: Attribute = { type: 'object' };
export const list: Attribute = { type: 'array' };
/** A flag that is true by default. */
export const on: Attribute = { type: 'boolean', default: true };
/** A flag that is false by default. */
export const off: Attribute = { type: 'boolean', default: false };

export const texts: Attribute = { type: 'array', items: { type: 'string' } };
export const oneOf = (...words: readonly string[]): Attribute => ({ type: 'string', enum: words });

/** The attribute with a default value. */
export const usually = (attribute: Attribute, value: unknown): Attribute => ({ ...attribute, default: value });

export const between = (minimum: number, maximum: number): Attribute => ({ ...number, minimum, maximum });

export const rich = (selector: string): Attribute => ({ type: 'rich-text', source: 'rich-text', selector });

export const html = (selector: string): Attribute => ({ type: 'string', source: 'html', selector });

export const of = (selector: string, attribute: string, type = 'string'): Attribute => ({
  ...{ type, source: 'attribute', selector, attribute },
});

export const each = (selector: string): Attribute => ({ type: 'array', source: 'query', selector, default: [] });
