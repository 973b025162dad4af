import { codec } from '#catalogue/events.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { foldText } from '#text/fold.ts';
import { decodeReferences } from '#text/references.ts';
import { stripMarkup } from '#text/strip.ts';
import { fieldChanges, fieldsIn, isWritten } from './fields.ts';

/** The words of a request, in the form in which they are compared: without accents, in small letters. */
export function wordsIn(text: string): readonly string[] {
  return [...new Set(folded(text).split(/\s+/))].filter((word) => word !== '');
}

/** Whether all words occur in one text that an event changed, as it was before or after. */
export function bringsWords(event: StoredEvent, words: readonly string[], log: Pick<EventStore, 'read'>): boolean {
  const names = Object.keys(fieldsIn(codec.decode(event))).filter(isWritten);
  return fieldChanges(event, log, new Set(names)).some(({ before, after }) =>
    [before, after].some((text) => text !== null && has(text, words)),
  );
}

function has(text: string, words: readonly string[]): boolean {
  if (text === '') return false;
  const found = folded(text.includes('<') ? stripMarkup(text) : text);
  return words.every((word) => found.includes(word));
}

function folded(text: string): string {
  return foldText(text.includes('&') ? decodeReferences(text) : text);
}
