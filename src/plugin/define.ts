import type { z } from 'zod';
import type { EventDefinition, NamedFiles } from '#domain/kernel/event.ts';
import type { SealedEvent, Subjects } from '#domain/kernel/subject.ts';
import { apiVersion, type Plugin } from './contract.ts';

type Data = Record<string, unknown>;
type Subjective<D = Data> = (data: D, about: Pick<SealedEvent, 'actor'>) => Subjects;

/**
 * Defines an event type. Its name and shape are a contract with every log that contains it. Fields with content, personal data or secrets
 * are `sealed`; the log stores their subjects beside them, so that erasures work without the plugin.
 */
export function definePluginEvent<
  T extends string,
  S extends z.ZodObject,
  const K extends keyof z.infer<S> & string = never,
>(definition: PluginEvent<T, S, K> & ([K] extends [never] ? unknown : Sealed<z.infer<S>, K>)): EventDefinition<T, S> {
  const { sealed = [], upcasters = [] } = definition;
  const { erased = {}, subjects } = definition as { erased?: Partial<z.infer<S>>; subjects?: Subjective };
  return {
    // Also what does not belong there: the server then says so.
    ...definition,
    sealed,
    erased,
    upcasters,
    subjects: ({ data, actor }) => subjects?.(data as Data, { actor }) ?? [],
    sealsEach: false,
    ordersErasure: false,
    v: upcasters.length + 1,
  };
}

interface PluginEvent<T extends string, S extends z.ZodObject, K extends string> {
  /** Name of the plugin and of the event: `guestbook.Signed`. */
  readonly type: T;
  /** A single sentence. */
  readonly summary: string;
  readonly schema: S;
  readonly sealed?: readonly K[];
  /** The stored files that an event names: backups contain them, and erasing their subject erases them. */
  readonly files?: (data: z.infer<S>) => NamedFiles;
  /** `upcasters[i]` converts data of version i + 1 to version i + 2. */
  readonly upcasters?: readonly ((data: Data) => Data)[];
}

interface Sealed<D, K extends keyof D> {
  /** Values of the sealed fields after an erasure. */
  readonly erased: Pick<D, K>;
  /** The subjects of the sealed fields, derived from the other fields and the user who acted (0: anonymous; null: the server). */
  readonly subjects: Subjective<Omit<D, K>>;
}

/** Defines the export `plugin` of a package. */
export function definePlugin(plugin: Pick<Plugin, 'name'> & Partial<Plugin>): Plugin & { readonly apiVersion: number } {
  return {
    areas: [],
    namespaces: [],
    reactions: [],
    pages: [],
    hiddenPages: [],
    secrets: [],
    jobs: [],
    ...plugin,
    apiVersion,
  };
}
