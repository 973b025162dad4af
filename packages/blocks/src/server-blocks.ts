import { blockTypes } from './block-types/all.ts';
import type { Block } from './blocks.ts';
import type { FindImage } from './images.ts';
import type { JsonMap, JsonValue } from './ordered-json.ts';
import type { Shortcode } from './shortcode.ts';

export type Scope = ReadonlyMap<string, JsonValue>;

export interface ServerBlock {
  readonly name: string;
  readonly block: Block;
  readonly attributes: JsonMap;
  readonly scope: Scope;
}

export interface ServerSide {
  /** Renders a block; '' for nothing. */
  readonly block: (block: ServerBlock) => string;
  /** Renders a shortcode; '' for nothing. */
  readonly shortcode: (shortcode: Shortcode) => string;
  readonly embed: Embed;
  /** Absent: images stay as they are written. */
  readonly image?: FindImage;
}

/** Markup for an embedded address; null if the address is unknown. Sizes are unparsed. */
export type Embed = (address: string, sizes: { readonly width?: string; readonly height?: string }) => string | null;

export const noScope: Scope = new Map();

/** Blocks whose markup the server makes through its `ServerSide`. */
export const serverBlocks: ReadonlySet<string> = new Set(
  [...blockTypes.values()].flatMap(({ name, markup }) => (markup === 'made' ? [name] : [])),
);

/** The values that the blocks in a block get from it. One that the server makes renders those blocks itself. */
export function scopeWithin(name: string, attributes: JsonMap, scope: Scope): Scope {
  const provided = serverBlocks.has(name) ? [] : Object.entries(blockTypes.get(name)?.provides ?? {});
  if (provided.length === 0) return scope;
  const within = new Map(scope);
  for (const [key, attribute] of provided) within.set(key, attributes.get(attribute) ?? null);
  return within;
}
