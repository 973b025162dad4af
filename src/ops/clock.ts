import { z } from 'zod';
import { carryOutRepair, findRepairs } from '#commands/clock-repair.ts';
import { isRefusal, refuse } from '#domain/kernel/refusal.ts';
import { Leaps } from '#projections/audit/leaps.ts';
import { defineVerb, write } from './verb.ts';

const shown = defineVerb({
  name: 'clock show',
  summary: 'Shows whether the clock is trusted, and how far the log is ahead of it.',
  example: 'clock show',
  args: z.object({}),
  run: async ({ clock, log, reader }) => {
    const now = clock.now;
    const head = log.head();
    const ahead = head.at === null ? 0 : Math.max(0, Math.round((Date.parse(head.at) - now) / 1000));
    const since = ahead === 0 ? null : log.positionAt(new Date(now).toISOString()) + 1;
    return {
      clock: new Date(now).toISOString(),
      trusted: clock.leapt ? 'no' : 'yes',
      leaptSeconds: clock.leapt ? Math.round(clock.ahead / 1000) : 0,
      logAheadSeconds: ahead,
      aheadSincePosition: since,
      position: reader.position,
    };
  },
});

const accept = defineVerb({
  name: 'clock accept',
  summary: 'Confirms that the clock is right after it has leapt ahead, so that writes are accepted again.',
  example: 'clock accept',
  args: z.object({}),
  run: async ({ clock }) => {
    clock.accept();
    return { clock: new Date(clock.now).toISOString(), trusted: 'yes' };
  },
});

const leaps = defineVerb({
  name: 'clock leaps',
  summary: 'Lists the stretches of the log that were ahead of the clock.',
  example: 'clock leaps',
  args: z.object({}),
  run: async ({ clock, log }) =>
    new Leaps(log, clock.tolerance).all.map((leap) => ({
      from: leap.from,
      to: leap.to,
      time: leap.at,
      noticed: leap.noticed,
      clock: leap.clock,
      seconds: Math.round((Date.parse(leap.at) - Date.parse(leap.clock)) / 1000),
    })),
});

const repair = defineVerb({
  name: 'clock repair',
  summary: 'Lists what a clock that was ahead published too early or dated; with --apply corrects it.',
  example: 'clock repair --apply',
  args: z.object({ apply: z.boolean().optional().describe('correct what is listed, one commit for each item') }),
  run: async (store, { apply = false }) => {
    const { clock, log } = store;
    if (clock.leapt) return refuse('clock_leapt', 'the clock is not trusted: set it right, or give `clock accept`');
    const { now, tolerance } = clock;
    const found = await write(store, (session) => findRepairs(session, { log, now, tolerance }));
    if (isRefusal(found)) return found;
    const listed: { id: number; kind: string; what: string; date: string; becomes: string; done: string }[] = [];
    for (const each of found) {
      const done = apply && (await write(store, (session) => carryOutRepair(session, each)));
      const { id, kind, what, date, becomes } = each;
      listed.push({ id, kind, what, date, becomes: becomes?.local ?? date, done: done === true ? 'yes' : 'no' });
    }
    return listed;
  },
});

export const clockVerbs = [shown, accept, leaps, repair];
