import { z } from 'zod';
import type { PlannedItem, UndoConflict, UndoPlan } from '#commands/undo/plan-types.ts';
import { conflictsOf, leftOf } from '#commands/undo/undo.ts';
import { snake } from '#projections/audit/fields.ts';
import type { AuditNames } from '#projections/audit/names.ts';

/** How commits to undo are found: filters of the audit. */
export const undoFilters = ['user', 'origin', 'from', 'to', 'entry', 'stream', 'correlation'] as const;

const count = z.int().min(0);
const instant = z.iso.datetime({ precision: 3 });
const user = z.object({ id: count.nullable().describe('Null: the system itself.'), name: z.string() });
const by = z.object({ position: z.int().min(1), time: instant, user }).nullable();

const conflict = z.object({
  field: z.string().nullable().describe('Null: the item as a whole.'),
  why: z
    .enum(['changed', 'gone', 'taken', 'used', 'erased', 'final'])
    .describe(
      'It was changed since; what it named is gone; its name is taken; it is needed by something newer; it was erased; there is no way back.',
    ),
  message: z.string(),
  by: by.describe('The later change; null: there is none.'),
});

const item = z.object({
  stream: z.string(),
  kind: z.string(),
  id: z.int().nullable(),
  title: z.string(),
  act: z.enum(['change', 'delete', 'create', 'none']).describe('What is done to it; `create`: it comes back.'),
  fields: z.array(z.object({ name: z.string(), now: z.unknown(), earlier: z.unknown() })),
  left: z.boolean().describe('Nothing of it can be given back.'),
  conflicts: z.array(conflict),
});

export const undone = z.object({
  done: z.boolean().describe('False: only the plan was asked for.'),
  commits: z.array(z.object({ position: z.int().min(1), time: instant, user, events: z.int().min(1) })),
  items: z.array(item),
  conflicts: z.array(conflict).describe('Those that are of no item.'),
  left: count.describe('Number of conflicts of all.'),
});

interface Naming {
  readonly names: AuditNames;
  readonly isDone: boolean;
}

export function undoJson(plan: UndoPlan, { names, isDone }: Naming): z.infer<typeof undone> {
  const who = (actor: number | null) => ({ id: actor, name: names.login(actor) });
  const conflictJson = ({ field, why, message, by: later }: UndoConflict) => ({
    field: field === null ? null : snake(field),
    why,
    message,
    by: later && { position: later.position, time: later.at, user: who(later.actor) },
  });
  const itemJson = (one: PlannedItem) => {
    const { kind, id, title } = names.thing(one.stream);
    return {
      stream: one.stream,
      kind,
      id,
      title,
      act: one.act,
      fields: one.fields.map(({ name, now, earlier }) => ({
        name: snake(name),
        now: now ?? null,
        earlier: earlier ?? null,
      })),
      left: leftOf(one) === null,
      conflicts: one.conflicts.map(conflictJson),
    };
  };
  const commits = plan.commits.map(({ first, last, at, actor }) => {
    return { position: first, time: at, user: who(actor), events: last - first + 1 };
  });
  const left = conflictsOf(plan).length;
  return { done: isDone, commits, items: plan.items.map(itemJson), conflicts: plan.final.map(conflictJson), left };
}

/** The value of a field for people, with this many characters at most. */
export function valueInBrief(value: unknown, longest: number): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ');
  return text.length > longest ? `${text.slice(0, longest)}…` : text || '(nothing)';
}
