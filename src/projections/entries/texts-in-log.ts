import type { EntryEvent } from '#domain/entry/events.ts';
import { entryStream } from '#domain/entry/state.ts';
import { textNames } from '#domain/entry/texts.ts';
import { toRecorded } from '../kernel/events-until.ts';
import { nowhere, placesAfter, type TextPlaces, textsAt } from '../kernel/text-places.ts';
import type { PastStanding } from '../kernel/versions.ts';
import type { WrittenRow } from './row.ts';

/** The texts of an entry as of a position, from the log: its events are read backwards until all texts are found. */
export function writtenInLog(id: number, { position, log }: Readonly<PastStanding>): WrittenRow | undefined {
  const events = new Map<number, EntryEvent>();
  let places: TextPlaces = nowhere;
  for (const stored of log.read({ stream: entryStream(id), direction: 'backwards' })) {
    if (stored.position > position) continue;
    const { event, meta } = toRecorded(stored);
    if (event.type === 'EntryDeleted') return undefined;
    const own = event as EntryEvent;
    const earlier = placesAfter(nowhere, own, meta.position);
    if (textNames.some((name) => places[name] === 0 && earlier[name] !== 0)) events.set(meta.position, own);
    places = { ...earlier, ...Object.fromEntries(Object.entries(places).filter(([, at]) => at !== 0)) };
    if (textNames.every((name) => places[name] !== 0)) break;
  }
  if (events.size === 0) return undefined;
  const { content, excerpt } = textsAt(places, (at) => events.get(at) as EntryEvent);
  return { texts: { content, excerpt }, places };
}
