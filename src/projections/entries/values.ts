import { checkSum, sumOf, sumOfTexts } from '../sums.ts';
import { columns, facetColumns, type SqlValue } from './columns.ts';
import type { EntryRow, Rendered } from './row.ts';

/** Checksums of a row: its facets, the rest of its state, what is sent of its texts. */
export const sums: readonly string[] = ['facets_sum', 'state_sum', 'shown_sum'];

/** Columns in the order in which `toValues` and `fromValues` have them. */
export const entryColumns: readonly string[] = [...columns.map(({ name }) => name), ...sums];

const placeOf = (name: string): number => entryColumns.indexOf(name);
const shownColumns = ['title_json', 'excerpt_json', 'content_json'];
const facetPlaces = facetColumns.map(placeOf);
const statePlaces = columns
  .map(({ name }) => name)
  .filter((name) => !facetColumns.includes(name) && !shownColumns.includes(name))
  .map(placeOf);
const sumPlaces = sums.map(placeOf);

/** Checksum of what is sent of an entry's texts. */
export function shownSum(id: number, { titleJson, excerptJson, contentJson }: Rendered): number {
  return sumOfTexts(id, [titleJson, excerptJson, contentJson]);
}

function sumsOf(values: readonly SqlValue[], row: EntryRow): readonly number[] {
  const facets = facetPlaces.map((i) => values[i] as SqlValue);
  const state = statePlaces.map((i) => values[i] as SqlValue);
  return [sumOf(facets), sumOf([row.id, ...state]), shownSum(row.id, row)];
}

export function toValues(row: EntryRow): SqlValue[] {
  const values = stateOf(row);
  return [...values, ...sumsOf(values, row)];
}

/** Throws `ProjectionsDamaged` where a row is not what was written. */
export function fromValues(v: readonly SqlValue[]): EntryRow {
  const row = rowOf(v);
  for (const [i, sum] of sumsOf(v, row).entries()) checkSum(v[sumPlaces[i] as number], sum, 'entries', row.id);
  return row;
}

type Writer = (row: EntryRow) => SqlValue[];
type Reader = (values: readonly SqlValue[]) => EntryRow;

/** The values of a row but its checksums. */
const stateOf: Writer = compileWriter();
const rowOf: Reader = compileReader();

// Literals of fixed shape: a loop over the columns takes twice as long as all else that reading a row does.
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
