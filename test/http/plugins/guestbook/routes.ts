import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import { dataOf } from '#http/tables/plugins/kit/answers.ts';
import { data } from '#http/tables/plugins/kit/envelopes.ts';
import type { Namespace } from '#http/tables/plugins/kit/namespace.ts';
import { tableOf } from '#http/tables/plugins/kit/table.ts';
import { guestbook, sign } from './area.ts';

const name = 'guestbook/v1';

export const guestbookV1: Namespace = {
  name,
  deployments: ['B'],
  routes: () =>
    tableOf(name, [
      {
        method: 'GET',
        path: 'entries',
        summary: 'Show who said what',
        access: 'public',
        answers: dataOf(z.array(z.object({ user: z.int(), words: z.string() }))),
        query: ({ model }) => data(model.plugin(guestbook).entries),
      },
      {
        method: 'POST',
        path: 'sign',
        summary: 'Leave a few words',
        access: 'user',
        args: { words: { schema: z.string().min(1).max(200), required: true } },
        answers: dataOf(z.literal('')),
        command: ({ model, viewer, params }) => {
          const signed = { user: viewer.id, words: String(params['words']) };
          return stageIn(model, guestbook, sign(model.plugin(guestbook), signed)) ?? data('');
        },
      },
    ]),
};
