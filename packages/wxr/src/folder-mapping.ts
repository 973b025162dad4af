import { FrontMatterFault, parseSettings } from './folder-front-matter.ts';
import { SourceFault } from './records.ts';

/** What the names and folders of a folder mean, where that is not usual. */
export interface FolderMapping {
  /** Names in front matter, by the field that they are: the first that is there counts. */
  readonly fields?: Readonly<Partial<Record<FolderField, readonly string[]>>>;
  /** Types of items by their folder, such as `{ "src/notes": "post" }`: the longest that fits counts. */
  readonly types?: Readonly<Record<string, string>>;
  /** Globs of files that are left out. */
  readonly leaveOut?: readonly string[];
  /** Folders whose files are at the top of the site, such as `static`. */
  readonly files?: readonly string[];
  /** Folder that has the texts; '': all. */
  readonly texts?: string;
  /** Address of the old site. */
  readonly baseUrl?: string;
  /** Pattern of addresses by type, such as `/:year/:month/:slug/`. */
  readonly permalinks?: Readonly<Record<string, string>>;
}

export const folderFields = [
  ...([
    'title',
    'slug',
    'date',
    'modified',
    'appears',
    'expires',
    'draft',
    'published',
    'status',
    'excerpt',
    'tags',
    'categories',
  ] as const),
  ...([
    'authors',
    'featured',
    'order',
    'link',
    'aliases',
    'password',
    'sticky',
    'type',
    'template',
    'comments',
  ] as const),
] as const;
export type FolderField = (typeof folderFields)[number];

/** Reads a mapping from a text of JSON or YAML. `name`: of its file. */
export function parseFolderMapping(text: string, name: string): FolderMapping {
  const found = settingsOf(text, name);
  const fail = (what: string, how: string): never => {
    throw new SourceFault('wrong_mapping', `${name}: ${what} ${how}.`);
  };
  if (!isObject(found)) return fail('it', 'has to be an object with names such as "fields" and "types"');
  const checks: Readonly<Record<keyof FolderMapping, (value: unknown) => boolean>> = {
    fields: (value) => isObject(value) && Object.values(value).every((one) => isText(one) || isTexts(one)),
    types: isObjectOfTexts,
    permalinks: isObjectOfTexts,
    leaveOut: isTexts,
    files: isTexts,
    texts: isText,
    baseUrl: isText,
  };
  for (const [key, value] of Object.entries(found)) {
    const check = Object.hasOwn(checks, key) ? checks[key as keyof FolderMapping] : null;
    if (!check) fail(`"${key}"`, `is not known. Known are ${Object.keys(checks).join(', ')}`);
    else if (!check(value)) fail(`"${key}"`, `has to be ${expected[key as keyof FolderMapping]}`);
  }
  const fields = isObject(found['fields']) ? found['fields'] : {};
  const lists = Object.entries(fields).map(([name, given]): [string, unknown] => {
    const field = name === 'author' ? 'authors' : name;
    if (!isField(field)) fail(`"fields.${name}"`, `is no field. Fields are ${folderFields.join(', ')}`);
    return [field, [given].flat()];
  });
  return { ...found, ...(found['fields'] !== undefined && { fields: Object.fromEntries(lists) }) };
}

const expected: Readonly<Record<keyof FolderMapping, string>> = {
  fields: 'an object with our names and theirs, such as { "title": "heading", "excerpt": ["tagline", "subtitle"] }',
  types: 'an object with a type for each folder, such as { "notes": "post" }',
  permalinks: 'an object with a pattern for each type, such as { "post": "/:year/:slug/" }',
  leaveOut: 'a list of globs, such as ["drafts/**"]',
  files: 'a list of folders, such as ["static"]',
  texts: 'the name of a folder',
  baseUrl: 'an address',
};

function settingsOf(text: string, name: string): unknown {
  try {
    return parseSettings(text, name);
  } catch (error) {
    if (error instanceof FrontMatterFault)
      throw new SourceFault('wrong_mapping', `${name}:${error.line}: ${error.message}`);
    throw error;
  }
}

function isField(name: string): boolean {
  return (folderFields as readonly string[]).includes(name);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isObjectOfTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isText);
}
