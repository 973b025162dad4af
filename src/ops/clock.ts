import { z } from 'zod';
import { Leaps } from '#projections/audit/leaps.ts';
import { defineVerb } from './verb.ts';

const shown = defineVerb({
  name: 'clock show',
  isRead: true,
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
  isRead: true,
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

export const clockVerbs = [shown, accept, leaps];
