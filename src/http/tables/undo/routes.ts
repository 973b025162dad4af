import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type DatedPlan, planAhead, undoCommits } from '#commands/undo/undo.ts';
import { invalidParam, isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import { commitsMatching } from '#projections/audit/commits.ts';
import { type AuditFilter, filterMeanings } from '#projections/audit/filter.ts';
import type { Model } from '#projections/reading/model.ts';
import { Reader } from '#projections/reading/reader.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { mayEditSomething } from '#site/rights.ts';
import { queryOfFilters } from '../../audit/filters.ts';
import type { AuditSource } from '../../audit/store.ts';
import { undoFilters, undoJson, undone } from '../../audit/undone.ts';
import { recordSource } from '../../audit/words.ts';
import type { Answer, Args, Call, Route, Sent } from '../../engine/types.ts';
import { mayUndo } from './rights.ts';

const undoArgs: Args<Model> = {
  commits: {
    schema: z
      .array(z.int().min(1))
      .max(25_000)
      .describe(
        'Commits to undo, each by the position of one of its events. Default: all that fit the other parameters.',
      ),
  },
  ...Object.fromEntries(undoFilters.map((name) => [name, { schema: z.string().describe(`${filterMeanings[name]}.`) }])),
  dry_run: { schema: z.boolean().default(false).describe('Only answer what would be done.') },
  conflicts: {
    schema: z
      .enum(['refuse', 'skip'])
      .default('refuse')
      .describe('If something cannot be taken back: do nothing at all, or undo the rest.'),
  },
};

interface Ahead {
  readonly positions: readonly number[] | Refusal;
  readonly plan: DatedPlan | undefined;
}

/** What was prepared for a request. */
const prepared = new WeakMap<Sent, Ahead>();

/** Undo: an addition to the reference system. */
export function undoRoutes(source: AuditSource): readonly Route<Model, Session>[] {
  return [
    {
      namespace: CONTENT,
      pattern: `/${CONTENT}/history/undo`,
      endpoints: [
        {
          methods: ['POST'],
          summary: 'Undo commits as one: all items become what they were before',
          args: undoArgs,
          answers: undone,
          permission: ({ viewer }) =>
            mayEditSomething(viewer) ? null : refuse('rest_cannot_undo', 'Sorry, you are not allowed to undo changes.'),
          prepare: (call) => prepare(call, source),
          command: (call) => run(call, source),
        },
      ],
    },
  ];
}

async function prepare(call: Call<Model>, source: AuditSource): Promise<void> {
  const { model, viewer, request } = call;
  const positions = await positionsIn(call, source);
  if (isRefusal(positions) || !(model instanceof Reader)) {
    prepared.set(request, { positions, plan: undefined });
    return;
  }
  const { log } = source.store;
  const plan = await planAhead(model, { positions }, { log, may: mayUndo(viewer, model), pause: turn });
  prepared.set(request, { positions, plan });
}

async function positionsIn(call: Call<Model>, source: AuditSource): Promise<readonly number[] | Refusal> {
  const { params } = call;
  const filter: AuditFilter = Object.fromEntries(
    undoFilters.flatMap((name) => (call.sent(name) === undefined ? [] : [[name, String(params[name])]])),
  );
  const empty = undoFilters.find((name) => filter[name]?.trim() === '');
  if (empty !== undefined) return invalidParam(empty, `${empty} is empty: say something, or leave it out.`);
  const named = params['commits'] as readonly number[] | undefined;
  if (named !== undefined && named.length > 0)
    return Object.keys(filter).length === 0 ? ownOnly(named, call, source) : both;
  if (Object.keys(filter).length === 0) return unnamed;
  const query = queryOfFilters(filter, source);
  if (isRefusal(query)) return query;
  await source.store.followed();
  const found = await commitsMatching(query, { archive: source.store, pause: turn });
  if (isRefusal(found)) return found;
  if (found.length === 0) return none;
  return ownOnly(found, call, source);
}

/** A token takes back only what its account did; so does whoever edits nothing but their own. */
function ownOnly(positions: readonly number[], { viewer }: Call<Model>, { store: { log } }: AuditSource) {
  if (viewer.token === undefined && may(viewer, 'edit_others_posts')) return positions;
  const isOwn = (position: number) => {
    const [event] = log.read({ from: position, limit: 1, sealed: 'none' });
    return event === undefined || event.actor === viewer.id;
  };
  return positions.every(isOwn) ? positions : notOwn;
}

const both = refuse('rest_invalid_param', 'Name either commits, or who made them and when: not both.');
const unnamed = refuse('rest_nothing_named', 'Name commits by positions, or who made them, from where, or when.');
const none = refuse('rest_nothing_to_undo', 'No commit fits.');
const notOwn = refuse(
  'rest_cannot_undo',
  'You can undo only what you did yourself; with a token, what its account did.',
);

function run(call: Call<Session>, source: AuditSource): Answer | Refusal {
  const { params, model, viewer, request } = call;
  const { positions, plan: ahead } = prepared.get(request) ?? { positions: unnamed, plan: undefined };
  if (isRefusal(positions)) return positions;
  const isDry = params['dry_run'] === true;
  const conflicts = params['conflicts'] === 'skip' ? 'skip' : 'refuse';
  const from = { log: source.store.log, may: mayUndo(viewer, model), ahead };
  const plan = undoCommits(model, { positions, isDry, conflicts }, from);
  if (isRefusal(plan)) return plan;
  const { names } = recordSource(source);
  const value = undoJson(plan, { names, isDone: !isDry });
  return { body: { kind: 'json', value }, ...(isDry ? { idle: true as const } : {}) };
}
