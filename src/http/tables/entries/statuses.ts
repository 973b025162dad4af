import { slugify } from '#domain/entry/slug.ts';

/** A status list as it counts: lower-cased, one value or several. */
export function asStatuses(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : String(value).split(/[\s,]+/);
  return [...new Set(list.map((status) => slugify(String(status))).filter((status) => status !== ''))];
}
