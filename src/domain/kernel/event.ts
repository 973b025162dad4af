import type { z } from 'zod';
import type { SealedEvent, Subject, Subjects } from './subject.ts';

/** An event as the domain sees it: a name and its data. */
export interface DomainEvent<T extends string = string, D = unknown> {
  readonly type: T;
  readonly data: D;
}

/** Metadata of an event; all but `stream`, `revision` and `position` is the same for all events of a commit. */
export interface EventMeta {
  /** Number in the log, gapless, from 1. */
  readonly position: number;
  /** Position of the first event of its commit. */
  readonly since: number;
  /** Logical stream, such as `entry-12`. */
  readonly stream: string;
  /** Number in the stream, gapless, from 1. */
  readonly revision: number;
  /** Time of the commit: UTC, ISO 8601 with milliseconds. Never earlier than that of the previous commit. */
  readonly at: string;
  /** Id of the acting user; 0: anonymous; null: the system itself. */
  readonly actor: number | null;
  readonly correlationId: string;
}

export interface RecordedEvent<E extends DomainEvent = DomainEvent> {
  readonly event: E;
  readonly meta: EventMeta;
}

/**
 * Definition of an event type. Its name, version and shape are a contract: see `test/golden`.
 *
 * What is content or personal data is sealed from the first version on: stored apart, and covered by the chain through a salted digest, so
 * that a lawful erasure changes neither positions nor hashes. `subjects` says whom it belongs to, without reading it: this has to be known
 * after the erasure, too.
 *
 * Why, and what was rejected: `docs/adr/0003-sealed-fields.md`, `docs/adr/0029-subjects-of-sealed-texts.md`.
 */
export interface EventDefinition<T extends string = string, S extends z.ZodObject = z.ZodObject> {
  readonly type: T;
  /** Newest version. Adding one requires an upcaster from the version before; old versions never change. */
  readonly v: number;
  readonly summary: string;
  readonly schema: S;
  /**
   * Fields with content or personal data. They are stored apart, so that a lawful erasure can make them unreadable without touching
   * structure, positions or hashes.
   */
  readonly sealed: readonly (keyof z.infer<S> & string)[];
  readonly erased: Partial<z.infer<S>>;
  /** Whether each sealed field has a seal of its own beside that of all, so that a proof can open one without the others. */
  readonly sealsEach: boolean;
  /** The subjects of the sealed fields; empty for types without any. */
  subjects(event: SealedEvent): readonly Subject[];
  readonly ordersErasure: boolean;
  /** The files that an event names, which are stored beside the log; absent if it names none. */
  readonly files?: (data: z.infer<S>, stream: string) => NamedFiles;
  /** `upcasters[i]` converts data of version i + 1 to version i + 2. */
  readonly upcasters: readonly ((data: Record<string, unknown>) => Record<string, unknown>)[];
}

export interface NamedFile {
  /** SHA-256 of its bytes. */
  readonly hash: string;
  readonly bytes: number;
}

export interface NamedFiles {
  /** Subject of the files: erasing it erases them. */
  readonly of: Subject;
  readonly files: readonly NamedFile[];
}

export type EventOf<D> = D extends EventDefinition<infer T, infer S> ? DomainEvent<T, z.infer<S>> : never;

/** Upcaster to a version that makes fields optional: older data has all of them and needs no change. */
export const unchangedData = (data: Record<string, unknown>): Record<string, unknown> => data;

export function defineEvent<T extends string, S extends z.ZodObject, const K extends keyof z.infer<S> & string = never>(
  definition: Described<T, S, K> & ([K] extends [never] ? unknown : Sealing<z.infer<S>, K>),
): EventDefinition<T, S> {
  const { type, summary, schema, sealed = [], sealsEach = false, ordersErasure = false, upcasters = [] } = definition;
  const { erased = {}, subjects = () => [] } = definition as Partial<
    Pick<EventDefinition<T, S>, 'erased' | 'subjects'>
  >;
  const names = definition.files === undefined ? {} : { files: definition.files };
  const about = { type, summary, schema, sealed, erased, sealsEach, subjects, ordersErasure, upcasters };
  return { ...about, ...names, v: upcasters.length + 1 };
}

interface Described<T extends string, S extends z.ZodObject, K extends string> {
  readonly type: T;
  readonly summary: string;
  readonly schema: S;
  readonly sealed?: readonly K[];
  readonly sealsEach?: true;
  readonly ordersErasure?: true;
  readonly files?: (data: z.infer<S>, stream: string) => NamedFiles;
  readonly upcasters?: readonly ((data: Record<string, unknown>) => Record<string, unknown>)[];
}

interface Sealing<D, K extends keyof D> {
  readonly erased: Pick<D, K>;
  readonly subjects: (event: SealedEvent<Omit<D, K>>) => Subjects;
}
