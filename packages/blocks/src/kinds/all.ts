import { isNumber, textAt } from '../attributes.ts';
import { filterMarkup } from '../filter.ts';
import { readFootnotes } from '../footnotes.ts';
import { paragraphs } from '../paragraphs.ts';
import { encodeAttribute } from '../references.ts';
import { wrapperAttributes } from '../supports/wrapper.ts';
import { nextTag, nextToken } from '../tags.ts';
import { accordion, accordionHeading, accordionItem, accordionPanel, tabs } from './accordion.ts';
import { file, galleryKind, image } from './image.ts';
import { addClassTo, isOnlyComments, type Kind, type KindParts, ownMarkup } from './kind.ts';

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const PLAIN: Kind = {};
const button: Kind = { open: ({ parts }) => (isEmpty(parts) ? null : parts) };

/** A query whose pages are switched without reloading the document. */
const query: Kind = {
  close: ({ attributes, outer }) => {
    const id = attributes.get('queryId');
    const name = isNumber(id) ? id.number : textAt(attributes, 'queryId');
    if (attributes.get('enhancedPagination') !== true || name === undefined) return;
    outer?.change({
      set: {
        'data-wp-context': '{}',
        'data-wp-interactive': 'core/query',
        'data-wp-key': name,
        'data-wp-router-region': `query-${name}`,
      },
    });
  },
};

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>(
  Object.entries({
    accordion,
    'accordion-heading': accordionHeading,
    'accordion-item': accordionItem,
    'accordion-panel': accordionPanel,
    button,
    details: { hides: (attributes) => attributes.get('showContent') !== true },
    file,
    footnotes: {
      open: (_, attributes, { footnotes }) => [
        renderFootnotes(footnotes, wrapperAttributes('core/footnotes', attributes)),
      ],
    },
    gallery: galleryKind,
    heading: { open: ({ parts }) => addClassTo(parts, HEADINGS, 'wp-block-heading') },
    image,
    list: { open: ({ parts }) => addClassTo(parts, ['ul', 'ol'], 'wp-block-list') },
    paragraph: {
      marks: ({ name }) => (name === 'p' ? 'p' : null),
      finish: ({ place, find }) => find('p', place)?.tag.change({ classes: ['wp-block-paragraph'] }),
    },
    query,
    shortcode: { open: ({ parts }) => [paragraphs(ownMarkup(parts))] },
    tabs,
  } satisfies Readonly<Record<string, Kind>>).map(([name, kind]) => [`core/${name}`, kind]),
);

/** The kind that defines how a block's markup changes; most leave it unchanged. */
export function blockKindOf(name: string): Kind {
  return KINDS.get(name) ?? PLAIN;
}

/** Kinds that define `open` only. */
const OPENING: ReadonlySet<Kind> = new Set(
  [PLAIN, ...KINDS.values()].filter((kind) => Object.keys(kind).every((key) => key === 'open')),
);

export function onlyOpens(kind: Kind): boolean {
  return OPENING.has(kind);
}

function isEmpty(parts: KindParts): boolean {
  const html = ownMarkup(parts);
  if (nextTag(html, 0) === null) return false;
  for (let tag = nextTag(html, 0); tag !== null; tag = nextTag(html, tag.end)) {
    if (tag.name !== 'a' && tag.name !== 'button') continue;
    const end = nextToken(html, tag.end);
    return end !== null && end.name === tag.name && isOnlyComments(html.slice(tag.end, end.start));
  }
  return true;
}

/** Renders the footnote list at the end of a text, each note with a link back to its mark. `wrapper`: attributes of the list's element. */
function renderFootnotes(json: string, wrapper = 'class="wp-block-footnotes"'): string {
  const notes = json === '' ? null : readFootnotes(json);
  if (notes === null || notes.length === 0) return '';
  const items = notes.map(({ id, content }, i) => {
    const name = encodeAttribute(id);
    const label = `Jump to footnote reference ${i + 1}`;
    return `<li id="${name}">${filterMarkup(content)} <a href="#${name}-link" aria-label="${label}">↩︎</a></li>`;
  });
  return `<ol ${wrapper}>${items.join('')}</ol>`;
}
