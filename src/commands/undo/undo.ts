import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { undoStream } from '#domain/undo/events.ts';
import type { Reader } from '#projections/reading/reader.ts';
import { finished } from '#text/finished.ts';
import { Refused } from '../refused.ts';
import type { Session } from '../session.ts';
import { planStill, planUndo, type UndoSource, type UndoWanted } from './plan.ts';
import type { PlannedItem, UndoConflict, UndoPlan } from './plan-types.ts';

export interface UndoRequest extends UndoWanted {
  /** What to do if something cannot be taken back: nothing at all, or the rest. */
  readonly conflicts: 'refuse' | 'skip';
  /** Whether only the plan is asked for. */
  readonly isDry: boolean;
}

/** A plan, and the position of the site that it was made for. */
export interface DatedPlan {
  readonly plan: UndoPlan | Refusal;
  readonly position: number;
}

/** Plans an undo ahead of its decision, in turns with others. */
export async function planAhead(
  reader: Reader,
  wanted: UndoWanted,
  { pause, ...source }: UndoSource & { readonly pause: () => Promise<void> },
): Promise<DatedPlan> {
  const { position } = reader;
  const planning = planUndo(reader, wanted, source);
  for (let step = planning.next(); ; step = planning.next()) {
    if (step.done) return { plan: step.value, position: reader.position === position ? position : -1 };
    await pause();
  }
}

/**
 * Undoes commits, or shows what that would do. The earlier state is staged at the end of the request. `ahead`: a plan that was made before;
 * it counts if nothing was changed since that it is about.
 */
export function undoCommits(
  session: Session,
  { isDry, conflicts, ...wanted }: UndoRequest,
  { ahead, ...source }: UndoSource & { readonly ahead?: DatedPlan | undefined },
): UndoPlan | Refusal {
  const plan = planNow(session, ahead, source) ?? finished(planUndo(session, wanted, source));
  if (isRefusal(plan) || isDry) return plan;
  const all = conflictsOf(plan);
  if (conflicts === 'refuse' && all.length > 0) return inTheWay(plan);
  const doable = plan.items.filter((item) => leftOf(item) !== null);
  if (doable.length === 0) return nothing;
  const commits = plan.commits.map(({ first }) => first);
  session.stage(undoStream, [{ type: 'CommitsUndone', data: { commits, left: all.length } }]);
  session.later(restoring(session, doable));
  return plan;
}

/** A plan that was made before, if it still holds; else null. */
function planNow(session: Session, ahead: DatedPlan | undefined, { log }: UndoSource): UndoPlan | Refusal | null {
  if (ahead === undefined || session.stagedCount > 0) return null;
  const { plan, position } = ahead;
  if (session.reached === position) return plan;
  // Others of the same commit group are not in the log yet.
  return isRefusal(plan) || !session.isSettled ? null : planStill(plan, position, { reader: session, log });
}

const nothing = refuse('rest_nothing_to_undo', 'There is nothing that could be undone: all is as it was before.');

export function conflictsOf({ items, final }: UndoPlan): readonly UndoConflict[] {
  return [...items.flatMap((item) => item.conflicts), ...final];
}

function inTheWay(plan: UndoPlan): Refusal {
  const all = conflictsOf(plan);
  const about = plan.items.find(({ conflicts }) => conflicts.length > 0)?.stream;
  const more =
    all.length === 1
      ? ''
      : all.length === 2
        ? ' One other change stays as well.'
        : ` ${all.length - 1} other changes stay as well.`;
  const first = `${about === undefined ? '' : `${about}: `}${all[0]?.message}`;
  const message = `Not everything can be undone. ${first}${more} The plan shows all of it, and “skip” undoes the rest.`;
  return refuse('rest_undo_conflicts', message, { conflicts: all.length });
}

/** Names of the fields that cannot be given back; null: nothing of the item can be. */
export function leftOf({ act, fields, conflicts }: PlannedItem): ReadonlySet<string> | null {
  if (act === 'none') return null;
  const left = new Set(conflicts.map(({ field }) => field));
  if (left.has(null)) return null;
  if (act !== 'change') return left.size > 0 ? null : new Set();
  const names = new Set([...left].filter((field) => field !== null));
  return fields.every(({ name }) => names.has(name)) ? null : names;
}

/** What comes and goes in this order: what is named by others comes first, and goes last. */
const order = ['term', 'user', 'media', 'entry', 'comment'];

function* restoring(session: Session, items: readonly PlannedItem[]): Generator<void> {
  const rank = ({ area }: PlannedItem) => order.indexOf(area);
  const going = items.filter(({ act }) => act === 'delete').sort((a, b) => rank(b) - rank(a) || b.id - a.id);
  const coming = items.filter(({ act }) => act === 'create').sort((a, b) => rank(a) - rank(b) || a.id - b.id);
  const changing = items.filter(({ act }) => act === 'change');
  for (const item of [...going, ...coming, ...changing]) {
    const refusal = session.during({ isRestoring: true }, () => item.apply(session, leftOf(item) ?? new Set()));
    if (refusal !== null) throw new Refused(refusal);
    yield;
  }
}
