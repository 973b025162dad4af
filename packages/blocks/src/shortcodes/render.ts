import { trimText } from '../blank.ts';
import type { Counters } from '../counters.ts';
import { Edits } from '../edits.ts';
import { filterMarkup } from '../filter.ts';
import { escapeAttribute } from '../references.ts';
import { hasShortcodes, type PlacedShortcode, type Shortcode, ShortcodeReader } from '../shortcode.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Run, readWhole, runShortcodes } from './run.ts';

const LINK_END = /\s*<\/a>/iy;
const OPENING = /<p>(?:[\r\n\t ]|\u00a0|&nbsp;)*(?=\[(?!\[))/g;
const CLOSING = /(?:[\r\n\t ]|\u00a0|&nbsp;)*<\/p>/y;

export function renderShortcodes(html: string, { counters, server }: Surroundings): string {
  const run: Run = (shortcode) => {
    if (shortcode.name === 'embed') return '';
    if (shortcode.name !== 'caption' && shortcode.name !== 'wp_caption') return server?.shortcode(shortcode) ?? '';
    return caption(shortcode, counters, (picture) => runShortcodes(picture, run));
  };
  return runShortcodes(html, run);
}

/** Renders a captioned picture; `run` renders the shortcodes in it. */
function caption({ attributes, content }: Shortcode, counters: Counters, run: (html: string) => string): string {
  const { picture, text } = parts(attributes.get('caption'), content ?? '');
  const width = readWhole(attributes.get('width') ?? '');
  if (width < 1 || text === '' || text === '0') return picture;
  const given = className(attributes.get('id') ?? '');
  const id = given === '' ? '' : counters.distinct(given);
  const captionId =
    className(attributes.get('caption_id') ?? '') || (id === '' ? '' : `caption-${id.replaceAll('_', '-')}`);
  const classes = `wp-caption ${attributes.get('align') ?? 'alignnone'} ${attributes.get('class') ?? ''}`;
  const figure = [
    id === '' ? '' : `id="${id}" `,
    captionId === '' ? '' : `aria-describedby="${captionId}" `,
    `style="width: ${width}px" class="${escapeAttribute(trimText(classes))}"`,
  ];
  const name = captionId === '' ? '' : `id="${captionId}" `;
  return `<figure ${figure.join('')}>${run(picture)}<figcaption ${name}class="wp-caption-text">${text}</figcaption></figure>`;
}

function parts(given: string | undefined, content: string): { readonly picture: string; readonly text: string } {
  if (given !== undefined) return { picture: content, text: given.includes('<') ? filterMarkup(given) : given };
  const image = content.search(/<img /i);
  const imageEnd = image < 0 ? -1 : content.indexOf('>', image + 6);
  if (imageEnd < 0) return { picture: content, text: '' };
  LINK_END.lastIndex = imageEnd + 1;
  const end = LINK_END.test(content) ? LINK_END.lastIndex : imageEnd + 1;
  return { picture: content.slice(linkBefore(content, image), end), text: trimText(content.slice(end)) };
}

/** Start of a link tag directly before an offset; the offset itself if there is none. */
function linkBefore(content: string, place: number): number {
  const before = content.slice(0, place).trimEnd();
  if (!before.endsWith('>')) return place;
  const from = before.lastIndexOf('>', before.length - 2) + 1;
  const link = before.slice(from).search(/<a [^>]/i);
  return link < 0 ? place : from + link;
}

function className(name: string): string {
  return name.replace(/%[a-fA-F0-9]{2}/g, '').replace(/[^A-Za-z0-9_-]/g, '');
}

/** Unwraps a paragraph that contains only a known shortcode, with or without content. */
export function unwrapShortcodes(html: string): string {
  if (!hasShortcodes(html)) return html;
  const reader = new ShortcodeReader(html);
  const edits = new Edits(html);
  const ends = new Map<number, number | null>();
  let done = 0;
  for (const found of html.matchAll(OPENING)) {
    const start = found.index + found[0].length;
    const shortcode = found.index < done ? null : reader.at(start);
    const end = shortcode === null ? null : endOfParagraph(html, shortcode, ends);
    if (end === null) continue;
    edits.replace(found.index, start, '');
    edits.replace(end.shortcode, end.paragraph, '');
    done = end.paragraph;
  }
  return edits.finish();
}

/** `ends`: known ends of paragraphs, by where they were searched from, because many shortcodes can share one. */
function endOfParagraph(html: string, { openEnd, bareEnd }: PlacedShortcode, ends: Map<number, number | null>) {
  for (const shortcode of [bareEnd, openEnd]) {
    let paragraph = ends.get(shortcode);
    if (paragraph === undefined) {
      CLOSING.lastIndex = shortcode;
      paragraph = CLOSING.test(html) ? CLOSING.lastIndex : null;
      ends.set(shortcode, paragraph);
    }
    if (paragraph !== null) return { shortcode, paragraph };
  }
  return null;
}
