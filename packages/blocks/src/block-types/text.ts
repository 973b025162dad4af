import {
  type BlockAttributeTypes,
  type BlockType,
  completed,
  each,
  flag,
  htmlAttribute,
  listAttribute,
  made,
  number,
  object,
  of,
  off,
  on,
  oneOf,
  ownAttribute,
  rich,
  stored,
  textAttribute,
  usually,
} from './block-type.ts';

const block = stored('text');
const enriched = completed('text');

const tableRow: BlockAttributeTypes = {
  cells: each('td,th', {
    content: { type: 'rich-text', source: 'rich-text' },
    tag: { type: 'string', source: 'tag', default: 'td' },
    scope: ownAttribute('scope'),
    align: ownAttribute('data-align'),
    colspan: ownAttribute('colspan'),
    rowspan: ownAttribute('rowspan'),
  }),
};

/** Blocks of running text. */
export const textBlocks: readonly BlockType[] = [
  block('paragraph', 'Paragraph', 'Running text.', {
    keywords: 'text',
    attributes: {
      align: textAttribute,
      content: rich('p'),
      dropCap: off,
      placeholder: textAttribute,
      direction: oneOf('ltr', 'rtl'),
    },
    supports:
      'wide anchor colour border spacing type+textAlign+textColumns+textIndent+writingMode+fitText interactive -class',
  }),
  enriched('heading', 'Heading', 'Titles a section, on one of six levels.', {
    keywords: 'title, subtitle',
    attributes: {
      textAlign: textAttribute,
      content: rich('h1,h2,h3,h4,h5,h6'),
      placeholder: textAttribute,
      level: usually(number, 2),
      levelOptions: listAttribute,
    },
    supports: 'wide anchor colour border spacing type+textAlign+writingMode+fitText interactive',
  }),
  enriched('list', 'List', 'Items with bullets or numbers.', {
    keywords: 'bullet list, ordered list, numbered list',
    attributes: {
      ordered: off,
      values: usually(htmlAttribute('ol,ul'), ''),
      type: textAttribute,
      start: number,
      reversed: flag,
      placeholder: textAttribute,
    },
    supports: 'anchor colour border spacing type interactive -html',
    allowed: 'list-item',
  }),
  block('list-item', 'List Item', 'One item of a list.', {
    attributes: { placeholder: textAttribute, content: rich('li') },
    supports: 'anchor colour border spacing type interactive -html -class',
    parent: 'list',
    allowed: 'list',
  }),
  block('quote', 'Quote', 'Words of somebody else, with where they come from.', {
    keywords: 'blockquote, cite',
    attributes: { value: usually(htmlAttribute('blockquote'), ''), citation: rich('cite'), textAlign: textAttribute },
    supports:
      'align=left,right,wide,full anchor colour+heading border spacing+blockGap type size background interactive -html',
    styles: 'default plain',
    layout: 'flow',
    gap: 'var(--wp--preset--spacing--30)',
  }),
  block('pullquote', 'Pullquote', 'Sets a sentence of the text apart.', {
    attributes: { value: rich('p'), citation: rich('cite'), textAlign: textAttribute },
    supports: 'align=left,right,wide,full anchor colour border spacing type+textAlign size background interactive',
  }),
  block('code', 'Code', 'Source code, with its spaces and line ends.', {
    attributes: { content: rich('code') },
    supports: 'align=wide anchor colour-link border spacing type interactive',
  }),
  block('preformatted', 'Preformatted', 'Text with its spaces and line ends.', {
    attributes: { content: rich('pre') },
    supports: 'anchor colour-link border spacing type interactive',
  }),
  block('verse', 'Poetry', 'Verses, line by line.', {
    keywords: 'poetry, poem',
    attributes: { content: rich('pre'), textAlign: textAttribute },
    supports: 'anchor colour border spacing type+textAlign+writingMode size background interactive',
  }),
  block('table', 'Table', 'Rows and columns, with head and foot.', {
    attributes: {
      hasFixedLayout: on,
      caption: rich('figcaption'),
      head: each('thead tr', tableRow),
      body: each('tbody tr', tableRow),
      foot: each('tfoot tr', tableRow),
    },
    supports: 'align anchor colour-link! border-radius! spacing type interactive',
    styles: 'regular stripes',
  }),
  block('details', 'Details', 'Text that readers open.', {
    keywords: 'summary, toggle, disclosure',
    attributes: {
      showContent: off,
      summary: rich('summary'),
      name: of('.wp-block-details', 'name'),
      allowedBlocks: listAttribute,
      placeholder: textAttribute,
    },
    supports: 'wide anchor colour border-radius spacing+blockGap type interactive -html',
    layout: 'flow',
  }),
  enriched('footnotes', 'Footnotes', 'The notes of the post, where they are shown.', {
    keywords: 'references',
    supports: 'anchor colour-gradients border spacing type+writingMode interactive -html -insert -reuse -many',
    uses: 'postId postType',
  }),
  block('math', 'Math', 'A formula.', {
    attributes: {
      latex: { ...textAttribute, source: 'text', selector: 'math annotation[encoding="application/x-tex"]' },
      mathML: htmlAttribute('math'),
    },
    supports:
      'anchor colour-link border spacing type-lineHeight-fontFamily-fontStyle-fontWeight-letterSpacing-textDecoration-textTransform -html',
  }),
  block('freeform', 'Classic', 'Markup without blocks.', {
    attributes: { content: { type: 'string', source: 'raw' } },
    supports: '-class -own -reuse',
  }),
  block('missing', 'Unsupported', 'A block of a type that is not known; it is kept as it is.', {
    attributes: {
      originalName: textAttribute,
      originalUndelimitedContent: textAttribute,
      originalContent: { type: 'string', source: 'raw' },
    },
    supports: 'interactive -html -class -own -insert -reuse',
  }),
  made('reusable')('block', 'Pattern', 'A pattern that is written once and shown in many places.', {
    keywords: 'reusable',
    attributes: { ref: number, content: usually(object, {}) },
    supports: 'interactive -html -own -insert',
    provides: { 'pattern/overrides': 'content' },
  }),
];
