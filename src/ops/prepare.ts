import { existsSync } from 'node:fs';
import { z } from 'zod';
import { logPathOf } from '#node/parts/log.ts';
import { projectionsPathOf } from '#node/projections.ts';
import { prepareProjections } from '#node/rebuild/preparing.ts';
import { reporterOf } from '#process/reporter.ts';
import { showTasks } from './follow.ts';
import type { Outcome } from './outcome.ts';
import { Stopped } from './progress.ts';
import { defineLocalVerb, type VerbPlace } from './verb.ts';

/** Makes projections. */
const script = new URL('./rebuild-script.ts', import.meta.url);

const needless = 'The projections of this site are of this version: a start needs no others.';
const taken = 'A start has taken the place of the old version; nothing is left to do.';

/** Shortens the first start of a version: it makes the projections while an older version serves. */
export const prepare = defineLocalVerb({
  name: 'prepare',
  summary: 'Makes the projections of this version while an older version serves, for the next start.',
  example: 'prepare --once',
  args: z.object({
    once: z.boolean().optional().describe('end when they are ready; default: follow what is written, until Ctrl-C'),
  }),
  here: (place, { once = false }) => prepareAt(place, once),
});

async function prepareAt(place: VerbPlace, once: boolean): Promise<Outcome> {
  const { config, json, progress, signal, output } = place;
  const logPath = logPathOf(config);
  if (!existsSync(logPath)) return { kind: 'unavailable', message: `there is no event log at ${logPath}` };
  const shown = showTasks(progress);
  let position: number | null = null;
  try {
    const reached = prepareProjections({
      logPath,
      path: projectionsPathOf(config),
      names: config.names,
      priority: config.rebuildPriority,
      script,
      signal,
      reporter: reporterOf({ warning: (message) => void process.stderr.write(`${message}\n`) }),
      onTask: (task) => void shown.at(task).catch(() => undefined),
    });
    for await (const at of reached) {
      shown.end();
      const [value, text] = [{ state: 'ready', position: at }, `ready: the next start takes them (position ${at})`];
      if (once) return { kind: 'done', value, text };
      if (position === null) output.write(`${json ? JSON.stringify(value) : text}\n`);
      position = at;
    }
    if (position === null) return { kind: 'done', value: { state: 'needless' }, text: needless };
    return { kind: 'done', value: { state: 'taken' }, text: taken };
  } catch (error) {
    if (!signal.aborted) throw error;
    if (position !== null) return { kind: 'done', value: null, text: '' };
    throw new Stopped('stopped; the next one goes on where this one was');
  } finally {
    shown.end();
  }
}
