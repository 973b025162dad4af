import { checkSum, sumOf, sumOfAscii, sumOfTexts } from '../kernel/sums.ts';
import { columns, facetColumns, type SqlValue } from './columns.ts';
import type { EntryRow, Rendered, WrittenRow } from './row.ts';

/** Checksums of a row: its facets, the rest of its state, its rendered texts. */
export const sums: readonly string[] = ['facets_sum', 'state_sum', 'shown_sum'];

/** Columns in the order used by `toValues` and `fromValues`. */
export const entryColumns: readonly string[] = [...columns.map(({ name }) => name), ...sums];

const placeOf = (name: string): number => entryColumns.indexOf(name);
const shownColumns = ['title_json', 'excerpt_json', 'content_json'];
/** Columns that are empty until `renderMissing` has processed a row, and their checksum. */
export const renderedColumns: readonly string[] = [...shownColumns, 'shown_sum'];
const facetsIn = compilePicker(facetColumns);
const stateIn = compilePicker([
  'id',
  ...columns.map(({ name }) => name).filter((name) => !facetColumns.includes(name) && !shownColumns.includes(name)),
]);
const sumPlaces = sums.map(placeOf);

export function shownSum(id: number, { titleJson, excerptJson, contentJson }: Rendered): number {
  return sumOfAscii(id, [titleJson, excerptJson, contentJson]);
}

export function toValues(row: EntryRow): SqlValue[] {
  const values = stateOf(row);
  return [...values, facetsSum(values), stateSum(values), shownSum(row.id, row)];
}

/** Throws `ProjectionsDamaged` when a row is damaged. */
export function fromValues(v: readonly SqlValue[]): EntryRow {
  const row = rowOf(v);
  const { id } = row;
  const [facets, state, shown] = sumPlaces.map((place) => v[place]);
  checkSum(facets, facetsSum(v), 'entries', id);
  checkSum(state, stateSum(v), 'entries', id);
  checkSum(shown, shownSum(id, row), 'entries', id);
  return row;
}

export function textsSum(id: number, { texts, places }: WrittenRow): number {
  const { title, content, excerpt, footnotes } = places;
  return sumOfTexts(sumOf([id, title, content, excerpt, footnotes]), [texts.excerpt, texts.content]);
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
