import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { findAccount, unknown } from '#commands/erasure.ts';
import type { UndoConflict, UndoneField, UndoPlan } from '#commands/undo/plan-types.ts';
import { conflictsOf, leftOf, planAhead, undoCommits } from '#commands/undo/undo.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { viewerOf } from '#domain/user/roles.ts';
import { valueInBrief } from '#http/audit/undone.ts';
import { mayUndo } from '#http/tables/undo/rights.ts';
import { commitsMatching } from '#projections/audit/commits.ts';
import { type AuditFilter, auditQuery, filterMeanings } from '#projections/audit/filter.ts';
import { AuditNames } from '#projections/audit/names.ts';
import { Reader } from '#projections/reading/reader.ts';
import { openArchive } from './audit/archive.ts';
import { followTask } from './follow.ts';
import type { Outcome } from './outcome.ts';
import { defineLocalVerb, defineVerb, UsageError, type VerbPlace, type VerbStore, write } from './verb.ts';
import { counted } from './verify/check.ts';

const byFilter = ['user', 'origin', 'from', 'to', 'entry', 'stream', 'correlation'] as const;
const position = z.string().regex(/^[1-9]\d{0,14}$/, 'is not a position');
const carrying = {
  yes: z.boolean().optional().describe('carry it out; without this, only list what would be done'),
  as: z.string().min(1).optional().describe('with --yes: login of the account whose act it is, and whose rights count'),
  skip: z.boolean().optional().describe('undo the rest where something cannot be taken back; else nothing is done'),
};

const commits = z.array(position).describe('positions, each of an event of a commit, from `audit`');
const order = z.object({ commits, ...carrying });
const args = z.object({
  commits,
  ...(Object.fromEntries(
    byFilter.map((name) => [name, z.string().min(1).optional().describe(filterMeanings[name])]),
  ) as Record<(typeof byFilter)[number], z.ZodOptional<z.ZodString>>),
  ...carrying,
});

/** Finds the commits, and has the process with the store undo them. */
export const undo = defineLocalVerb({
  name: 'undo',
  summary: 'Undoes commits as one: all items become what they were before. Can be undone itself.',
  example: 'undo --user bot --from 2026-03-01T14:00:00 --yes --as ada',
  positionals: ['commits'],
  writes: true,
  args,
  here: async (place, { commits: named, yes, as, skip, ...filter }) => {
    if (yes === true && as === undefined) throw new UsageError('--as is missing: it names the account whose act it is');
    const positions = await positionsOf(named, filter, place);
    if (isRefusal(positions)) return { kind: 'refused', code: positions.code, message: positions.message };
    const given = { commits: positions.map(String), ...(yes && { yes }), ...(as && { as }), ...(skip && { skip }) };
    return followTask(place, 'undo commits', given, { controls: undoControls, untilDone: shown(place) });
  },
});

/** Internal verb that `undo` sends to the server; not for typing. */
export const undoControls = [
  defineVerb({
    name: 'undo commits',
    summary: 'Undoes commits.',
    example: 'undo commits 12',
    positionals: ['commits'],
    args: order,
    run: (store, given) => carryOut(store, given),
  }),
];

async function positionsOf(
  named: readonly string[],
  filter: AuditFilter,
  { config }: VerbPlace,
): Promise<readonly number[] | Refusal> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (named.length > 0 && isFiltered)
    throw new UsageError('name positions, or who made the commits and when: not both');
  if (named.length > 0) return named.map(Number);
  if (!isFiltered) throw new UsageError('name positions of commits, or who made them, from where, or when');
  const archive = openArchive(config.dataDir);
  try {
    const query = auditQuery(filter, { ...archive, archive });
    if (isRefusal(query)) return query;
    const found = await commitsMatching(query, { archive, pause: turn });
    return isRefusal(found) || found.length > 0 ? found : refuse('rest_nothing_to_undo', 'No commit fits.');
  } finally {
    archive.close();
  }
}

async function carryOut(
  store: VerbStore,
  { commits: named, yes = false, as: login, skip = false }: z.infer<typeof order>,
): Promise<unknown> {
  const account = login === undefined ? undefined : findAccount(store.reader, login);
  if (login !== undefined && account === undefined) return unknown(login);
  if (account?.disabled === true) return refuse('rest_cannot_undo', `The account ${login} is disabled.`);
  const viewer = account === undefined ? null : viewerOf(account);
  const { reader, log } = store;
  const wanted = { positions: named.map(Number), isBrief: true };
  // Who works on the server sees everything anyway.
  const source = { log, may: viewer === null ? () => true : mayUndo(viewer, reader) };
  const ahead = reader instanceof Reader ? await planAhead(reader, wanted, { ...source, pause: turn }) : undefined;
  const asked = { ...wanted, isDry: !yes, conflicts: skip ? 'skip' : 'refuse' } as const;
  const plan = await write(store, (session) => undoCommits(session, asked, { ...source, ahead }), viewer);
  return isRefusal(plan)
    ? plan
    : { isDone: yes, lines: linesOf(plan, { names: new AuditNames(store.log), isDone: yes, skip }) };
}

const told = z.object({ isDone: z.boolean(), lines: z.array(z.string()) });

function shown({ json }: VerbPlace) {
  return async (begun: unknown): Promise<Outcome> => {
    const { lines } = told.parse(begun);
    return { kind: 'done', value: begun, ...(json ? {} : { text: lines.join('\n') }) };
  };
}

const acts = { change: 'changes', delete: 'deletes', create: 'brings back', none: 'leaves' } as const;

function linesOf(
  plan: UndoPlan,
  { names, isDone, skip }: { readonly names: AuditNames; readonly isDone: boolean; readonly skip: boolean },
): string[] {
  const about = (stream: string) => {
    const { kind, id, title } = names.thing(stream);
    return [kind, id ?? '', title === '' ? '' : `“${title}”`].filter((part) => part !== '').join(' ');
  };
  const items = plan.items.flatMap((item) => [
    `${leftOf(item) === null ? acts.none : acts[item.act]} ${about(item.stream)}`,
    ...(item.act === 'change' ? item.fields.map(fieldLine) : []),
    ...item.conflicts.map((conflict) => `  stays: ${inWords(conflict, names)}`),
  ]);
  const final = plan.final.map((conflict) => `stays: ${inWords(conflict, names)}`);
  const commits = counted(plan.commits.length, plan.commits.length === 1 ? 'commit' : 'commits');
  if (isDone) return [...items, ...final, `undone: ${commits}`];
  if (plan.items.every((item) => leftOf(item) === null))
    return [...items, ...final, 'There is nothing that could be undone.'];
  const left = conflictsOf(plan).length;
  const inTheWay = left === 0 ? '' : ` Something is in the way of ${left} of their changes, which stay.`;
  const how = left > 0 || skip ? '--yes --skip --as LOGIN' : '--yes --as LOGIN';
  return [...items, ...final, `This would undo ${commits}.${inTheWay} Say ${how} to do it.`];
}

function fieldLine({ name, now, earlier }: UndoneField): string {
  return `  ${name}: ${valueInBrief(now, 60)} → ${valueInBrief(earlier, 60)}`;
}

function inWords({ message, by }: UndoConflict, names: AuditNames): string {
  return by === null ? message : `${message} (${names.login(by.actor)}, ${by.at})`;
}
