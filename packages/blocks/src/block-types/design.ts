import {
  type BlockType,
  completed,
  each,
  flag,
  htmlAttribute,
  listAttribute,
  made,
  number,
  of,
  off,
  on,
  oneOf,
  rich,
  stored,
  textAttribute,
  usually,
} from './block-type.ts';

const block = stored('design');
const server = made('design');
const enriched = completed('design');
const target = { url: textAttribute, rel: textAttribute, title: textAttribute, opensInNewTab: off };
const menuItem = {
  label: textAttribute,
  type: textAttribute,
  description: textAttribute,
  id: number,
  kind: textAttribute,
  isTopLevelLink: flag,
  ...target,
};

/** Layout blocks and menu items. */
export const designBlocks: readonly BlockType[] = [
  block('buttons', 'Buttons', 'Buttons in a row or column.', {
    keywords: 'link',
    supports: 'wide anchor colour-text-link border spacing+blockGap type interactive -html',
    allowed: 'button',
    layout: 'flex',
    gap: '16px',
  }),
  enriched('button', 'Button', 'A link that looks like a button.', {
    keywords: 'link',
    attributes: {
      tagName: usually(oneOf('a', 'button'), 'a'),
      type: usually(textAttribute, 'button'),
      textAlign: textAttribute,
      url: of('a', 'href'),
      title: of('a,button', 'title'),
      text: rich('a,button'),
      placeholder: textAttribute,
      linkTarget: of('a', 'target'),
      rel: of('a', 'rel'),
      width: number,
    },
    supports:
      'anchor colour-link! border! spacing-margin! type+textAlign+writingMode!fontSize,lineHeight,textAlign,fontFamily,fontWeight,fontStyle,textTransform,textDecoration,letterSpacing size-minHeight+width!width shadow! interactive -reuse',
    parent: 'buttons',
    styles: 'fill outline',
  }),
  block('columns', 'Columns', 'Columns side by side.', {
    attributes: { verticalAlignment: textAttribute, isStackedOnMobile: on, templateLock: textAttribute },
    supports: 'wide anchor colour+heading+button border spacing+blockGap type shadow interactive -html',
    allowed: 'column',
    layout: 'flex nowrap',
    gap: 'var(--wp--preset--spacing--50)',
  }),
  block('column', 'Column', 'One of several columns.', {
    attributes: { verticalAlignment: textAttribute, width: textAttribute, templateLock: textAttribute },
    supports: 'anchor colour+heading+button border spacing-margin+blockGap type shadow interactive -html -reuse',
    parent: 'columns',
    layout: 'flow',
  }),
  block('group', 'Group', 'Holds blocks together: one below the other, in a row, or in a grid.', {
    keywords: 'container, wrapper, row, section',
    attributes: { tagName: usually(textAttribute, 'div'), templateLock: textAttribute, allowedBlocks: listAttribute },
    supports:
      'wide anchor colour+heading+button border spacing+blockGap type size+minWidth background shadow sticky interactive -html',
    layout: 'flow',
  }),
  block('more', 'More', 'What stands before it is shown in lists.', {
    keywords: 'read more',
    attributes: { customText: usually(textAttribute, ''), noTeaser: off },
    supports: 'interactive -html -class -own -many',
  }),
  block('nextpage', 'Page Break', 'Begins the next page of the post.', {
    keywords: 'next page, pagination',
    supports: 'interactive -html -class -own',
    parent: 'post-content',
  }),
  block('separator', 'Separator', 'A line between two parts.', {
    keywords: 'horizontal-line, hr, divider',
    attributes: { opacity: usually(textAttribute, 'alpha-channel'), tagName: usually(oneOf('hr', 'div'), 'hr') },
    supports: 'align=center,wide,full anchor colour-text-link! spacing-padding interactive',
    styles: 'default wide dots',
  }),
  block('spacer', 'Spacer', 'Empty space.', {
    attributes: { height: usually(textAttribute, '100px'), width: textAttribute },
    supports: 'anchor spacing-padding interactive',
    uses: 'orientation',
  }),
  block(
    'text-columns',
    'Text Columns (deprecated)',
    'Text in columns, as it was made before there were columns of blocks.',
    {
      attributes: {
        content: usually(each('p', { children: htmlAttribute() }), [{}, {}]),
        columns: usually(number, 2),
        width: textAttribute,
      },
      supports: 'interactive -insert',
    },
  ),
  enriched('accordion', 'Accordion', 'Sections that readers open one by one.', {
    attributes: {
      iconPosition: usually(oneOf('left', 'right'), 'right'),
      showIcon: on,
      autoclose: off,
      headingLevel: usually(number, 3),
      levelOptions: listAttribute,
    },
    supports: 'wide anchor colour-link border spacing+blockGap type background shadow interactive -html',
    allowed: 'accordion-item',
    provides: {
      'core/accordion-icon-position': 'iconPosition',
      'core/accordion-show-icon': 'showIcon',
      'core/accordion-heading-level': 'headingLevel',
    },
    layout: 'flow',
  }),
  enriched('accordion-item', 'Accordion Item', 'One section: a heading and what it opens.', {
    attributes: { openByDefault: off },
    supports: 'colour-link border spacing+blockGap type shadow interactive -html',
    parent: 'accordion',
    allowed: 'accordion-heading accordion-panel',
    provides: { 'core/accordion-open-by-default': 'openByDefault' },
    layout: 'flow',
  }),
  enriched('accordion-heading', 'Accordion Heading', 'Opens a section.', {
    attributes: {
      title: rich('.wp-block-accordion-heading__toggle-title'),
      level: number,
      openByDefault: off,
      iconPosition: usually(oneOf('left', 'right'), 'right'),
      showIcon: on,
    },
    supports:
      'anchor colour-link border spacing-margin! type-lineHeight!textDecoration,letterSpacing shadow interactive',
    parent: 'accordion-item',
    uses: 'core/accordion-icon-position core/accordion-show-icon core/accordion-heading-level',
  }),
  enriched('accordion-panel', 'Accordion Panel', 'What a section holds.', {
    attributes: { templateLock: usually(textAttribute, false), openByDefault: off, isSelected: off },
    supports: 'colour-link border spacing-margin+blockGap type shadow interactive -html',
    parent: 'accordion-item',
    uses: 'core/accordion-open-by-default',
    layout: 'flow',
  }),
  enriched('tabs', 'Tabs', 'Panels of which one is open.', {
    attributes: {
      tabsId: textAttribute,
      orientation: usually(oneOf('horizontal', 'vertical'), 'horizontal'),
      activeTabIndex: usually(number, 0),
    },
    supports:
      'align anchor colour-gradients-link spacing+blockGap type-lineHeight-fontStyle-fontWeight-letterSpacing-textDecoration-textTransform interactive -html',
    layout: 'flow',
  }),
  enriched('tab-list', 'Tab List', 'Opens the panels.', {
    supports:
      'colour-gradients-link! border! spacing-margin+blockGap!padding type-lineHeight-fontStyle-fontWeight-letterSpacing-textDecoration-textTransform -html',
    parent: 'tabs',
    layout: 'flex wrap',
  }),
  block('tab-panels', 'Tab Panels', 'Holds the panels.', {
    supports:
      'colour-gradients+heading border spacing-margin type-lineHeight-fontStyle-fontWeight-letterSpacing-textDecoration-textTransform -html',
    parent: 'tabs',
    allowed: 'tab-panel',
  }),
  enriched('tab-panel', 'Tab Panel', 'What a tab opens.', {
    attributes: { label: usually(textAttribute, '') },
    supports:
      'anchor colour-gradients-link spacing-margin+blockGap type-lineHeight-fontStyle-fontWeight-letterSpacing-textDecoration-textTransform -html',
    parent: 'tab-panels',
    layout: 'flow',
  }),
  server('home-link', 'Home Link', 'Leads to the front page.', {
    attributes: { label: textAttribute },
    supports: 'anchor type interactive -html -reuse',
    parent: 'navigation',
    uses: 'textColor customTextColor backgroundColor customBackgroundColor fontSize customFontSize style',
  }),
  server('navigation-link', 'Custom Link', 'An item of a menu.', {
    attributes: menuItem,
    supports: 'anchor type interactive -html -reuse',
    parent: 'navigation',
    uses: 'textColor customTextColor backgroundColor customBackgroundColor overlayTextColor showSubmenuIcon maxNestingLevel style',
  }),
  server('navigation-submenu', 'Submenu', 'An item of a menu with items below it.', {
    attributes: { ...menuItem, isTopLevelItem: flag },
    supports: 'anchor type interactive -html -reuse',
    parent: 'navigation',
    uses: 'textColor customTextColor backgroundColor customBackgroundColor showSubmenuIcon maxNestingLevel openSubmenusOnClick style',
  }),
];
