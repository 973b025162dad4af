import { checkSum, sumOf, sumOfAscii, sumOfTexts } from '../kernel/sums.ts';
import type { Versioned } from '../kernel/versions.ts';
import { columns, facetColumns, type SqlValue } from './columns.ts';
import type { EntryRow, Rendered, WrittenRow } from './row.ts';

/** Checksums of a row: its facets, the rest of its state, its rendered texts. */
export const sums: readonly string[] = ['facets_sum', 'state_sum', 'shown_sum'];

/** Columns in the order used by `toValues` and `fromValues`. */
export const entryColumns: readonly string[] = [...columns.map(({ name }) => name), ...sums];

const allColumns = [...columns, ...sums.map((name) => ({ name, sql: 'INTEGER NOT NULL' }))];
const isLong = ({ name }: { readonly name: string }) => ['footnotes', 'excerpt_json', 'content_json'].includes(name);
/** Columns of the table. Those that may be long come last: SQLite has to read them to reach the ones behind. */
export const columnsOfTable: readonly { readonly name: string; readonly sql: string }[] = [
  ...allColumns.filter((column) => !isLong(column)),
  ...allColumns.filter(isLong),
];

const placeOf = (name: string): number => entryColumns.indexOf(name);
const shownColumns = ['title_json', 'excerpt_json', 'content_json', 'content_parts'];
/** Columns that are empty until `renderMissing` has processed a row, and their checksum. */
export const renderedColumns: readonly string[] = [...shownColumns, 'shown_sum'];
const facetsIn = compilePicker(facetColumns);
const stateIn = compilePicker([
  'id',
  ...columns.map(({ name }) => name).filter((name) => !facetColumns.includes(name) && !shownColumns.includes(name)),
]);
const sumPlaces = sums.map(placeOf);

export const partsPlace = placeOf('content_parts');
export const touchedPlace = placeOf('touched');

export function shownSum(id: number, { titleJson, excerptJson, contentJson }: Rendered): number {
  return sumOfAscii(id, [titleJson, excerptJson, contentJson]);
}

/** `shownSum` for a content in parts, which have checksums of their own. */
export function shownSumOfParts(
  id: number,
  { titleJson, excerptJson }: Pick<Rendered, 'titleJson' | 'excerptJson'>,
  parts: readonly number[],
): number {
  return sumOfAscii(id, [titleJson, excerptJson, parts.join()]);
}

/** `shown`: checksum of the rendered texts. */
export function toValues(row: EntryRow, shown = shownSum(row.id, row)): SqlValue[] {
  const values = stateOf(row);
  return [...values, facetsSum(values), stateSum(values), shown];
}

/** Rendered texts of the past are made when they are read. */
export const versionedEntries: Versioned = {
  without: { title_json: "''", excerpt_json: "''", content_json: "''", content_parts: '0', shown_sum: 'id' },
  lookedUpBy: ['slug'],
  isHeldBack: true,
};
const keptIn = compilePicker(columnsOfTable.map(({ name }) => name).filter((name) => !renderedColumns.includes(name)));

/** The values of a row that are kept when others replace it. */
export function toKept(row: EntryRow): SqlValue[] {
  const values = stateOf(row);
  const state = [...values, facetsSum(values), stateSum(values), 0];
  return keptIn(state);
}

/** `toValues` for a row whose content remains in the parts with these checksums. */
export function toValuesBeside(row: EntryRow, parts: readonly number[]): SqlValue[] {
  const beside = { ...row, contentJson: '' };
  return toValues(beside, shownSumOfParts(row.id, row, parts)).with(partsPlace, parts.length);
}

/** Throws `ProjectionsDamaged` when a row is damaged. `content`: reads a long content. */
export function fromValues(v: readonly SqlValue[], content?: () => readonly string[]): EntryRow {
  const row = rowOf(v);
  const { id } = row;
  const [facets, state, shown] = sumPlaces.map((place) => v[place]);
  checkSum(facets, facetsSum(v), 'entries', id);
  checkSum(state, stateSum(v), 'entries', id);
  if (content === undefined) checkSum(shown, shownSum(id, row), 'entries', id);
  return content === undefined ? row : withContent(row, content);
}

/**
 * A row whose content is read on demand. The property is not enumerable, so copies by spreading, which serve other members, do not
 * contain it.
 */
export function withContent<R extends object>(row: R, content: () => readonly string[]): R {
  const hidden = { enumerable: false, configurable: true };
  return Object.defineProperties(row, {
    contentJson: { ...hidden, get: () => joined(content()) },
    contentParts: { ...hidden, get: content },
  });
}

const whole = new WeakMap<readonly string[], string>();

function joined(parts: readonly string[]): string {
  const known = whole.get(parts);
  if (known !== undefined) return known;
  // The operator joins them without copying.
  const text = parts.reduce((all, part) => all + part, '');
  whole.set(parts, text);
  return text;
}

/** The rendered content, in parts. */
export function contentParts(row: Partial<Rendered>): readonly string[] {
  return (row as { readonly contentParts?: readonly string[] }).contentParts ?? [row.contentJson ?? ''];
}

/** Whether its content is long, and only read on demand. */
export function hasLongContent(row: object | undefined): boolean {
  return row !== undefined && Object.getOwnPropertyDescriptor(row, 'contentJson')?.get !== undefined;
}

export function textsSum(id: number, { texts, places }: WrittenRow): number {
  const { title, content, excerpt, footnotes } = places;
  return sumOfTexts(sumOf([id, title, content, excerpt, footnotes]), [texts.excerpt, texts.content]);
}

/** `textsSum` for a content in parts, which have checksums of their own. */
export function textsSumOfParts(id: number, { texts, places }: WrittenRow, parts: readonly number[]): number {
  return sumOfTexts(sumOf([id, ...Object.values(places)]), [texts.excerpt, parts.join()]);
}

function facetsSum(values: readonly SqlValue[]): number {
  return sumOf(facetsIn(values));
}

function stateSum(values: readonly SqlValue[]): number {
  return sumOf(stateIn(values));
}

type Writer = (row: EntryRow) => SqlValue[];
type Reader = (values: readonly SqlValue[]) => EntryRow;

const stateOf: Writer = compileWriter();
/** Reads a row without checking its checksums. */
export const rowOf: Reader = compileReader();

// Literals of fixed shape: a loop over the columns takes twice as long as the rest of reading a row.
function compileWriter(): Writer {
  const values = columns.map(({ member, write }, at) => (write === undefined ? `row.${member}` : `write[${at}](row)`));
  return new Function('write', `return (row) => [${values}]`)(columns.map(({ write }) => write));
}

function compileReader(): Reader {
  const members = columns.flatMap(({ member, read }, at) => {
    if (member === undefined) return [];
    return `${member}: ${read === undefined ? `values[${at}]` : `read[${at}](values, ${at})`}`;
  });
  return new Function('read', `return (values) => ({ ${members} })`)(columns.map(({ read }) => read));
}

function compilePicker(names: readonly string[]): (values: readonly SqlValue[]) => SqlValue[] {
  return new Function('values', `return [${names.map((name) => `values[${placeOf(name)}]`)}]`) as never;
}
