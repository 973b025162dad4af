import { undoReach } from '#catalogue/undo.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { type Fields, inverse, type UndoStep } from '#domain/undo/inverse.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { comments } from '#projections/comments/definition.ts';
import { entries } from '#projections/entries/definition.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Reader } from '#projections/reading/reader.ts';
import { finished } from '#text/finished.ts';
import { changesOthers, commentsOn, type ItemRef, itemsChanged, readCommit, streamOf } from './affected.ts';
import type { PlannedItem, UndoConflict, UndoneCommit, UndoPlan } from './plan-types.ts';
import { type Reference, stageRestored, type UndoArea, type UndoSubject, withSubject } from './subjects.ts';

export interface UndoWanted {
  /** A position in each commit. */
  readonly positions: readonly number[];
  /** Whether the plan has no fields of items that go: those of many take much memory. */
  readonly isBrief?: boolean;
}

export interface UndoSource {
  readonly log: Pick<EventStore, 'read'>;
  /** Whether the one who asks may change an item as it was and is. */
  readonly may: (item: ItemRef & { readonly stream: string }, states: readonly (object | null)[]) => boolean;
}

const forbidden = (stream: string): Refusal =>
  refuse('rest_cannot_undo', `Sorry, you are not allowed to undo changes of ${stream}.`, { stream });

/** Plans an undo on what a reader shows, pausing after every item. What commits did is taken back one after the other, the newest first. */
export function* planUndo(
  reader: Reader,
  { positions, isBrief = false }: UndoWanted,
  { log, may }: UndoSource,
): Generator<void, UndoPlan | Refusal> {
  const commits: UndoneCommit[] = [];
  const final: UndoConflict[] = [];
  const touched = new Map<string, { readonly item: ItemRef; readonly commits: UndoneCommit[] }>();
  for (const position of positions.toSorted((a, b) => a - b)) {
    if (position <= (commits.at(-1)?.last ?? 0)) continue;
    const read = readCommit(log, position);
    const [event] = read?.events ?? [];
    if (read === null || event === undefined)
      return refuse('rest_no_such_position', `The log has no position ${position}.`);
    const { first, last, events } = read;
    const commit = { first, last, at: event.at, actor: event.actor };
    commits.push(commit);
    final.push(...events.flatMap(finalIn));
    for (const item of itemsChanged(read, reader.earlier(first - 1))) {
      const key = `${streamOf(item)} ${item.id}`;
      const known = touched.get(key);
      if (known === undefined) touched.set(key, { item, commits: [commit] });
      else known.commits.push(commit);
    }
    yield;
  }
  const items: PlannedItem[] = [];
  for (const { item, commits: own } of touched.values()) {
    const planning = { item, commits: own, isBrief, log, may };
    const made = withSubject(item.area, (subject) => planItem(reader, subject, planning));
    if (made === null) return forbidden(streamOf(item));
    if (made.act !== 'none' || made.conflicts.length > 0) items.push(made);
    yield;
  }
  return yield* withObstacles(reader, { commits, items, final });
}

function finalIn({ type, stream, position, at, actor }: StoredEvent): readonly UndoConflict[] {
  const reach = undoReach(type, stream);
  if (reach.does !== 'refuse') return [];
  return [{ field: null, why: 'final', message: `${type} in ${stream}: ${reach.why}.`, by: { position, at, actor } }];
}

interface Planning extends UndoSource {
  readonly item: ItemRef;
  readonly commits: readonly UndoneCommit[];
  readonly isBrief: boolean;
}

/** Null: the one who asks may not change it. */
function planItem<S extends object>(
  reader: Reader,
  subject: UndoSubject<S>,
  { item, commits, isBrief, log, may }: Planning,
): PlannedItem | null {
  const { area, id } = item;
  const { read, fieldsOf } = subject;
  const stream = streamOf(item);
  const readAt = (model: Model) => read(model, id);
  const steps = commits.toReversed().map(
    ({ first, last }): UndoStep<S> => ({
      commit: first,
      before: readAt(reader.earlier(first - 1)),
      after: readAt(reader.earlier(last)),
    }),
  );
  const now = readAt(reader);
  if (!may({ area, id, stream }, [now, ...steps.flatMap(({ before, after }) => [before, after])])) return null;
  const { earlier, changed, overtaken } = inverse(now, { fieldsOf, steps });
  const [present, wanted] = [now && fieldsOf(now), earlier && fieldsOf(earlier)];
  const later = overtaken.length === 0 ? null : laterChange(stream, log, commits);
  const conflicts = overtaken.map(
    ({ field }): UndoConflict => ({ field, why: 'changed', message: changedSince(field, later), by: later }),
  );
  // What was not there then need not be there now.
  const isAtRisk = (one: Reference) =>
    changed.includes(one.field) && commits.some(({ first }) => isThere(one, reader.earlier(first - 1)));
  const wasErased = changed.length > 0 && isErased(stream, log);
  const act = changed.length === 0 ? 'none' : now === null ? 'create' : earlier === null ? 'delete' : 'change';
  const told = isBrief && act === 'delete' ? [] : changed;
  return {
    ...item,
    stream,
    revision: revisionOf(stream, log),
    act,
    fields: told
      .filter((name) => (earlier === null || now === null ? isSaid(shown(name, present ?? wanted)) : true))
      .map((name) => ({ name, now: shown(name, present), earlier: shown(name, wanted) })),
    conflicts: wasErased ? [...conflicts, erasedTexts] : conflicts,
    references: earlier === null ? [] : (subject.references?.(earlier) ?? []).filter(isAtRisk),
    ...(act === 'delete'
      ? { rivals: nobody, users: usersSince(reader, item, commits), apply: removing(subject, id) }
      : { ...givenBack({ reader, subject, id, stream, commits }, earlier, changed), users: nobody }),
  };
}

/** No function of its own for each item: it would keep the states that it was planned from. */
const nobody = (): readonly never[] => [];

interface GivingBack<S extends object> {
  readonly reader: Reader;
  readonly subject: UndoSubject<S>;
  readonly id: number;
  readonly stream: string;
  readonly commits: readonly UndoneCommit[];
}

/** What is done to an item that stays or comes back. */
function givenBack<S extends object>(
  { reader, subject, id, stream, commits }: GivingBack<S>,
  earlier: S | null,
  changed: readonly string[],
): Pick<PlannedItem, 'rivals' | 'apply'> {
  const wanted = earlier && subject.fieldsOf(earlier);
  return {
    rivals: (asked) =>
      earlier === null || !namesIn(changed)
        ? []
        : newSince(commits, { reader, asked }, (model) => subject.rivals?.(model, earlier)),
    apply(staging, left) {
      if (earlier === null) return null;
      const current = subject.read(staging, id);
      const back = changed.filter((name) => !left.has(name)).map((name) => wanted?.[name]);
      const state = Object.assign({}, current ?? earlier, ...back) as S;
      return stageRestored(staging, stream, subject.restore(staging, current, state));
    },
  };
}

/** Takes an item away. It keeps nothing of what the item is: the plan of a large undo has many of them. */
function removing<S extends object>({ remove }: UndoSubject<S>, id: number): PlannedItem['apply'] {
  return (staging) => {
    remove?.(staging, id);
    return null;
  };
}

function usersSince(reader: Reader, item: ItemRef, commits: readonly UndoneCommit[]): PlannedItem['users'] {
  return (asked, isPart) => {
    const all = usersOf(item, asked).filter((user) => !isPart(user));
    if (all.length === 0) return [];
    const streams = newSince(commits, { reader, asked }, (model) => usersOf(item, model).map(streamOf));
    return all.filter((user) => streams.includes(streamOf(user))).slice(0, 1);
  };
}

const erasedTexts: UndoConflict = { field: null, why: 'erased', message: 'Texts of it have been erased.', by: null };

/** Those of a list that it did not have before some commits: two items may have had one name, as those have that went with their author. */
function newSince<T>(
  [first]: readonly UndoneCommit[],
  { reader, asked }: { readonly reader: Reader; readonly asked: Model },
  listed: (model: Model) => readonly T[] | undefined,
): readonly T[] {
  const already = first === undefined ? [] : (listed(reader.earlier(first.first - 1)) ?? []);
  return (listed(asked) ?? []).filter((one) => !already.includes(one));
}

function namesIn(changed: readonly string[]): boolean {
  return ['slug', 'parent', 'place', 'email'].some((name) => changed.includes(name));
}

/** Whether a value says anything of an item that comes or goes. */
function isSaid(value: unknown): boolean {
  return !['', '0', '[]', '{}', 'null', 'false'].includes(
    typeof value === 'string' ? value : JSON.stringify(value ?? null),
  );
}

/** The member that a field has its name from, else all of its members; null: there is no such item. */
function shown<S>(name: string, fields: Fields<S> | null): unknown {
  const members = fields?.[name] as Readonly<Record<string, unknown>> | undefined;
  if (members === undefined) return null;
  const all = Object.entries(members).filter(([, value]) => value !== undefined);
  const [only] = all;
  return Object.hasOwn(members, name) ? members[name] : all.length === 1 ? only?.[1] : Object.fromEntries(all);
}

function isThere({ area, id }: Pick<Reference, 'area' | 'id'> | ItemRef, model: Model): boolean {
  if (area === 'user') return model.user(id) !== undefined;
  if (area === 'term') return model.namedTerm(id) !== undefined;
  const isEntry = area !== 'media' && model.entry(id) !== undefined;
  return isEntry || (area !== 'entry' && model.media(id) !== undefined);
}

type Later = UndoConflict['by'];

/** The last event of a stream that is not part of some commits. */
function laterChange(stream: string, log: Pick<EventStore, 'read'>, commits: readonly UndoneCommit[]): Later {
  for (const { position, at, actor, commit } of log.read({ stream, direction: 'backwards', sealed: 'none' })) {
    if (!commits.some(({ first }) => first === position - commit.i)) return { position, at, actor };
  }
  return null;
}

function changedSince(field: string | null, later: Later): string {
  const what = field === null ? 'It' : `Its ${field}`;
  return `${what} has been changed since${later === null ? '' : `, at position ${later.position}`}.`;
}

function revisionOf(stream: string, log: UndoSource['log']): number {
  const [last] = log.read({ stream, direction: 'backwards', limit: 1, sealed: 'none' });
  return last?.revision ?? 0;
}

function isErased(stream: string, log: Pick<EventStore, 'read'>): boolean {
  for (const { sealed, sealedDigest } of log.read({ stream, sealed: 'brief' }))
    if (sealed === null && sealedDigest !== null) return true;
  return false;
}

/** Adds what stands in the way: names that others have now, what is gone that is referred to, and what refers to what would go. */
function* withObstacles(reader: Reader, plan: UndoPlan): Generator<void, UndoPlan> {
  const { items } = plan;
  const acts = new Map(items.map((item) => [`${item.area} ${item.id}`, item]));
  const goes = (area: UndoArea, id: number) => acts.get(`${area} ${id}`)?.act === 'delete';
  const comes = (area: UndoArea, id: number) => acts.get(`${area} ${id}`)?.act === 'create';
  const areasOf = ({ area }: Reference): readonly UndoArea[] => (area === 'item' ? ['entry', 'media'] : [area]);
  const isMissing = (one: Reference): boolean =>
    areasOf(one).every((area) => goes(area, one.id) || !(comes(area, one.id) || isThere({ ...one, area }, reader)));
  const givesWay = (area: UndoArea, id: number): boolean =>
    ['entry', 'media', area as string].some((one) => {
      const rival = acts.get(`${one} ${id}`);
      return rival?.act === 'delete' || (rival?.act === 'change' && namesIn(rival.fields.map(({ name }) => name)));
    });
  const checked: PlannedItem[] = [];
  for (const item of items) {
    const missing = item.references.filter(({ id }) => id > 0).filter(isMissing);
    const gone = [...new Set(missing.map(({ field }) => field))].map((field): UndoConflict => {
      const message = `Its ${field} named something that is not there any more.`;
      return { field, why: 'gone', message, by: null };
    });
    const rivals = item.rivals(reader).filter((id) => !givesWay(item.area, id));
    const taken: UndoConflict[] = rivals.slice(0, 1).map((id) => {
      const field = ['slug', 'email'].find((one) => item.fields.some(({ name }) => name === one)) ?? 'parent';
      return { field, why: 'taken', message: `Its name has been taken by ${id}.`, by: null };
    });
    const used: UndoConflict[] = item
      .users(reader, (other) => acts.has(`${other.area} ${other.id}`))
      .map((user) => {
        return { field: null, why: 'used', message: `It would go, and is needed by ${streamOf(user)}.`, by: null };
      });
    checked.push({ ...item, conflicts: [...item.conflicts, ...gone, ...taken, ...used] });
    yield;
  }
  return { ...plan, items: checked };
}

/** A plan that was made at an earlier position, as a reader shows it; null: it has to be made anew. */
export function planStill(
  plan: UndoPlan,
  position: number,
  { reader, log }: { readonly reader: Reader; readonly log: UndoSource['log'] },
): UndoPlan | null {
  for (const { type } of log.read({ from: position + 1, sealed: 'none' })) if (changesOthers(type)) return null;
  if (plan.items.some(({ stream, revision }) => revisionOf(stream, log) !== revision)) return null;
  const isOwn = ({ why }: UndoConflict) => why === 'changed' || why === 'erased';
  const items = plan.items.map((item) => ({ ...item, conflicts: item.conflicts.filter(isOwn) }));
  return finished(withObstacles(reader, { ...plan, items }));
}

/** What would lose something with an item. */
function usersOf({ area, id }: ItemRef, model: Model): readonly ItemRef[] {
  const as = (of: UndoArea, ids: readonly number[]): readonly ItemRef[] =>
    ids.map((other) => ({ area: of, id: other }));
  const table = model.dated(entries);
  switch (area) {
    case 'entry':
    case 'media': {
      const own = commentsOn(id, model);
      const links = as('entry', table.itemsLeadingTo('post_type', id));
      if (area === 'media') return [...own, ...links, ...as('entry', table.featuring.of(id))];
      return [...own, ...links, ...as('entry', table.below.of(id)), ...as('media', model.attached(id))];
    }
    case 'term':
      return as('entry', [...table.having(id), ...table.itemsLeadingTo('taxonomy', id)]);
    case 'comment':
      return as('comment', model.dated(comments).table.answers(id));
    default:
      return [];
  }
}
