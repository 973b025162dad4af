import type { Session } from '#commands/session.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Route } from '../../engine/types.ts';
import { batchArgs } from './args.ts';
import { runBatch } from './run.ts';

export function batchRoutes(): readonly Route<Model, Session>[] {
  return [
    {
      namespace: '',
      pattern: '/batch/v1',
      endpoints: [
        {
          methods: ['POST'],
          summary: 'Carry out several writes in one commit',
          status: 207,
          args: batchArgs,
          permission: () => null,
          command: runBatch,
          ahead: runBatch,
        },
      ],
    },
  ];
}
