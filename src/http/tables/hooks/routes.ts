import { z } from 'zod';
import { secretPrefix } from '#commands/hooks.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Args } from '../../engine/types.ts';
import { feedResources } from '../../feed/facts.ts';
import { whats } from '../../feed/visible.ts';
import type { Namespace } from '../plugins/kit/namespace.ts';
import { tableOf } from '../plugins/kit/table.ts';
import * as answers from './answers.ts';
import { createHook, deleteHook, listHooks, renewSecret, showHook, updateHook } from './manage.ts';

const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;

/** Base64 of 24 to 64 bytes (Standard Webhooks). */
const secretPattern = new RegExp(
  `^${secretPrefix}(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`,
);

const address = z.string().min(1).max(2048).describe('http or https address that takes the messages.');

const filter: Args<Model> = {
  resources: {
    schema: z.array(z.enum(feedResources)).describe('Collections whose changes are sent. Default: all.'),
  },
  changes: { schema: z.array(z.enum(whats)).describe('Kinds of changes that are sent. Default: all.') },
  statuses: {
    schema: z
      .array(z.enum(statuses))
      .describe('Only entries with one of these before or after a change. Default: whatever they are.'),
  },
  user: { schema: z.int().min(1).describe('User by whose rights the hook sees. Default: who adds it.') },
  enabled: { schema: z.boolean().describe('Whether changes are sent.') },
};

const secretArgs: Args<Model> = {
  secret: {
    schema: z
      .string()
      .regex(secretPattern)
      .describe('whsec_ and base64 of 24 to 64 bytes. Default: a new one is made.'),
  },
};

const idArgs: Args<Model> = { id: { schema: z.int().describe('Identifier of a hook.') } };

const addArgs: Args<Model> = { address: { schema: address, required: true }, ...filter, ...secretArgs };

const changeArgs: Args<Model> = { ...idArgs, address: { schema: address }, ...filter };

const name = 'webhooks/v1';
const item = 'hooks/(?P<id>[\\d]+)';
const access = 'admin';

export const webhooks: Namespace = {
  name,
  additions: ({ hooks }) =>
    tableOf(name, [
      {
        method: 'GET',
        path: 'hooks',
        access,
        summary: 'List the hooks and how they fare',
        answers: answers.list,
        query: listHooks(hooks),
      },
      {
        method: 'POST',
        path: 'hooks',
        access,
        summary: 'Add a hook; only this answer shows its secret',
        args: addArgs,
        answers: answers.withSecret,
        command: createHook(hooks),
        unkept: true,
      },
      {
        method: 'GET',
        path: item,
        access,
        summary: 'Show a hook',
        args: idArgs,
        answers: answers.hook,
        query: showHook(hooks),
      },
      {
        method: 'POST',
        path: item,
        access,
        summary: 'Change, stop or start a hook',
        args: changeArgs,
        answers: answers.hook,
        command: updateHook(hooks),
      },
      {
        method: 'POST',
        path: `${item}/secret`,
        access,
        summary: 'Replace the secret of a hook',
        args: { ...idArgs, ...secretArgs },
        answers: answers.withSecret,
        command: renewSecret(hooks),
        unkept: true,
      },
      {
        method: 'DELETE',
        path: item,
        access,
        summary: 'Remove a hook',
        args: idArgs,
        answers: answers.hookDeleted,
        command: deleteHook(hooks),
      },
    ]),
};
