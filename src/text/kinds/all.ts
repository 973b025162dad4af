import { renderFootnotes } from '../footnote-list.ts';
import { paragraphs } from '../paragraphs.ts';
import { wrapperAttributes } from '../supports/wrapper.ts';
import { accordion, accordionHeading, accordionItem, accordionPanel } from './accordion.ts';
import { button } from './button.ts';
import { file } from './file.ts';
import { galleryKind } from './gallery.ts';
import { image } from './image.ts';
import type { Kind } from './kind.ts';
import { addClassTo, ownMarkup } from './markup.ts';
import { query } from './query.ts';
import { tabs } from './tabs.ts';

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const PLAIN: Kind = {};

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
