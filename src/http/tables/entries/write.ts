import type { EntryFields } from '#domain/entry/commands.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import { termKinds } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Call } from '../../engine/types.ts';

/** Reads a member of a command's input from a parameter; empty if it was not sent. */
export type Write<T> = (call: Call<Model>, name: string) => Partial<T>;

/** For a field with an empty value: null clears it. */
export function cleared<T>(member: keyof T): Write<T> {
  return (call, name) => only(member, sentValue(call, name));
}

/** For a field without an empty value: null counts as not sent. */
export function named<T>(member: keyof T): Write<T> {
  return (call, name) => only(member, call.sent(name) === null ? undefined : sentValue(call, name));
}

/** Limits numbers to the range that the reference system can store. */
export function clamped(member: 'menuOrder'): Write<EntryFields> {
  return (call, name) => {
    const value = sentValue<number>(call, name);
    return value === undefined ? {} : { [member]: Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, value)) };
  };
}

/** Ids of the existing terms of a taxonomy, each once. */
export function writtenTerms(
  taxonomy: Taxonomy,
): (call: Call<Model>, name: string, kind: EntryKind) => Partial<EntryFields> {
  if (taxonomy === 'category') return (call) => only('categories', sentTerms(call, taxonomy));
  if (taxonomy === 'post_tag') return (call) => only('tags', sentTerms(call, taxonomy));
  // All other taxonomies share one member of the input, so each of them gives all of it.
  return (call, _, { taxonomies }) => {
    const sent = taxonomies.map((name) => [name, sentTerms(call, name)] as const);
    return { otherTerms: Object.fromEntries(sent.filter(([, ids]) => ids !== undefined)) };
  };
}

function sentTerms(call: Call<Model>, taxonomy: Taxonomy): readonly number[] | undefined {
  const ids = sentValue<readonly number[]>(call, termKinds[taxonomy].base);
  return ids && [...new Set(ids)].filter((id) => call.model.namedTerm(id)?.taxonomy === taxonomy);
}

/** The member unless its value is undefined: absent is not the same as empty. */
export function only<T, N extends keyof T>(member: N, value: unknown): Partial<T> {
  return value === undefined ? {} : ({ [member]: value } as unknown as Partial<T>);
}

function sentValue<V>({ params, sent }: Call<Model>, name: string): V | undefined {
  return sent(name) === undefined ? undefined : (params[name] as V);
}
