import { Edits } from '../edits.ts';
import { filterMarkup } from '../filter.ts';
import { escapeAttribute } from '../references.ts';
import { nextTag } from '../tags.ts';

const SOME = /[[\]]/;

/**
 * Hides all brackets in tags and comments, so that no shortcode starts or ends there. `change` is applied first to each tag with brackets.
 */
export function changeTags(html: string, change: (tag: string) => string = (tag) => tag): string {
  // Existing references to brackets are spelled differently, so that restoring the hidden brackets leaves them unchanged.
  const text = html.includes('&#9') ? html.replaceAll('&#91;', '&#091;').replaceAll('&#93;', '&#093;') : html;
  const edits = new Edits(text);
  for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', start)) {
    const end = tagEnd(text, start);
    const tag = text.slice(start, end);
    if (SOME.test(tag)) edits.replace(start, end, hideBrackets(isTag(tag) ? change(tag) : tag));
    start = end;
  }
  return edits.finish();
}

export function showBrackets(html: string): string {
  return html.replaceAll('&#91;', '[').replaceAll('&#93;', ']');
}

/** Applies `replace` to the attributes of a tag. Changed values are escaped and filtered, so that the attributes remain valid. */
export function replaceInAttributes(tag: string, replace: (text: string) => string): string {
  const read = nextTag(tag, 0);
  if (read === null) return tag;
  const edits = new Edits(tag);
  for (const { name, raw, start, end } of read.attributes) {
    if (raw === null || !raw.includes('[') || !raw.includes(']')) continue;
    const changed = replace(raw);
    if (changed === raw) continue;
    const quote = tag.slice(start, end).includes("'") && !tag.slice(start, end).includes('"') ? "'" : '"';
    const filtered = filterAttribute(read.name, `${name}="${escapeAttribute(changed)}"`);
    if (filtered !== '') edits.replace(start, end, filtered.replaceAll('"', quote));
  }
  return edits.finish();
}

/** Filters an attribute of untrusted origin; '' if nothing remains. */
function filterAttribute(element: string, attribute: string): string {
  return /^<\S+ (.*?) ?\/?>/s.exec(filterMarkup(`<${element} ${attribute}>`))?.[1] ?? '';
}

function isTag(tag: string): boolean {
  return !tag.startsWith('<!');
}

function tagEnd(html: string, start: number): number {
  const closer = html.startsWith('<!--', start) ? '-->' : html.startsWith('<![CDATA[', start) ? ']]>' : '>';
  const end = html.indexOf(closer, start + 1);
  return end < 0 ? html.length : end + closer.length;
}

function hideBrackets(tag: string): string {
  return tag.replaceAll('[', '&#91;').replaceAll(']', '&#93;');
}
