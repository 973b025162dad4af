import { z } from 'zod';
import { limited } from '#domain/kernel/limits.ts';
import { zoneOf } from '#domain/time/zone.ts';

/**
 * Settings of a site that administrators can change. From a row here follow the member of `Site`, that of the event, and the fields of a
 * command. A setting can be unset, which makes `unset` its value.
 */
interface Row<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  /** Value on a new site; absent: the setting is unset there. */
  readonly initial?: z.infer<S>;
  readonly unset: z.infer<S>;
  readonly hasDefault?: true;
  /** Converts a sent value to the stored one; null if it is rejected and the present value is kept. */
  readonly accept?: (value: z.infer<S>, present: z.infer<S>) => z.infer<S> | null;
}

const openness = z.enum(['open', 'closed']);
const text = limited.word;
const number = z.int();

const rows = {
  name: row(limited.title, { initial: '', unset: '' }),
  description: row(limited.paragraph, { initial: '', unset: '' }),
  timezone: row(text, { initial: 'UTC', unset: 'UTC', accept: acceptZone }),
  dateFormat: row(text, { initial: 'F j, Y', unset: '' }),
  timeFormat: row(text, { initial: 'g:i a', unset: '' }),
  startOfWeek: row(number, { initial: 1, unset: 0, accept: Math.abs }),
  language: row(text, {
    unset: 'en_US',
    hasDefault: true,
    accept: (value) => (['', 'en_US'].includes(value) ? value : null),
  }),
  useSmilies: row(z.boolean(), { initial: true, unset: true, hasDefault: true }),
  defaultCategory: row(number, { initial: 1, unset: 0, accept: Math.abs }),
  defaultPostFormat: row(text, { initial: '0', unset: '0' }),
  postsPerPage: row(number, { initial: 10, unset: 10, hasDefault: true, accept: acceptPageSize }),
  showOnFront: row(text, { initial: 'posts', unset: 'posts' }),
  pageOnFront: row(number, { initial: 0, unset: 0, accept: Math.abs }),
  pageForPosts: row(number, { initial: 0, unset: 0, accept: Math.abs }),
  defaultPingStatus: row(openness, { initial: 'open', unset: 'closed' }),
  defaultCommentStatus: row(openness, { initial: 'open', unset: 'closed' }),
  siteLogo: row(number, { unset: 0 }),
  siteIcon: row(number, { initial: 0, unset: 0, accept: Math.abs }),
};

type Rows = typeof rows;
export type SettingName = keyof Rows;
export type Settings = { readonly [N in SettingName]: z.infer<Rows[N]['schema']> };
export type SettingChanges = { readonly [N in SettingName]?: Settings[N] | null };

export const settingNames = Object.keys(rows) as readonly SettingName[];

/** Members of `SiteSettingsChanged`: the changed settings. */
export const changedSettingSchemas = Object.fromEntries(
  settingNames.map((name) => [name, rows[name].schema.nullable().exactOptional()]),
) as { [N in SettingName]: z.ZodExactOptional<z.ZodNullable<Rows[N]['schema']>> };

export const initialSettings = Object.fromEntries(
  settingNames.map((name) => [name, rowOf(name).initial ?? rowOf(name).unset]),
) as unknown as Settings;

export const initiallyUnset: readonly SettingName[] = settingNames.filter((name) => rowOf(name).initial === undefined);

export function unsetValue(name: SettingName): Settings[SettingName] {
  return rowOf(name).unset as Settings[SettingName];
}

/** The stored form of a sent value; the present value if it is rejected. */
export function acceptedValue(name: SettingName, value: unknown, present: unknown): unknown {
  const { accept } = rowOf(name);
  return accept === undefined ? value : (accept(value, present) ?? present);
}

export function hasDefault(name: SettingName): boolean {
  return rowOf(name).hasDefault === true;
}

function rowOf(name: SettingName): Row<z.ZodType> {
  return rows[name] as Row<z.ZodType>;
}

function row<S extends z.ZodType>(schema: S, rest: Omit<Row<S>, 'schema'>): Row<S> {
  return { schema, ...rest };
}

function acceptZone(name: string, present: string): string | null {
  if (name === '') return /^[+-]/.test(present) ? present : '+00:00';
  if (!/^[A-Z]/.test(name)) return null;
  try {
    zoneOf(name);
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    // Names are taken as they are listed; an older name of a zone is another word.
    return known !== name && known.toLowerCase() === name.toLowerCase() ? null : name;
  } catch {
    return null;
  }
}

/** At least one; −1 means all. */
function acceptPageSize(size: number): number {
  return size < -1 ? -size : size || 1;
}
