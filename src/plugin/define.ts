import type { z } from 'zod';
import type { EventDefinition } from '#domain/kernel/event.ts';
import type { Subjects } from '#domain/kernel/subject.ts';
import { apiVersion, type Plugin } from './contract.ts';

type Data = Record<string, unknown>;

/**
 * Describes a type of event. Its name and shape are a contract with every log that has one. Fields with content, personal data or
 * secrets are `sealed`; the log keeps beside them whose they are, so that an erasure reaches them also while the plugin is away.
 */
export function definePluginEvent<
  T extends `${string}.${string}`,
  S extends z.ZodObject,
  const K extends keyof z.infer<S> & string = never,
>(definition: PluginEvent<T, S, K> & ([K] extends [never] ? unknown : Sealed<z.infer<S>, K>)): EventDefinition<T, S> {
  const { type, summary, schema, sealed = [], upcasters = [] } = definition;
  const { erased = {}, subjects } = definition as { erased?: Partial<z.infer<S>>; subjects?: (data: Data) => Subjects };
  return {
    ...{ type, summary, schema, sealed, erased, upcasters },
    subjects: ({ data }) => subjects?.(data as Data) ?? [],
    ordersErasure: false,
    v: upcasters.length + 1,
  };
}

interface PluginEvent<T extends string, S extends z.ZodObject, K extends string> {
  /** `guestbook.Signed`: name of the plugin, and what happened. */
  readonly type: T;
  /** One sentence. */
  readonly summary: string;
  readonly schema: S;
  readonly sealed?: readonly K[];
  /** `upcasters[i]` turns the data of version i + 1 into that of version i + 2. */
  readonly upcasters?: readonly ((data: Data) => Data)[];
}

interface Sealed<D, K extends keyof D> {
  /** What the sealed fields are read as once they have been erased. */
  readonly erased: Pick<D, K>;
  /** Whose they are, by the fields that are not sealed. */
  readonly subjects: (data: Omit<D, K>) => Subjects;
}

/** What a package exports as `plugin`. */
export function definePlugin(plugin: Pick<Plugin, 'name'> & Partial<Plugin>): Plugin & { readonly apiVersion: number } {
  return { areas: [], namespaces: [], ...plugin, apiVersion };
}
