import type { Namespace } from '../kit/namespace.ts';
import { tableOf } from '../kit/table.ts';
import * as answers from './answers.ts';
import { addArgs, changeArgs, idArgs, secretArgs } from './args.ts';
import { createHook, deleteHook, listHooks, renewSecret, showHook, updateHook } from './manage.ts';

const name = 'webhooks/v1';
const item = 'hooks/(?P<id>[\\d]+)';
const access = 'admin';

export const webhooks: Namespace = {
  name,
  additions: ({ hooks }) =>
    tableOf(name, [
      {
        ...{ method: 'GET', path: 'hooks', access, summary: 'List the hooks and how they fare' },
        answers: answers.list,
        query: listHooks(hooks),
      },
      {
        ...{ method: 'POST', path: 'hooks', access, summary: 'Add a hook; only this answer shows its secret' },
        args: addArgs,
        answers: answers.withSecret,
        command: createHook(hooks),
        unkept: true,
      },
      {
        ...{ method: 'GET', path: item, access, summary: 'Show a hook' },
        args: idArgs,
        answers: answers.hook,
        query: showHook(hooks),
      },
      {
        ...{ method: 'POST', path: item, access, summary: 'Change, stop or start a hook' },
        args: changeArgs,
        answers: answers.hook,
        command: updateHook(hooks),
      },
      {
        ...{ method: 'POST', path: `${item}/secret`, access, summary: 'Replace the secret of a hook' },
        args: { ...idArgs, ...secretArgs },
        answers: answers.withSecret,
        command: renewSecret(hooks),
        unkept: true,
      },
      {
        ...{ method: 'DELETE', path: item, access, summary: 'Remove a hook' },
        args: idArgs,
        answers: answers.hookDeleted,
        command: deleteHook(hooks),
      },
    ]),
};
