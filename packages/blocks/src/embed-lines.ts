import { Edits } from './edits.ts';
import { escapeAddress } from './escape-address.ts';
import { escapeAttribute } from './references.ts';
import type { Embed } from './server-blocks.ts';
import { runShortcodesInText } from './shortcodes/run.ts';

const LINE = /(?<=^|\n)[ \t\r\v\f]*(https?:\/\/[^\s<>"]+)[ \t\r\v\f]*(?=\n|$)/gi;
const PARAGRAPH = /(?<=<p(?: [^>]{0,200})?>)\s*(https?:\/\/[^\s<>"]+)\s*(?=<\/p>)/gi;

/**
 * Replaces addresses with their embeds: those in `[embed]`, and those alone on a line or in a paragraph. An unknown address in `[embed]`
 * becomes a link; on a line it is unchanged.
 */
export function embedAddresses(text: string, embed: Embed): string {
  const worded = runShortcodesInText(
    text,
    ({ attributes, content }) => {
      const address = content || (attributes.get('src') ?? '');
      const sizes = { width: attributes.get('width') ?? '', height: attributes.get('height') ?? '' };
      return address === '' ? '' : (embed(address, sizes) ?? linkTo(address));
    },
    ['embed'],
  );
  return embedLines(embedLines(worded, LINE, embed), PARAGRAPH, embed);
}

function linkTo(address: string): string {
  return `<a href="${escapeAddress(address)}">${escapeAttribute(address)}</a>`;
}

function embedLines(text: string, pattern: RegExp, embed: Embed): string {
  if (!/https?:/i.test(text)) return text;
  const edits = new Edits(text);
  const isInTag = tagFinder(text);
  for (const found of text.matchAll(pattern)) {
    const [whole, address = ''] = found;
    const start = found.index + whole.indexOf(address);
    const made = isInTag(start) ? null : embed(address, {});
    if (made !== null) edits.replace(start, start + address.length, made);
  }
  return edits.finish();
}

function tagFinder(text: string): (place: number) => boolean {
  let start = text.indexOf('<');
  let end = endOfTag(text, start);
  return (place) => {
    while (start >= 0 && end < place) {
      start = text.indexOf('<', end);
      end = endOfTag(text, start);
    }
    return start >= 0 && start < place;
  };
}

function endOfTag(text: string, start: number): number {
  const end = start < 0 ? -1 : text.indexOf(text.startsWith('<!--', start) ? '-->' : '>', start);
  return end < 0 ? text.length : end;
}
