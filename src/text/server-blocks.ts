import type { Block } from './blocks.ts';
import type { JsonMap, JsonValue } from './ordered-json.ts';

/** What blocks tell those within them. */
export type Scope = ReadonlyMap<string, JsonValue>;

/** A block whose markup depends on more than the text that it stands in. */
export interface ServerBlock {
  /** With namespace. */
  readonly name: string;
  /** The block with what is in it, not rendered. */
  readonly block: Block;
  readonly attributes: JsonMap;
  readonly scope: Scope;
}

/** Makes of texts what does not follow from them alone. */
export interface ServerSide {
  /** Markup; '' for nothing. */
  readonly block: (block: ServerBlock) => string;
}

export const noScope: Scope = new Map();

/** Blocks whose markup the server makes; each has a maker of the same name. */
export const serverBlocks: ReadonlySet<string> = new Set(['core/post-title'].sort());

/** What blocks tell those within them: the attribute that it is taken from, by the name under which it is known. */
const told: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

/** The scope of what is in a block. */
export function scopeWithin(name: string, attributes: JsonMap, scope: Scope): Scope {
  const names = told[name];
  if (names === undefined) return scope;
  const within = new Map(scope);
  for (const [key, attribute] of Object.entries(names)) within.set(key, attributes.get(attribute) ?? null);
  return within;
}
