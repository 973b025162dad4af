import { trimText } from '#blocks/blank.ts';
import { dropControls } from '#blocks/escape-address.ts';
import { normaliseReferences } from '#blocks/references.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';

/** A single line of plain text: markup and percent escapes are removed, runs of white space become one blank. */
export function plainLine(text: string): string {
  const plain = text.includes('<') ? stripMarkup(text.replace(OPEN_END, escapeBrackets)) : text;
  const line = trimText(plain.replace(/[\r\n\t ]+/g, ' '));
  const kept = ESCAPE.test(line) ? withoutEscapes(line) : line;
  return kept === line ? line : trimText(kept.replace(/ +/g, ' '));
}

/** A name in its stored form: plain text with `<` and `>` as character references. */
export function storedName(text: string): string {
  return escapeBrackets(normaliseReferences(dropControls(plainLine(text))));
}

/** Maximum length of a name in characters. */
const longestName = 200;

export function planName(sent: string): string | Refusal {
  const name = sent.trim();
  if (name === '') return refuse('empty_term_name', 'A name is required for this term.');
  return name.length > longestName ? refuse('db_insert_error', 'The name is longer than 200 characters.') : name;
}

/** A `<` without a `>` before the next `<` does not start a tag. */
const OPEN_END = /<[^<>]*(?=<|$)/g;
const ESCAPE = /%[a-f0-9]{2}/i;
const HEX = /[a-f0-9]/i;

function withoutEscapes(text: string): string {
  const kept: string[] = [];
  for (const char of text) {
    kept.push(char);
    if (HEX.test(char) && HEX.test(kept.at(-2) ?? '') && kept.at(-3) === '%') kept.length -= 3;
  }
  return kept.join('');
}

function escapeBrackets(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
