import {
  type BlockType,
  between,
  completed,
  flag,
  made,
  number,
  object,
  off,
  on,
  oneOf,
  stored,
  textAttribute,
  usually,
} from './block-type.ts';

const block = stored('widgets');
const server = made('widgets');
const enriched = completed('widgets');
const usual = 'align anchor colour border spacing type interactive -html';

/** Blocks that show lists and other content of the site. */
export const widgetBlocks: readonly BlockType[] = [
  server('archives', 'Archives', 'Months in which something was published.', {
    attributes: {
      ...{ displayAsDropdown: off, showLabel: on, showPostCounts: off, type: usually(textAttribute, 'monthly') },
    },
    supports: usual,
  }),
  server('calendar', 'Calendar', 'The days of a month on which something was published.', {
    keywords: 'posts, archive',
    attributes: { month: { type: 'integer' }, year: { type: 'integer' } },
    supports: 'align anchor plainColour type interactive',
    renders: 'align anchor typography',
  }),
  server('categories', 'Terms List', 'Categories, or terms of another taxonomy.', {
    keywords: 'categories',
    attributes: {
      ...{
        taxonomy: usually(textAttribute, 'category'),
        displayAsDropdown: off,
        showHierarchy: off,
        showPostCounts: off,
      },
      ...{ showOnlyTopLevel: off, showEmpty: off, label: textAttribute, showLabel: on },
    },
    supports: usual,
    uses: 'enhancedPagination',
  }),
  block('html', 'Custom HTML', 'Markup as it is written.', {
    keywords: 'embed',
    attributes: { content: { type: 'string', source: 'raw' } },
    supports: '-own -class -html interactive',
  }),
  server('icon', 'Icon', 'A small drawing.', {
    keywords: 'symbol, svg',
    attributes: { icon: textAttribute, ariaLabel: textAttribute },
    supports: 'align anchor colour border spacing interactive -html',
    renders: 'align anchor border color spacing typography',
  }),
  server('latest-comments', 'Latest Comments', 'The comments that came last.', {
    keywords: 'recent comments',
    attributes: {
      ...{ commentsToShow: usually(between(1, 100), 5), displayAvatar: on, displayDate: on, displayExcerpt: on },
      displayContent: usually(oneOf('none', 'excerpt', 'full'), 'excerpt'),
    },
    supports: usual,
  }),
  server('latest-posts', 'Latest Posts', 'The posts that came last.', {
    keywords: 'recent posts',
    attributes: {
      ...{ categories: { type: 'array', items: { type: 'object' } }, selectedAuthor: number },
      ...{
        postsToShow: usually(number, 5),
        displayPostContent: off,
        displayPostContentRadio: usually(textAttribute, 'excerpt'),
      },
      ...{
        excerptLength: usually(number, 55),
        displayAuthor: off,
        displayPostDate: off,
        postLayout: usually(textAttribute, 'list'),
      },
      ...{
        columns: usually(number, 3),
        order: usually(textAttribute, 'desc'),
        orderBy: usually(textAttribute, 'date'),
      },
      ...{ displayFeaturedImage: off, featuredImageAlign: oneOf('left', 'center', 'right') },
      ...{ featuredImageSizeSlug: usually(textAttribute, 'thumbnail'), featuredImageSizeWidth: usually(number, null) },
      ...{ featuredImageSizeHeight: usually(number, null), addLinkToFeaturedImage: off },
    },
    supports: usual,
    layout: 'flow',
  }),
  server('page-list', 'Page List', 'All pages, each below its parent.', {
    keywords: 'menu, navigation',
    attributes: { parentPageID: usually({ type: 'integer' }, 0), isNested: off },
    supports: 'anchor colour border spacing type interactive -reuse -html',
    uses: 'textColor customTextColor backgroundColor customBackgroundColor overlayTextColor showSubmenuIcon style openSubmenusOnClick',
    allowed: 'page-list-item',
  }),
  enriched('page-list-item', 'Page List Item', 'One page of a list of pages.', {
    keywords: 'page, menu, navigation',
    attributes: { id: number, label: textAttribute, title: textAttribute, link: textAttribute, hasChildren: flag },
    supports: '-reuse -html -insert interactive',
    renders: 'align anchor border color spacing typography',
    parent: 'page-list',
    uses: 'textColor customTextColor backgroundColor customBackgroundColor overlayTextColor showSubmenuIcon style openSubmenusOnClick',
  }),
  server('rss', 'RSS', 'Entries of a feed.', {
    keywords: 'atom, feed',
    attributes: {
      ...{
        columns: usually(number, 2),
        blockLayout: usually(textAttribute, 'list'),
        feedURL: usually(textAttribute, ''),
      },
      ...{ itemsToShow: usually(number, 5), displayExcerpt: off, displayAuthor: off, displayDate: off },
      ...{ excerptLength: usually(number, 55), openInNewTab: off, rel: textAttribute },
    },
    supports: usual,
  }),
  server('search', 'Search', 'A form that looks for words.', {
    keywords: 'find',
    attributes: {
      ...{
        label: textAttribute,
        showLabel: on,
        placeholder: usually(textAttribute, ''),
        width: number,
        widthUnit: textAttribute,
      },
      ...{ buttonText: textAttribute, buttonPosition: usually(textAttribute, 'button-outside'), buttonUseIcon: off },
      ...{ query: usually(object, {}), isSearchFieldHidden: off },
    },
    supports: 'sides anchor colour border margin type -html',
    renders: 'align anchor spacing',
  }),
  enriched('shortcode', 'Shortcode', 'Words in brackets that stand for something.', {
    attributes: { text: { type: 'string', source: 'raw' } },
    supports: '-class -own -html',
    renders: 'align anchor border color spacing typography',
  }),
  block('social-links', 'Social Icons', 'Icons that lead to profiles elsewhere.', {
    keywords: 'links',
    attributes: {
      ...{
        iconColor: textAttribute,
        customIconColor: textAttribute,
        iconColorValue: textAttribute,
        iconBackgroundColor: textAttribute,
      },
      ...{
        customIconBackgroundColor: textAttribute,
        iconBackgroundColorValue: textAttribute,
        openInNewTab: off,
        showLabels: off,
        size: textAttribute,
      },
    },
    supports: 'sides anchor border gap layout interactive',
    allowed: 'social-link',
    provides: {
      ...{ openInNewTab: 'openInNewTab', showLabels: 'showLabels', iconColor: 'iconColor' },
      ...{ iconColorValue: 'iconColorValue', iconBackgroundColor: 'iconBackgroundColor' },
      iconBackgroundColorValue: 'iconBackgroundColorValue',
    },
    styles: 'default logos-only pill-shape',
    layout: 'flex',
  }),
  server('social-link', 'Social Icon', 'An icon that leads to a profile elsewhere.', {
    attributes: { url: textAttribute, service: textAttribute, label: textAttribute, rel: textAttribute },
    supports: 'anchor -reuse -html interactive',
    parent: 'social-links',
    uses: 'openInNewTab showLabels iconColor iconColorValue iconBackgroundColor iconBackgroundColorValue',
  }),
  server('tag-cloud', 'Tag Cloud', 'Terms, the larger the more posts they have.', {
    attributes: {
      ...{
        numberOfTags: usually(between(1, 100), 45),
        taxonomy: usually(textAttribute, 'post_tag'),
        showTagCounts: off,
      },
      ...{ smallestFontSize: usually(textAttribute, '8pt'), largestFontSize: usually(textAttribute, '22pt') },
    },
    supports: 'align anchor border spacing type interactive -html',
    styles: 'default outline',
  }),
  enriched('legacy-widget', 'Legacy Widget', 'A widget that is no block.', {
    attributes: {
      id: usually(textAttribute, null),
      idBase: usually(textAttribute, null),
      instance: usually(object, null),
    },
    supports: '-html -own -reuse',
    renders: 'align anchor border color spacing typography',
  }),
  enriched('widget-group', 'Widget Group', 'Widgets below a title.', {
    attributes: { title: textAttribute },
    supports: '-html -insert',
    renders: 'align anchor border color spacing typography',
  }),
];
