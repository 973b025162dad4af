import { codec } from '#catalogue/events.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { type Blamed, Blaming } from '#text/blame.ts';
import { fieldsIn, isErased } from './fields.ts';

export interface BlameQuery {
  readonly stream: string;
  /** Name of a text, such as `content`. */
  readonly field: string;
  /** Only versions up to this position. */
  readonly position: number;
}

export interface EntryBlame {
  readonly sentences: readonly Blamed<StoredEvent>[];
  readonly versions: number;
  /** Some versions were erased: who wrote what is left of them is unknown. */
  readonly erased: boolean;
}

/** Milliseconds of work before the caller gets a turn. */
const share = 10;

/** Who wrote each sentence of an item's text; null if it has no such text. `pause` is awaited between versions. */
export async function blameOf(
  { stream, field, position }: BlameQuery,
  { log, pause }: { readonly log: Pick<EventStore, 'read'>; readonly pause: () => Promise<void> },
): Promise<EntryBlame | null> {
  const blaming = new Blaming<StoredEvent>();
  let [versions, erased] = [0, false];
  let until = performance.now() + share;
  for (const event of log.read({ stream })) {
    if (event.position > position) break;
    if (performance.now() > until) {
      await pause();
      until = performance.now() + share;
    }
    const text = fieldsIn(codec.decode(event))[field];
    if (text === undefined) continue;
    versions += 1;
    if (isErased(event)) erased = true;
    blaming.take({ text, by: event });
  }
  return versions === 0 ? null : { sentences: blaming.sentences(), versions, erased };
}
