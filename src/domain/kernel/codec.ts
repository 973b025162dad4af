import { jsonOf } from '#text/elsewhere.ts';
import type { DomainEvent, EventDefinition } from './event.ts';
import type { SealedEvent, Subject } from './subject.ts';

/** An event as texts, ready for the log. */
export interface EncodedEvent {
  readonly type: string;
  readonly v: number;
  readonly data: string;
  readonly sealed: string | null;
}

export interface Codec {
  encode(event: DomainEvent): EncodedEvent;
  /** The event in its newest version. `sealed` is null where nothing was sealed or where it has been erased. */
  decode(stored: EncodedEvent): DomainEvent;
  /** Whose the sealed fields of an event are, whether they have been erased or not. */
  subjects(stored: EncodedEvent & Pick<SealedEvent, 'stream' | 'actor' | 'others'>): readonly Subject[];
  readonly definitions: readonly EventDefinition[];
}

/** Thrown for an event that no definition knows: the log was written by a newer program. */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';
}

/** Turns events of the given definitions into texts and back, sealed fields apart from the rest. */
export function createCodec(definitions: readonly EventDefinition[]): Codec {
  const byType = new Map(definitions.map((definition) => [definition.type, definition]));
  const known = (type: string): EventDefinition => {
    const definition = byType.get(type);
    if (definition === undefined) throw new UnknownEvent(`no definition for event type ${type}`);
    return definition;
  };
  return {
    definitions,
    encode: (event) => encode(known(event.type), event),
    decode: (stored) => decode(known(stored.type), stored),
    subjects: (stored) => subjects(known(stored.type), stored),
  };
}

function encode(definition: EventDefinition, event: DomainEvent): EncodedEvent {
  const { type, v } = definition;
  const all = event.data as Record<string, unknown>;
  if (definition.sealed.length === 0) return { type, v, data: JSON.stringify(all), sealed: null };
  const data: Record<string, unknown> = {};
  const sealed: Record<string, unknown> = {};
  for (const key in all) (definition.sealed.includes(key) ? sealed : data)[key] = all[key];
  return { type, v, data: JSON.stringify(data), sealed: sealedText(sealed) };
}

/** The same as `JSON.stringify`, with long texts made into JSON elsewhere. */
function sealedText(sealed: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(sealed).filter(([, value]) => value !== undefined);
  const isLong = members.some(([, value]) => typeof value === 'string' && value.length > LONG);
  if (!isLong) return JSON.stringify(sealed);
  const texts = members.map(([key, value]) => {
    const text = typeof value === 'string' ? jsonOf(value) : JSON.stringify(value);
    return `${JSON.stringify(key)}:${text}`;
  });
  return `{${texts.join(',')}}`;
}

/** Characters. */
const LONG = 16_384;

function decode(definition: EventDefinition, stored: EncodedEvent): DomainEvent {
  if (stored.v > definition.v)
    throw new UnknownEvent(`event ${stored.type} has version ${stored.v}, known is ${definition.v}`);
  let data = JSON.parse(stored.data) as Record<string, unknown>;
  if (stored.sealed !== null) data = Object.assign(data, JSON.parse(stored.sealed) as Record<string, unknown>);
  else if (definition.sealed.length > 0) data = { ...data, ...definition.erased };
  for (let v = stored.v; v < definition.v; v++) data = definition.upcasters[v - 1]?.(data) ?? data;
  return { type: definition.type, data };
}

function subjects(definition: EventDefinition, stored: Parameters<Codec['subjects']>[0]): readonly Subject[] {
  const { stream, actor, sealed } = stored;
  return definition.subjects({
    stream,
    actor,
    text: sealed,
    // Most types need neither of these.
    get data() {
      return decode(definition, { ...stored, sealed: null }).data;
    },
    get others() {
      return stored.others;
    },
  });
}
