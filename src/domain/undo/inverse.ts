/**
 * A state as fields that can be given back one by one: members that change together, by the name under which they are shown. All of them
 * assigned to a state replace what it was.
 */
export type Fields<S> = Readonly<Record<string, Partial<S>>>;

/** What one commit did to an item; null: it did not exist. */
export interface UndoStep<S> {
  /** Position at which the commit begins. */
  readonly commit: number;
  readonly before: S | null;
  readonly after: S | null;
}

/** A change that cannot be taken back because something else changed the same later. */
export interface Overtaken {
  readonly commit: number;
  /** Null: the item as a whole, which is gone or has come back. */
  readonly field: string | null;
}

export interface Inverse<S> {
  /** The item as it should be; null: it should not exist. */
  readonly earlier: S | null;
  /** Fields in which that differs from now; all if the item comes or goes. */
  readonly changed: readonly string[];
  readonly overtaken: readonly Overtaken[];
}

interface Undoing<S> {
  readonly fieldsOf: (state: S) => Fields<S>;
  /** Newest first. */
  readonly steps: readonly UndoStep<S>[];
}

/** Takes back what commits did to an item, one after the other. What others changed meanwhile stays. */
export function inverse<S extends object>(now: S | null, { fieldsOf, steps }: Undoing<S>): Inverse<S> {
  const overtaken: Overtaken[] = [];
  let base = now;
  let then: Record<string, Partial<S>> | null = now && { ...fieldsOf(now) };
  for (const { commit, before, after } of steps) {
    const [was, became] = [before && fieldsOf(before), after && fieldsOf(after)];
    if (was === null && became === null) continue;
    if (became === null) {
      // Who has brought it back meanwhile wanted it as it is now.
      if (then !== null) continue;
      base = before;
      then = { ...was };
    } else if (then === null) {
      if (was !== null) overtaken.push({ commit, field: null });
    } else if (was === null) {
      const present: Record<string, Partial<S>> = then;
      const later = Object.keys(became).filter((name) => !isSame(present[name], became[name]));
      for (const field of later) overtaken.push({ commit, field });
      if (later.length === 0) then = null;
    } else {
      const present: Record<string, Partial<S>> = then;
      for (const name of Object.keys(became)) {
        if (isSame(was[name], became[name]) || isSame(present[name], was[name])) continue;
        const back = isSame(present[name], became[name])
          ? was[name]
          : withoutStep(present[name], { was: was[name], became: became[name] });
        if (back === undefined) overtaken.push({ commit, field: name });
        else present[name] = back as Partial<S>;
      }
    }
  }
  const state = then === null || base === null ? null : (Object.assign({}, base, ...Object.values(then)) as S);
  return { earlier: state, changed: changedBetween(now && fieldsOf(now), then), overtaken };
}

/** The lists of ids in a field without what a step added, and with what it removed; undefined if it has something else. */
function withoutStep(
  now: object | undefined,
  step: { was: object | undefined; became: object | undefined },
): object | undefined {
  const { was, became } = step;
  if (now === undefined || was === undefined || became === undefined) return undefined;
  const lists = Object.keys({ ...now, ...was, ...became }).map((name): [string, readonly number[] | null] => {
    const [present, before, after] = [now, was, became].map((one) => (one as Record<string, unknown>)[name] ?? []);
    if (!isList(present) || !isList(before) || !isList(after)) return [name, null];
    const kept = present.filter((id) => before.includes(id) || !after.includes(id));
    return [name, [...kept, ...before.filter((id) => !after.includes(id) && !present.includes(id))]];
  });
  return lists.some(([, list]) => list === null) ? undefined : Object.fromEntries(lists);
}

function isList(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'number');
}

function changedBetween(now: Fields<object> | null, then: Fields<object> | null): string[] {
  if (now === null || then === null) return Object.keys(now ?? then ?? {});
  return Object.keys(then).filter((name) => !isSame(now[name], then[name]));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
