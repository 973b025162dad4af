import { type FolderMoment, folderMoment, readFolderDate } from './folder-dates.ts';
import type { FolderText, TakenFields } from './folder-fields.ts';
import type { FolderPreset } from './folder-presets.ts';
import { folderNotice } from './folder-tree.ts';
import type { ItemRecord, SourceNotice } from './records.ts';

/** When a text appears, as it says itself and as it is taken. */
export interface FolderTimes {
  readonly record: Pick<ItemRecord, 'status' | 'date' | 'dateGmt' | 'modified' | 'modifiedGmt'>;
  /** The date that the text or the name of its file says; null: neither does. */
  readonly said: FolderMoment | null;
  readonly notices: readonly SourceNotice[];
}

const dateFields = ['date', 'appears', 'expires', 'modified'] as const;
const statuses = ['publish', 'draft', 'pending', 'private', 'future', 'trash'];

/** `day`: date in the name of its file; '': none. */
export function folderTimes(
  text: FolderText,
  { take }: TakenFields,
  preset: FolderPreset,
  { day, now }: { readonly day: string; readonly now: number | undefined },
): FolderTimes {
  const { path, data, lineOf, time } = text;
  const read = (value: unknown) => readFolderDate(value, preset.timezone);
  const [date, appears, expires] = [take('date', read), take('appears', read), take('expires', read)];
  const modified = take('modified', read);
  const isPast = (moment: FolderMoment | null) => moment !== null && now !== undefined && moment.time <= now;
  const isLater = (moment: FolderMoment | null) => moment !== null && now !== undefined && moment.time > now;
  const said = isLater(appears) ? appears : (date ?? appears ?? read(day));
  const given = statusGiven({ take }, path);
  const isExpired = isPast(expires) && (given === null || given === 'publish');
  const status = isExpired ? 'draft' : (given ?? (isLater(said) ? 'future' : 'publish'));
  const names = [...new Set(dateFields.flatMap((field) => preset.fields[field]))];
  const unreadable = names.filter((name) => isWritten(data[name]) && read(data[name]) === null);
  const own = said ?? folderMoment(time, preset.timezone);
  const instead = said === null ? 'the time of its file' : said.date;
  return {
    said,
    record: {
      status,
      // A draft without a date is of when it appears.
      ...{ date: own.date, dateGmt: said === null && status === 'draft' ? null : own.dateGmt },
      ...{ modified: modified?.date ?? null, modifiedGmt: modified?.dateGmt ?? null },
    },
    notices: [
      ...unreadable.map((name) => {
        const message = `has the ${name} ${JSON.stringify(data[name])}, which is no date that can be read (${instead} counts): write it as 2024-05-31.`;
        return folderNotice(path, 'date_unreadable', message, lineOf(name), 'repaired');
      }),
      ...(isExpired
        ? [folderNotice(path, 'expired', `expired on ${expires?.date?.slice(0, 10)}, so it is a draft.`)]
        : []),
    ],
  };
}

function isWritten(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && typeof value !== 'boolean';
}

function statusGiven({ take }: Pick<TakenFields, 'take'>, path: string): string | null {
  const asBoolean = (value: unknown) => (typeof value === 'boolean' ? value : null);
  const [draft, published] = [take('draft', asBoolean), take('published', asBoolean)];
  const given = take('status', (value) => {
    const status = value === 'published' ? 'publish' : value === 'scheduled' ? 'future' : value;
    return typeof status === 'string' && statuses.includes(status) ? status : null;
  });
  return draft === true || published === false || /(?:^|\/)_drafts\//.test(path) ? 'draft' : given;
}
