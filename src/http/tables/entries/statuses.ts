import { entryStatuses } from '#domain/entry/vocabulary.ts';
import { slugify } from '#text/slug.ts';

const known: ReadonlySet<string> = new Set(entryStatuses);

/** One status or several: lower case, each once. */
export function asStatuses(value: unknown): readonly string[] {
  return sentStatuses(value).filter((status) => status !== '');
}

/** The same with '' for what is no word. */
export function sentStatuses(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  // What most requests have.
  if (Array.isArray(value) && value.length === 1 && known.has(value[0])) return value;
  const list: readonly unknown[] = Array.isArray(value)
    ? value
    : String(value)
        .split(/[\s,]+/)
        .filter(Boolean);
  return [...new Set(list.map((status) => slugify(String(status))))];
}
