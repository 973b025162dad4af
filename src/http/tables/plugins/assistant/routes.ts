import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import { assistant, setConsent } from '#domain/plugins/assistant/area.ts';
import { fresh } from '../kit/envelopes.ts';
import type { Namespace } from '../kit/namespace.ts';
import { tableOf } from '../kit/table.ts';
import * as answers from './answers.ts';
import { listTokens, makeTokenRoute, tokenArgs, tokenId, withdrawToken } from './tokens.ts';
import { findsNoToken, noteToken, showWebsite } from './website.ts';

const name = 'host-ai-assistant/v1';

export const hostAssistant: Namespace = {
  name,
  routes: (parts) =>
    tableOf(name, [
      {
        method: 'GET',
        path: 'website',
        summary: 'Show the facts about the site that an assistant needs',
        access: 'user',
        answers: answers.website,
        unkept: true,
        due: (model, call) => findsNoToken(model, call, parts),
        begin: (session, call) => noteToken(session, call, parts),
        show: (model, call) => showWebsite(model, call, parts),
      },
      {
        method: 'POST',
        path: 'toggle-mcp-plugin',
        summary: 'Allow or forbid the assistant to work on the site',
        access: 'admin',
        args: { action: { schema: z.enum(['setup', 'deny']), required: true } },
        answers: z.null(),
        command: ({ model: session, params }) => {
          const choice = params['action'] === 'setup' ? 1 : 0;
          return stageIn(session, assistant, setConsent(session.plugin(assistant), choice)) ?? fresh(null);
        },
      },
    ]),
  additions: (parts) =>
    tableOf(name, [
      {
        ...{ method: 'GET', path: 'tokens', access: 'editPosts', summary: 'List the tokens with which programs act' },
        answers: answers.tokens,
        query: (call) => listTokens(call, parts),
      },
      {
        ...{ method: 'POST', path: 'tokens', access: 'editPosts', summary: 'Make a token, which is shown this once' },
        args: tokenArgs,
        answers: answers.newToken,
        unkept: true,
        command: (call) => makeTokenRoute(call, parts),
      },
      {
        ...{ method: 'DELETE', path: 'tokens/(?P<id>[\\da-f-]{36})', access: 'editPosts', summary: 'Withdraw a token' },
        args: { id: tokenId },
        answers: answers.tokenWithdrawn,
        command: (call) => withdrawToken(call, parts),
      },
    ]),
};
