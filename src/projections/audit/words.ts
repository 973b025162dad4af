import { decodeReferences } from '#blocks/references.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { codec } from '#catalogue/events.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { foldText } from '#text/fold.ts';
import { type FieldChange, fieldChanges, fieldsIn, isWritten } from './fields.ts';
import type { History } from './history.ts';

/** Letters of scripts that do not divide words: each is a token. */
const ALONE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const ALONE_EACH = new RegExp(ALONE.source, 'gu');
const inWord = /[\p{L}\p{N}]/u;
const TOKEN = /[\p{L}\p{N}]+/gu;
const PLAIN = /^[\0-\x7f]*$/;
const PLAIN_TOKEN = /[a-z0-9]+/g;

/** The words of a request, in the form in which they are compared: without accents, in small letters. */
export function wordsIn(text: string): readonly string[] {
  return [...new Set(folded(text).split(/\s+/))].filter((word) => word !== '');
}

/** Whether all words occur in one text that an event changed, as it was before or after. A word may be the beginning of one. */
export function bringsWords(event: StoredEvent, words: readonly string[], log: History): boolean {
  const names = Object.keys(fieldsIn(codec.decode(event))).filter(isWritten);
  return fieldChanges(event, log, new Set(names)).some(({ before, after }) =>
    [before, after].some((text) => text !== null && hasWords(text, words)),
  );
}

/** The tokens of all texts that an event changed, as they were before and after. */
export function tokensOf(changes: readonly FieldChange[]): readonly string[] {
  const texts = changes.filter(({ name }) => isWritten(name)).flatMap(({ before, after }) => [before, after]);
  return [...new Set(texts.flatMap((text) => (text === null ? [] : tokensIn(plainly(text)))))];
}

/** The tokens of a folded text: letters and digits in a row. */
export function tokensIn(text: string): readonly string[] {
  if (PLAIN.test(text)) return text.match(PLAIN_TOKEN) ?? [];
  const divided = ALONE.test(text) ? text.replace(ALONE_EACH, ' $& ') : text;
  return divided.match(TOKEN) ?? [];
}

export function hasWords(text: string, words: readonly string[]): boolean {
  if (text === '') return false;
  const found = plainly(text);
  return words.every((word) => beginsIn(found, word));
}

/** Whether a word occurs in a text other than within another word. */
function beginsIn(text: string, word: string): boolean {
  const isFree = !inWord.test(word.charAt(0)) || isAlone(word);
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (isFree || at === 0 || !inWord.test(text.charAt(at - 1)) || isAlone(text.charAt(at - 1))) return true;
  }
  return false;
}

function isAlone(text: string): boolean {
  return ALONE.test(text.charAt(0));
}

function plainly(text: string): string {
  return folded(text.includes('<') ? stripMarkup(text) : text);
}

function folded(text: string): string {
  return foldText(text.includes('&') ? decodeReferences(text) : text);
}
