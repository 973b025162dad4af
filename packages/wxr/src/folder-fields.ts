import type { FolderField } from './folder-mapping.ts';
import type { FolderPreset } from './folder-presets.ts';

/** A file with a text, as it stands in a folder. */
export interface FolderText {
  readonly path: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly isMarkdown: boolean;
  /** When the file was last written, in milliseconds since 1970. */
  readonly time: number;
  /** The line at which something is first written, from 1; 0: nowhere. */
  readonly lineOf: (words: string) => number;
  /** The line of a place in the text, counted from the end of the file. */
  readonly lineBefore: (length: number) => number;
}

export type TakenFields = ReturnType<typeof takeFields>;

/** Takes what fields mean out of front matter; the others are what nobody took. */
export function takeFields({ data }: Pick<FolderText, 'data'>, { fields }: Pick<FolderPreset, 'fields'>) {
  const used = new Set<string>();
  const take = <T = unknown>(
    field: FolderField,
    read: (value: unknown) => T | null = (value) => value as T,
  ): T | null => {
    for (const name of fields[field]) {
      const value = Object.hasOwn(data, name) ? data[name] : null;
      const found = value === null || value === undefined ? null : read(value);
      if (found === null) continue;
      used.add(name);
      return found;
    }
    return null;
  };
  const others = () =>
    Object.entries(data)
      .filter(([name, value]) => !used.has(name) && value !== null && value !== undefined)
      .map(([name, value]) => ({ key: `frontmatter:${name}`, value: JSON.stringify(value) }));
  return { take, others };
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function textOrNull(value: unknown): string | null {
  return asText(value) || null;
}

export function wordsOrNames(value: unknown): readonly string[] | null {
  return asNames(typeof value === 'string' ? value.split(/\s/).filter((word) => word !== '') : value);
}

export function asBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** Names in a list, also of objects with names; a text is one name, or several with commas between them. */
export function asNames(value: unknown): readonly string[] | null {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  if (!Array.isArray(value)) return isNamed(value) ? [value.name] : null;
  return value.flatMap((one) => (isNamed(one) ? [one.name] : asText(one) || []));
}

function isNamed(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

export function asImage(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value !== 'object' || value === null) return null;
  const { image, src, url, path } = value as Record<string, unknown>;
  return ([image, src, url, path].find((one) => typeof one === 'string') as string | undefined) ?? null;
}
