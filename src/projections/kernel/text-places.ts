import type { EntryEvent } from '#domain/entry/events.ts';
import { type RevisionTexts, type SomeTexts, type TextName, textNames } from '#domain/entry/texts.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';

export type TextPlaces = Readonly<Record<TextName, number>>;

export const nowhere: TextPlaces = { title: 0, content: 0, excerpt: 0, footnotes: 0 };

export function placesAfter(places: TextPlaces, event: EntryEvent, position: number): TextPlaces {
  switch (event.type) {
    case 'EntryCreated':
    case 'EntryRevised':
    case 'EntryReverted':
      return overridden(places, event, position);
    default:
      return places;
  }
}

/** Positions of the texts of a revision or autosave that an event saves; `places`: those of its entry after the event. */
export function placesKept(places: TextPlaces, event: EntryEvent, position: number): TextPlaces {
  return overridden(places, event, position);
}

function overridden(places: TextPlaces, { data }: EntryEvent, position: number): TextPlaces {
  const at = (name: TextName) => (name in data ? position : places[name]);
  const [title, content, excerpt, footnotes] = [at('title'), at('content'), at('excerpt'), at('footnotes')];
  return { title, content, excerpt, footnotes };
}

export function textsAt(places: TextPlaces, eventAt: (position: number) => DomainEvent): RevisionTexts {
  const events = new Map<number, SomeTexts>();
  const read = (name: TextName): string => {
    const at = places[name];
    const texts = events.get(at) ?? (eventAt(at).data as SomeTexts);
    events.set(at, texts);
    const text = texts[name];
    if (text === undefined) throw new Error(`the event at position ${at} has no ${name}`);
    return text;
  };
  return { title: read('title'), content: read('content'), excerpt: read('excerpt'), footnotes: read('footnotes') };
}

export function samePlaces(a: TextPlaces, b: TextPlaces): boolean {
  return textNames.every((name) => a[name] === b[name]);
}
