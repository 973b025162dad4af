import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { projectionNames, type RebuildState, rebuildState } from '#node/rebuild/types.ts';
import { type Followed, followTask, showTasks } from './follow.ts';
import type { Outcome } from './outcome.ts';
import { cell, tableColumns } from './output.ts';
import { Stopped } from './progress.ts';
import { defineLocalVerb, defineVerb, UsageError, type VerbPlace } from './verb.ts';

const names = projectionNames.join(', ');
const args = z.object({
  projection: z
    .array(z.enum(projectionNames))
    .describe(`what to make anew, of ${names}: the tables, the search index, the ready answers; default: all`),
  check: z.boolean().optional().describe('only compare the new tables with the live ones'),
});

/** Milliseconds between two checks of the progress. */
const pause = 200;

/** Asks the holder of the data directory to rebuild, and shows the progress. A child process does the work; the site stays available. */
export const rebuild = defineLocalVerb({
  name: 'rebuild',
  summary: 'Rebuilds the projections from the log, compares them with the live ones and replaces those.',
  example: 'rebuild --check',
  positionals: ['projection'],
  args,
  here: async (place, given) => {
    if (given.check === true && given.projection.some((name) => name !== 'rows')) {
      throw new UsageError('--check compares rows; search and views follow from them');
    }
    return followTask(place, 'rebuild start', given, { controls: rebuildControls, untilDone: untilDoneAt(place) });
  },
});

/** Internal verbs that `rebuild` sends to the server; not for typing. */
export const rebuildControls = [
  defineVerb({
    name: 'rebuild start',
    summary: 'Starts a rebuild of the projections.',
    example: 'rebuild start',
    positionals: ['projection'],
    args,
    run: async ({ rebuilding }, { projection, check = false }) => rebuilding.start({ projections: projection, check }),
  }),
  defineVerb({
    isQuiet: true,
    name: 'rebuild state',
    summary: 'Reports the progress of a rebuild.',
    example: 'rebuild state',
    args: z.object({}),
    run: async ({ rebuilding }) => rebuilding.state,
  }),
  defineVerb({
    name: 'rebuild stop',
    summary: 'Stops the running rebuild; the live projections stay.',
    example: 'rebuild stop',
    args: z.object({}),
    run: async ({ rebuilding }) => {
      await rebuilding.stop();
      return rebuilding.state;
    },
  }),
];

type Found = Omit<NonNullable<RebuildState['ended']>, 'outcome' | 'fault'>;

const gone: Outcome = {
  kind: 'unavailable',
  message: 'the server went away; the live projections stay, and another rebuild goes on where this one was',
};

function untilDoneAt({ progress, signal }: VerbPlace): Followed['untilDone'] {
  return async (begun, ask) => {
    const { run } = rebuildState.parse(begun);
    const shown = showTasks(progress);
    try {
      for (;;) {
        const state = await ask('rebuild state', {});
        if (state?.kind !== 'done') return gone;
        const seen = rebuildState.parse(state.value);
        if (seen.run !== run) return gone;
        if (seen.ended !== null) return outcomeOf(seen.ended);
        if (seen.task !== null) await shown.at(seen.task);
        if (signal.aborted) throw new Stopped('stopped');
        await sleep(pause);
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      await ask('rebuild stop', {});
      throw new Stopped('stopped; the live projections stay, and another rebuild goes on where this one was');
    } finally {
      shown.end();
    }
  };
}

function outcomeOf({ outcome, fault, ...found }: NonNullable<RebuildState['ended']>): Outcome {
  if (outcome === 'failed')
    return { kind: 'refused', code: 'rebuild_failed', message: `${fault}; the live projections stay` };
  if (outcome === 'stopped') return { kind: 'stopped', message: 'stopped; the live projections stay' };
  const differs = found.differences !== null && found.differences.length > 0;
  const kind = outcome === 'compared' && differs ? 'wrong' : 'done';
  return { kind, value: { outcome, ...found }, text: textOf(outcome, found) };
}

function textOf(outcome: 'replaced' | 'compared', { differences, position, seconds }: Found): string {
  const took = `in ${seconds.toFixed(1)} s`;
  const done =
    outcome === 'replaced' ? `New projections have taken the place of the old ones, ${took}.` : `Done ${took}.`;
  if (differences === null) return done;
  if (differences.length === 0) return `${done}\nThe live rows were those of the log, as of position ${position}.`;
  const head = ['table', 'missing', 'surplus', 'changed', 'first keys'];
  const rows = differences.map(({ table, missing, surplus, changed, examples }) =>
    [table, missing, surplus, changed, examples.join(', ')].map(cell),
  );
  return [
    `${done}\nThe live rows differed from those of the log, as of position ${position}:`,
    ...tableColumns([head, ...rows]),
  ].join('\n');
}
