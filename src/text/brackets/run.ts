import { Edits } from '../edits.ts';
import { readWordAttributes } from './attributes.ts';
import { changeTags, replaceInAttributes, showBrackets } from './in-tags.ts';
import { bracketWords, hasWords, type PlacedWord, type Word, type WordName, WordReader } from './word.ts';

export type Run = (word: Word) => string;

/** Replaces known shortcodes, including those in attributes of tags, but not in comments. */
export function runWords(html: string, run: Run): string {
  if (!hasWords(html)) return html;
  const put = putting(run);
  const hidden = changeTags(html, (tag) => replaceInAttributes(tag, (text) => replaceWords(text, bracketWords, put)));
  return showBrackets(replaceWords(hidden, bracketWords, put));
}

/** Replaces the named shortcodes, but none in tags. */
export function runWordsInText(html: string, run: Run, names: readonly WordName[]): string {
  if (!hasWords(html)) return html;
  return showBrackets(replaceWords(changeTags(html), names, putting(run)));
}

/** Removes known shortcodes with their content; an escaped one loses its escape. */
export function dropWords(text: string): string {
  return hasWords(text)
    ? showBrackets(
        replaceWords(
          changeTags(text),
          bracketWords,
          putting(() => ''),
        ),
      )
    : text;
}

type Put = (word: PlacedWord, found: string) => string;

function replaceWords(text: string, names: readonly WordName[], put: Put): string {
  if (!text.includes('[')) return text;
  const reader = new WordReader(text, names);
  const edits = new Edits(text);
  for (let word = reader.next(0); word !== null; word = reader.next(word.end)) {
    edits.replace(word.start, word.end, put(word, text.slice(word.start, word.end)));
  }
  return edits.finish();
}

function putting(run: Run): Put {
  return ({ name, said, content, before, after }, found) => {
    if (before && after) return found.slice(1, -1);
    const made = run({ name, attributes: readWordAttributes(said), content });
    return `${before ? '[' : ''}${made}${after ? ']' : ''}`;
  };
}
