import type { z } from 'zod';
import type { SealedEvent, Subject, Subjects } from './subject.ts';

/** What happened, as the domain sees it: a name and what belongs to it. */
export interface DomainEvent<T extends string = string, D = unknown> {
  readonly type: T;
  readonly data: D;
}

/** Circumstances of an event, the same for all events of a commit except `stream`, `revision` and `position`. */
export interface EventMeta {
  /** Site-wide, gapless, from 1. */
  readonly position: number;
  /** Logical stream, `entry-12`. */
  readonly stream: string;
  /** Place in its stream, gapless, from 1. */
  readonly revision: number;
  /** When the commit was made: UTC, ISO 8601 with milliseconds. Never earlier than that of the commit before. */
  readonly at: string;
  /** User id of who did it; 0 when nobody was logged in, null for the system itself. */
  readonly actor: number | null;
  readonly correlationId: string;
}

export interface RecordedEvent<E extends DomainEvent = DomainEvent> {
  readonly event: E;
  readonly meta: EventMeta;
}

/** One event type as the log knows it. Its name, version and shape are a contract: see `test/golden`. */
export interface EventDefinition<T extends string = string, S extends z.ZodObject = z.ZodObject> {
  readonly type: T;
  /** Newest version. A new one is added with an upcaster from the one before; an old one is never edited. */
  readonly v: number;
  readonly summary: string;
  readonly schema: S;
  /**
   * Fields that hold content or personal data. They are stored apart from the rest, so that a lawful
   * erasure can make them unreadable without touching structure, positions or hashes.
   */
  readonly sealed: readonly (keyof z.infer<S> & string)[];
  readonly erased: Partial<z.infer<S>>;
  /** Whose the sealed fields of an event are; nothing for a type that has none. */
  subjects(event: SealedEvent): readonly Subject[];
  readonly ordersErasure: boolean;
  /** The files that an event names, which are stored beside the log; absent: none. */
  readonly files?: (data: z.infer<S>, stream: string) => NamedFiles;
  /** `upcasters[i]` turns the data of version i + 1 into that of version i + 2. */
  readonly upcasters: readonly ((data: Record<string, unknown>) => Record<string, unknown>)[];
}

export interface NamedFile {
  /** SHA-256 of its bytes. */
  readonly hash: string;
  readonly bytes: number;
}

export interface NamedFiles {
  /** Whose they are: they are erased with it. */
  readonly of: Subject;
  readonly files: readonly NamedFile[];
}

export type EventOf<D> = D extends EventDefinition<infer T, infer S> ? DomainEvent<T, z.infer<S>> : never;

/** Upcaster of a version in which fields became optional: older data has all of them, and is read as it is. */
export const unchangedData = (data: Record<string, unknown>): Record<string, unknown> => data;

export function defineEvent<T extends string, S extends z.ZodObject, const K extends keyof z.infer<S> & string = never>(
  definition: Described<T, S, K> & ([K] extends [never] ? unknown : Sealing<z.infer<S>, K>),
): EventDefinition<T, S> {
  const { type, summary, schema, sealed = [], ordersErasure = false, upcasters = [] } = definition;
  const { erased = {}, subjects = () => [] } = definition as Partial<
    Pick<EventDefinition<T, S>, 'erased' | 'subjects'>
  >;
  const names = definition.files === undefined ? {} : { files: definition.files };
  const about = { type, summary, schema, sealed, erased, subjects, ordersErasure, upcasters };
  return { ...about, ...names, v: upcasters.length + 1 };
}

interface Described<T extends string, S extends z.ZodObject, K extends string> {
  readonly type: T;
  readonly summary: string;
  readonly schema: S;
  readonly sealed?: readonly K[];
  readonly ordersErasure?: true;
  readonly files?: (data: z.infer<S>, stream: string) => NamedFiles;
  readonly upcasters?: readonly ((data: Record<string, unknown>) => Record<string, unknown>)[];
}

interface Sealing<D, K extends keyof D> {
  readonly erased: Pick<D, K>;
  readonly subjects: (event: SealedEvent<Omit<D, K>>) => Subjects;
}
