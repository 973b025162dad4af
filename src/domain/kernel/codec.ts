import { SEALS, SEED, sealFields, sealOfFields } from '#text/field-seals.ts';
import type { DomainEvent, EventDefinition, NamedFiles } from './event.ts';
import { misfit } from './limits.ts';
import type { Refusal } from './refusal.ts';
import type { SealedEvent, Subject } from './subject.ts';

export interface EncodedEvent {
  readonly type: string;
  readonly v: number;
  readonly data: string;
  readonly sealed: string | null;
}

export interface Codec {
  /** `seed`: draws 32 hex digits for the seals of single fields; without it all sealed fields share one. */
  encode(event: DomainEvent, seed?: () => string): EncodedEvent;
  /** Why an event must not enter the log; null if it may. */
  misfit(event: DomainEvent): Refusal | null;
  /** The event in its newest version. `sealed` is null if nothing was sealed or it has been erased. */
  decode(stored: EncodedEvent): DomainEvent;
  subjects(stored: EncodedEvent & Pick<SealedEvent, 'stream' | 'actor' | 'others'>): readonly Subject[];
  /** The files that an event names; null if its type names none or is unknown. */
  files(event: DomainEvent, stream: string): NamedFiles | null;
  /** Types of events that name files. */
  readonly naming: ReadonlySet<string>;
  readonly definitions: readonly EventDefinition[];
}

/** Thrown for an event without a definition: the log was written by a newer program. */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';
}

/** Thrown for an event whose text is damaged. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
}

/** Whether an event type belongs to a plugin package. Such a package may be absent; its events are then skipped. */
export function isOfPackage(type: string): boolean {
  return type.includes('.');
}

export function createCodec(definitions: readonly EventDefinition[]): Codec {
  const byType = new Map(definitions.map((definition) => [definition.type, definition]));
  const known = (type: string): EventDefinition => {
    const definition = byType.get(type);
    if (definition === undefined) throw new UnknownEvent(`no definition for event type ${type}`);
    return definition;
  };
  return {
    definitions,
    encode: (event, seed) => encode(known(event.type), event, seed),
    misfit: (event) => misfit(known(event.type), event),
    decode: (stored) => (isOfPackage(stored.type) ? decodeOfPackage : decode)(stored),
    files: ({ type, data }, stream) => byType.get(type)?.files?.(data as Data, stream) ?? null,
    naming: new Set(definitions.filter(({ files }) => files !== undefined).map(({ type }) => type)),
    subjects: (stored) => (isOfPackage(stored.type) ? subjectsOf(stored.data) : subjects(known(stored.type), stored)),
  };

  function decode(stored: EncodedEvent): DomainEvent {
    return read(known(stored.type), stored, parse(stored.data));
  }

  function decodeOfPackage(stored: EncodedEvent): DomainEvent {
    const { [owners]: _, ...data } = parse(stored.data);
    const definition = byType.get(stored.type);
    // Without the package it is unknown which fields may be shown.
    return definition === undefined ? { type: stored.type, data } : read(definition, stored, data);
  }
}

type Data = Record<string, unknown>;

function parse(text: string): Data {
  try {
    return JSON.parse(text) as Data;
  } catch (error) {
    throw new UnreadableEvent('an event is no JSON', { cause: error });
  }
}

function encode(definition: EventDefinition, event: DomainEvent, seed?: () => string): EncodedEvent {
  const { type, v } = definition;
  const all = event.data as Data;
  if (definition.sealed.length === 0) return { type, v, data: JSON.stringify(all), sealed: null };
  const data: Data = {};
  const sealed: Data = {};
  for (const key in all) (definition.sealed.includes(key) ? sealed : data)[key] = all[key];
  if (isOfPackage(type)) data[owners] = ownersIn(definition, data);
  if (definition.sealsEach && seed !== undefined) sealEach(data, sealed, seed());
  return { type, v, data: JSON.stringify(data), sealed: JSON.stringify(sealed) };
}

function sealEach(data: Data, sealed: Data, seed: string): void {
  const fields = Object.entries(sealed).flatMap(([name, value]) =>
    value === undefined ? [] : { name, text: JSON.stringify(value) },
  );
  data[SEALS] = sealOfFields(sealFields(seed, fields));
  sealed[SEED] = seed;
}

/** Member in which an event of a package stores the subjects of its sealed fields. */
const owners = '$subjects';
const owner = /^(?:(?:entry|media|comment|user)-\d+|address-\w+|site|anybody)$/;

function ownersIn(definition: EventDefinition, data: Data): readonly Subject[] {
  const found = definition.subjects({ stream: '', actor: null, data, text: null, others: [] });
  if (found.length > 0 && found.every((one) => owner.test(one))) return found;
  throw new TypeError(`${definition.type} does not say whose its sealed fields are`);
}

/** Unreadable subjects become `anybody`, so that every erasure reaches the text. */
function subjectsOf(data: string): readonly Subject[] {
  const found = (JSON.parse(data) as Data)[owners];
  return Array.isArray(found) ? (found as Subject[]) : ['anybody'];
}

function read(definition: EventDefinition, stored: EncodedEvent, open: Data): DomainEvent {
  if (stored.v > definition.v)
    throw new UnknownEvent(`event ${stored.type} has version ${stored.v}, known is ${definition.v}`);
  let data = open;
  if (stored.sealed !== null) data = Object.assign(data, parse(stored.sealed));
  if (definition.sealsEach) data = withoutSeals(data);
  if (stored.sealed === null && definition.sealed.length > 0) data = { ...data, ...definition.erased };
  for (let v = stored.v; v < definition.v; v++) data = definition.upcasters[v - 1]?.(data) ?? data;
  return { type: definition.type, data };
}

function withoutSeals(data: Data): Data {
  if (data[SEALS] === undefined && data[SEED] === undefined) return data;
  const { [SEALS]: _, [SEED]: __, ...fields } = data;
  return fields;
}

function subjects(definition: EventDefinition, stored: Parameters<Codec['subjects']>[0]): readonly Subject[] {
  const { stream, actor, sealed } = stored;
  return definition.subjects({
    stream,
    actor,
    text: sealed,
    // Computed on demand, since most types need neither.
    get data() {
      return read(definition, { ...stored, sealed: null }, JSON.parse(stored.data)).data;
    },
    get others() {
      return stored.others;
    },
  });
}
