export type Support = 'align' | 'anchor' | 'background' | 'border' | 'color' | 'spacing' | 'typography';

const ALL: readonly Support[] = ['anchor', 'border', 'color', 'spacing', 'typography'];
const EVERYTHING: ReadonlySet<Support> = new Set([...ALL, 'align']);

const list = (names: string, supports: readonly Support[]): readonly (readonly [string, ReadonlySet<Support>])[] =>
  names.split(' ').map((name) => [`core/${name}`, new Set(supports)] as const);

/** Server-rendered blocks that support only some features. */
const SUPPORTS: ReadonlyMap<string, ReadonlySet<Support>> = new Map([
  ...list('avatar site-logo', ['align', 'anchor', 'spacing']),
  ...list('calendar', ['align', 'anchor', 'typography']),
  ...list('comments-pagination query-pagination query-no-results', ['align', 'anchor', 'color', 'typography']),
  ...list('comments-pagination-next comments-pagination-numbers comments-pagination-previous', [
    ...(['anchor', 'background', 'typography'] as const),
  ]),
  ...list('query-pagination-next query-pagination-numbers query-pagination-previous', [
    ...(['anchor', 'background', 'typography'] as const),
  ]),
  ...list('comment-template', ['align', 'anchor', 'border', 'spacing', 'typography']),
  ...list('home-link navigation-link navigation-submenu', ['anchor', 'typography']),
  ...list('navigation', ['align', 'anchor', 'typography']),
  ...list('post-featured-image', ['align', 'anchor', 'spacing']),
  ...list('search', ['align', 'anchor', 'spacing']),
  ...list('social-link', ['anchor']),
  ...list('tag-cloud', ['align', 'anchor', 'border', 'spacing', 'typography']),
  ...list('template-part', ['align', 'anchor']),
  ...list('comment-author-name comment-content comment-date comment-edit-link comment-reply-link', ALL),
  ...list('footnotes loginout page-list post-author-name post-comments-form post-date read-more', ALL),
]);

/** The features that a block supports; most server-rendered blocks support all. */
export function supportsOf(name: string): ReadonlySet<Support> {
  return SUPPORTS.get(name) ?? EVERYTHING;
}
