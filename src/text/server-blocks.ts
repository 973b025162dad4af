import type { Block } from './blocks.ts';
import type { Word } from './brackets/word.ts';
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
  /** What stands in the place of a word in brackets; '' for nothing. */
  readonly word: (word: Word) => string;
  readonly embed: Embed;
}

/** What is shown in the place of an address; null where it is unknown. Sizes are as they were given. */
export type Embed = (address: string, sizes: { readonly width?: string; readonly height?: string }) => string | null;

export const noScope: Scope = new Map();

/** Blocks whose markup the server makes; each has a maker of the same name. */
const NAMES = [
  ...['avatar', 'calendar', 'comment-author-name', 'comment-content', 'comment-date', 'comment-reply-link'],
  ...['comment-template', 'comments', 'comments-title', 'home-link', 'latest-comments', 'loginout', 'navigation'],
  ...['navigation-link', 'navigation-submenu', 'post-comments-form', 'post-title', 'rss', 'search', 'site-logo'],
  ...['site-tagline', 'site-title', 'social-link'],
];
export const serverBlocks: ReadonlySet<string> = new Set(NAMES.map((name) => `core/${name}`));

/** What blocks tell those within them: the attribute that it is taken from, by the name under which it is known. */
const told: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'core/social-links': same(
    'openInNewTab showLabels iconColor iconColorValue iconBackgroundColor iconBackgroundColorValue',
  ),
};

/** Attributes that are known by their own names. */
function same(names: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, name]));
}

/** The scope of what is in a block. */
export function scopeWithin(name: string, attributes: JsonMap, scope: Scope): Scope {
  const names = told[name];
  if (names === undefined) return scope;
  const within = new Map(scope);
  for (const [key, attribute] of Object.entries(names)) within.set(key, attributes.get(attribute) ?? null);
  return within;
}
