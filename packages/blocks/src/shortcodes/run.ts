import { Edits } from '../edits.ts';
import { filterMarkup } from '../filter.ts';
import { escapeAttribute } from '../references.ts';
import {
  hasShortcodes,
  type PlacedShortcode,
  readShortcodeAttributes,
  type Shortcode,
  type ShortcodeName,
  ShortcodeReader,
  shortcodeNames,
} from '../shortcode.ts';
import { nextTag } from '../tags.ts';

export type Run = (shortcode: Shortcode) => string;

const SOME = /[[\]]/;

/** Replaces known shortcodes, including those in attributes of tags, but not in comments. */
export function runShortcodes(html: string, run: Run): string {
  if (!hasShortcodes(html)) return html;
  const put = putting(run);
  const hidden = changeTags(html, (tag) =>
    replaceInAttributes(tag, (text) => replaceShortcodes(text, shortcodeNames, put)),
  );
  return showBrackets(replaceShortcodes(hidden, shortcodeNames, put));
}

/** Replaces the named shortcodes, but none in tags. */
export function runShortcodesInText(html: string, run: Run, names: readonly ShortcodeName[]): string {
  if (!hasShortcodes(html)) return html;
  return showBrackets(replaceShortcodes(changeTags(html), names, putting(run)));
}

/** Removes known shortcodes with their content; an escaped one loses its escape. */
export function dropShortcodes(text: string): string {
  return hasShortcodes(text)
    ? showBrackets(
        replaceShortcodes(
          changeTags(text),
          shortcodeNames,
          putting(() => ''),
        ),
      )
    : text;
}

type Put = (shortcode: PlacedShortcode, found: string) => string;

function replaceShortcodes(text: string, names: readonly ShortcodeName[], put: Put): string {
  if (!text.includes('[')) return text;
  const reader = new ShortcodeReader(text, names);
  const edits = new Edits(text);
  for (let shortcode = reader.next(0); shortcode !== null; shortcode = reader.next(shortcode.end)) {
    edits.replace(shortcode.start, shortcode.end, put(shortcode, text.slice(shortcode.start, shortcode.end)));
  }
  return edits.finish();
}

function putting(run: Run): Put {
  return ({ name, said, content, before, after }, found) => {
    if (before && after) return found.slice(1, -1);
    const made = run({ name, attributes: readShortcodeAttributes(said), content });
    return `${before ? '[' : ''}${made}${after ? ']' : ''}`;
  };
}

/**
 * Hides all brackets in tags and comments, so that no shortcode starts or ends there. `change` is applied first to each tag with brackets.
 */
function changeTags(html: string, change: (tag: string) => string = (tag) => tag): string {
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

function showBrackets(html: string): string {
  return html.replaceAll('&#91;', '[').replaceAll('&#93;', ']');
}

/** Applies `replace` to the attributes of a tag. Changed values are escaped and filtered, so that the attributes remain valid. */
function replaceInAttributes(tag: string, replace: (text: string) => string): string {
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

/** The integer at the start of a text; 0 if there is none. */
export function readWhole(text: string): number {
  return Number(/^[ \t\n\v\f\r]*([+-]?\d{1,15})/.exec(text)?.[1] ?? 0);
}

/** Whether a flag is set: false for the empty text, `0` and `false`. */
export function saysYes(value: string): boolean {
  return value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}
