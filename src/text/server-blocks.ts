import type { Block } from './blocks.ts';
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
}

/** Markup for an embedded address; null if the address is unknown. Sizes are unparsed. */
export type Embed = (address: string, sizes: { readonly width?: string; readonly height?: string }) => string | null;

export const noScope: Scope = new Map();

const core = (names: string): readonly string[] => names.split(' ').map((name) => `core/${name}`);

/** Blocks that the server renders; each has a function in src/site/rendering/makers.ts. */
export const serverBlocks: ReadonlySet<string> = new Set(
  [
    'post-title post-date post-author post-author-name post-author-biography post-excerpt post-terms',
    'post-featured-image read-more post-content post-comments-count post-comments-link post-time-to-read',
    'breadcrumbs post-navigation-link query-title block',
    'latest-posts page-list archives categories tag-cloud',
    'term-template term-name term-count term-description',
    'post-template query-no-results query-total query-pagination',
    'avatar calendar home-link icon loginout navigation navigation-link navigation-submenu rss search',
    'comment-author-name comment-content comment-date comment-reply-link comment-template comments comments-title',
    'latest-comments post-comments-form site-logo site-tagline site-title social-link',
    'query-pagination-next query-pagination-previous query-pagination-numbers',
  ].flatMap(core),
);

const told: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'core/query': same('queryId query displayLayout enhancedPagination'),
  'core/social-links': same(
    'openInNewTab showLabels iconColor iconColorValue iconBackgroundColor iconBackgroundColorValue',
  ),
  'core/terms-query': same('termQuery'),
};

function same(names: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, name]));
}

export function scopeWithin(name: string, attributes: JsonMap, scope: Scope): Scope {
  const names = told[name];
  if (names === undefined) return scope;
  const within = new Map(scope);
  for (const [key, attribute] of Object.entries(names)) within.set(key, attributes.get(attribute) ?? null);
  return within;
}
