import { MAX_ITEMS, splitList } from '#text/shapes.ts';

/** The selected fields: `true` for a whole field, a nested selection for parts of it. */
export type Selection = Map<string, Selection | true>;

/** In characters; no field has a longer name. */
const LONGEST_NAME = 512;

/** Reads `_fields`: a list of names, with dots for parts of a field. Null if it has no effect. A whole field includes its parts. */
export function parseSelection(value: unknown): Selection | null {
  const names = namesIn(value).slice(0, MAX_ITEMS);
  if (names.length === 0) return null;
  const root: Selection = new Map();
  for (const name of names) if (name.length <= LONGEST_NAME) add(root, name.trim().split('.'));
  return root;
}

/** Reduces a value to a selection. One that goes deeper than the data gives the deepest level that exists. */
export function selectFrom(value: unknown, selection: Selection): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const inner = selection.get(key);
    if (inner === undefined) return [];
    return [[key, inner === true ? member : selectFrom(member, inner)]];
  });
  const isList = Array.isArray(value) && kept.every(([key], index) => key === String(index));
  return isList ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}

function add(root: Selection, path: readonly string[]): void {
  let level = root;
  for (const part of path.slice(0, -1)) {
    const known = level.get(part);
    if (known === true) return;
    const next: Selection = known ?? new Map();
    level.set(part, next);
    level = next;
  }
  const last = path.at(-1);
  if (last !== undefined) level.set(last, true);
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string');
  return typeof value === 'string' ? splitList(value) : [];
}
