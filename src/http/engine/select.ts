import { MOST_ITEMS } from './limits.ts';
import { splitList } from './shapes.ts';

/** Fields that an answer is cut down to; `true` stands for a whole field, a selection for parts of it. */
export type Selection = Map<string, Selection | true>;

/** No field has a longer name. */
const LONGEST_NAME = 512;

/**
 * Reads `_fields`: a list of names, dotted ones selecting inside. Null when it has no effect. A part of what is
 * named as a whole adds nothing.
 */
export function parseSelection(value: unknown): Selection | null {
  const names = namesIn(value).slice(0, MOST_ITEMS);
  if (names.length === 0) return null;
  const root: Selection = new Map();
  for (const name of names) if (name.length <= LONGEST_NAME) add(root, name.trim().split('.'));
  return root;
}

/** What a selection leaves of a value. Selecting deeper than the data goes gives the last level that exists. */
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
