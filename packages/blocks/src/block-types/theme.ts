import {
  type BlockType,
  completed,
  flag,
  listAttribute,
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

const block = stored('theme');
const server = made('theme');
const enriched = completed('theme');
const usual = 'anchor colour border spacing type interactive -html';
const titled = {
  level: usually(number, 1),
  levelOptions: usually(listAttribute, [0, 1, 2, 3, 4, 5, 6]),
  textAlign: textAttribute,
};
const linked = { isLink: on, linkTarget: usually(textAttribute, '_self') };

/** Blocks that show the site, its menus and its users. */
export const themeBlockTypes: readonly BlockType[] = [
  server('avatar', 'Avatar', 'The picture of a user.', {
    attributes: { userId: number, size: usually(number, 96), isLink: off, linkTarget: usually(textAttribute, '_self') },
    supports: 'align anchor border spacing interactive -html',
    renders: 'align anchor spacing',
    uses: 'postType postId commentId',
  }),
  server('loginout', 'Login/out', 'Leads to where users log in, or out.', {
    keywords: 'login, logout, form',
    attributes: { displayLoginAsForm: off, redirectToCurrent: on },
    supports: `${usual} -class`,
  }),
  server('navigation', 'Navigation', 'A menu.', {
    keywords: 'menu, links',
    attributes: {
      ...{
        ref: number,
        textColor: textAttribute,
        customTextColor: textAttribute,
        rgbTextColor: textAttribute,
        backgroundColor: textAttribute,
      },
      ...{
        customBackgroundColor: textAttribute,
        rgbBackgroundColor: textAttribute,
        showSubmenuIcon: on,
        openSubmenusOnClick: off,
      },
      ...{
        overlayMenu: usually(textAttribute, 'mobile'),
        icon: usually(textAttribute, 'handle'),
        hasIcon: on,
        __unstableLocation: textAttribute,
      },
      ...{
        overlayBackgroundColor: textAttribute,
        customOverlayBackgroundColor: textAttribute,
        overlayTextColor: textAttribute,
      },
      ...{
        customOverlayTextColor: textAttribute,
        maxNestingLevel: usually(number, 5),
        templateLock: textAttribute,
        ariaLabel: textAttribute,
      },
    },
    supports: 'wide anchor gap layout type interactive -html',
    renders: 'align anchor typography',
    allowed:
      'navigation-link search social-links page-list spacer home-link site-title site-logo navigation-submenu loginout buttons',
    provides: {
      ...{ textColor: 'textColor', customTextColor: 'customTextColor', backgroundColor: 'backgroundColor' },
      ...{ customBackgroundColor: 'customBackgroundColor', overlayTextColor: 'overlayTextColor' },
      ...{ fontSize: 'fontSize', customFontSize: 'customFontSize', showSubmenuIcon: 'showSubmenuIcon' },
      ...{ openSubmenusOnClick: 'openSubmenusOnClick', style: 'style', maxNestingLevel: 'maxNestingLevel' },
    },
    layout: 'flex',
  }),
  server('pattern', 'Pattern Placeholder', 'Shows a registered pattern.', {
    attributes: { slug: textAttribute },
    supports: '-html -insert interactive',
    renders: 'align anchor border color spacing typography',
  }),
  server('site-logo', 'Site Logo', 'The logo of the site.', {
    attributes: { width: number, isLink: on, linkTarget: usually(textAttribute, '_self'), shouldSyncIcon: flag },
    supports: 'align anchor spacing interactive -html',
    styles: 'default rounded',
  }),
  server('site-tagline', 'Site Tagline', 'What the site is about, in a few words.', {
    keywords: 'description',
    attributes: { ...titled, level: usually(number, 0) },
    supports: `wide ${usual}`,
  }),
  server('site-title', 'Site Title', 'The name of the site.', {
    attributes: { ...titled, ...linked },
    supports: `wide ${usual}`,
  }),
  server('template-part', 'Template Part', 'A part that several templates have.', {
    attributes: { slug: textAttribute, theme: textAttribute, tagName: textAttribute, area: textAttribute },
    supports: 'align anchor interactive -html -reuse',
  }),
  server('breadcrumbs', 'Breadcrumbs', 'The way from the front page to the present one.', {
    attributes: {
      ...{ prefersTaxonomy: off, separator: usually(textAttribute, '/'), showHomeItem: on, showCurrentItem: on },
      showOnHomePage: off,
    },
    supports: `align ${usual}`,
    uses: 'postId postType templateSlug',
  }),
  server('term-description', 'Term Description', 'What a term is about.', {
    attributes: { textAlign: textAttribute },
    supports: `wide ${usual}`,
    uses: 'termId taxonomy',
  }),
  server('term-name', 'Term Name', 'The name of a term.', {
    attributes: { textAlign: textAttribute, level: usually(number, 0), isLink: off, levelOptions: listAttribute },
    supports: `wide ${usual}`,
    uses: 'termId taxonomy termData',
  }),
  server('term-count', 'Term Count', 'How many posts have a term.', {
    attributes: { bracketType: usually(textAttribute, 'round') },
    supports: usual,
    renders: 'align anchor border color spacing typography',
    uses: 'termId taxonomy termData',
  }),
  server('term-template', 'Term Template', 'How each term of a list is shown.', {
    supports: 'wide anchor colour border gap layout type interactive -html -reuse',
    ancestor: 'terms-query',
    uses: 'termQuery',
    layout: 'flow',
  }),
  block('terms-query', 'Terms Query', 'Lists terms.', {
    keywords: 'terms, taxonomy, categories, tags, list',
    attributes: {
      termQuery: usually(object, {
        ...{ perPage: 10, taxonomy: 'category', order: 'asc', orderBy: 'name', include: [], hideEmpty: true },
        ...{ showNested: false, inherit: false },
      }),
      tagName: usually(textAttribute, 'div'),
    },
    supports: 'wide anchor layout interactive -html',
    uses: 'templateSlug',
    provides: { termQuery: 'termQuery' },
    layout: 'flow',
  }),
  enriched('query', 'Query Loop', 'Lists entries.', {
    keywords: 'posts, list, blog, blogs, custom post types',
    attributes: {
      queryId: number,
      query: usually(object, {
        ...{ perPage: null, pages: 0, offset: 0, postType: 'post', order: 'desc', orderBy: 'date', author: '' },
        ...{ search: '', exclude: [], sticky: '', inherit: true, taxQuery: null, parents: [], format: [] },
      }),
      ...{ tagName: usually(textAttribute, 'div'), namespace: textAttribute, enhancedPagination: off },
    },
    supports: 'wide anchor layout interactive -html',
    renders: 'align anchor border color spacing typography',
    uses: 'templateSlug',
    provides: {
      ...{ queryId: 'queryId', query: 'query' },
      displayLayout: 'displayLayout',
      enhancedPagination: 'enhancedPagination',
    },
    layout: 'flow',
  }),
  server('query-no-results', 'No Results', 'Shown where a list is empty.', {
    supports: 'align anchor colour type interactive -html -reuse',
    ancestor: 'query',
    uses: 'queryId query',
  }),
  server('query-pagination', 'Pagination', 'Leads to the other pages of a list.', {
    attributes: { paginationArrow: usually(textAttribute, 'none'), showLabel: on },
    supports: 'align anchor colour layout type interactive -html -reuse',
    ancestor: 'query',
    uses: 'queryId query',
    allowed: 'query-pagination-previous query-pagination-numbers query-pagination-next',
    provides: { paginationArrow: 'paginationArrow', showLabel: 'showLabel' },
    layout: 'flex',
  }),
  ...(['next', 'previous'] as const).map((way) =>
    server(
      `query-pagination-${way}`,
      way === 'next' ? 'Next Page' : 'Previous Page',
      `Leads to the ${way} page of a list.`,
      {
        attributes: { label: textAttribute },
        supports: 'anchor colour type interactive -html -reuse',
        renders: 'anchor background typography',
        parent: 'query-pagination',
        uses: 'queryId query paginationArrow showLabel enhancedPagination',
      },
    ),
  ),
  server('query-pagination-numbers', 'Page Numbers', 'Leads to each page of a list.', {
    attributes: { midSize: usually(number, 2) },
    supports: 'anchor colour type interactive -html -reuse',
    renders: 'anchor background typography',
    parent: 'query-pagination',
    uses: 'queryId query enhancedPagination',
  }),
  server('query-title', 'Query Title', 'What a list shows.', {
    attributes: { type: textAttribute, ...titled, showPrefix: on, showSearchTerm: on },
    supports: `wide ${usual}`,
    uses: 'query',
  }),
  server('query-total', 'Query Total', 'How many entries a list has.', {
    attributes: { displayType: usually(oneOf('total-results', 'range-display'), 'total-results') },
    supports: `wide ${usual}`,
    ancestor: 'query',
    uses: 'queryId query',
  }),
];
