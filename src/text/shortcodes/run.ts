import { Edits } from '../edits.ts';
import {
  hasShortcodes,
  type PlacedShortcode,
  type Shortcode,
  type ShortcodeName,
  ShortcodeReader,
  shortcodeNames,
} from '../shortcode.ts';
import { readShortcodeAttributes } from '../shortcode-attributes.ts';
import { changeTags, replaceInAttributes, showBrackets } from './in-tags.ts';

export type Run = (shortcode: Shortcode) => string;

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
