import { z } from 'zod';
import { isRefusal, refuse } from '#domain/kernel/refusal.ts';
import { HistoryDiffers } from '#node/tree/checkpoints.ts';
import { defineVerb } from './verb.ts';

const make = defineVerb({
  name: 'checkpoint make',
  summary: 'Signs the log as it is now, has it cosigned, and shows the checkpoint.',
  example: 'checkpoint make',
  args: z.object({}),
  run: async ({ transparency: { checkpoints, publish } }) => {
    try {
      checkpoints.make();
    } catch (error) {
      if (error instanceof HistoryDiffers) return refuse('history_differs', error.message);
      throw error;
    }
    const answers = await publish();
    const { latest } = checkpoints;
    if (latest === null) return refuse('no_events', 'there is nothing to sign yet');
    const missing = answers.flatMap(({ partner, error }) => (error === '' ? [] : `${partner.organisation}: ${error}`));
    return { at: latest.at, missing: missing.join('; '), checkpoint: latest.note };
  },
});

const rotate = defineVerb({
  name: 'checkpoint rotate-key',
  summary: 'Replaces the key of the checkpoints; the old one names the new one. Tell those who witness the site.',
  example: 'checkpoint rotate-key',
  args: z.object({}),
  run: async ({ transparency: { keys } }) => {
    const note = keys.replace();
    return isRefusal(note) ? note : { key: keys.verifiers[0], note };
  },
});

export const checkpointVerbs = [make, rotate];
