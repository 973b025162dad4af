import { slugify } from '#domain/entry/slug.ts';

/** Normalises one status or several: lower case, each once. */
export function asStatuses(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : String(value).split(/[\s,]+/);
  return [...new Set(list.map((status) => slugify(String(status))).filter((status) => status !== ''))];
}
