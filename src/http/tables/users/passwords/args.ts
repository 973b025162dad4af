import { z } from 'zod';
import type { Model } from '#projections/reading/model.ts';
import { fault } from '../../../engine/faults.ts';
import type { Arg, Args } from '../../../engine/types.ts';
import { contextArg } from '../../../engine/usual-args.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const appId: Arg<Model> = {
  schema: z.string().describe('A UUID provided by the application to uniquely identify it.'),
  check: (value) =>
    value === '' || (typeof value === 'string' && UUID.test(value))
      ? null
      : fault('rest_no_matching_schema', 'app_id does not match any of the expected formats.'),
};
const name = z
  .string()
  .min(1)
  .regex(/.*\S.*/)
  .describe('The name of the application password.');

export const readArgs: Args<Model> = { context: contextArg };
export const passwordCreateArgs: Args<Model> = { app_id: appId, name: { schema: name, required: true } };
export const passwordUpdateArgs: Args<Model> = { app_id: appId, name: { schema: name } };
