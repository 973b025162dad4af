import { type PluginRoute, z } from 'palimpsest/plugin';
import * as answers from './answers.ts';
import { assistant, setConsent } from './area.ts';
import { addToken, listTokens, tokenArgs, tokenId, withdrawToken } from './tokens.ts';
import { findsNoToken, noteToken, showWebsite } from './website.ts';

export const routes: readonly PluginRoute[] = [
  {
    method: 'GET',
    path: 'website',
    summary: 'Show the facts about the site that an assistant needs',
    access: 'user',
    answers: answers.website,
    unkept: true,
    due: findsNoToken,
    begin: noteToken,
    query: showWebsite,
  },
  {
    method: 'POST',
    path: 'toggle-mcp-plugin',
    summary: 'Allow or forbid the assistant to work on the site',
    access: 'admin',
    args: { action: { schema: z.enum(['setup', 'deny']), required: true } },
    answers: z.null(),
    command: ({ model, params }) => {
      model.stage(assistant, setConsent(model.document(assistant), params['action'] === 'setup' ? 1 : 0));
      return null;
    },
  },
  {
    method: 'GET',
    path: 'tokens',
    access: 'editPosts',
    summary: 'List the tokens with which programs act',
    unlisted: true,
    answers: answers.tokens,
    query: listTokens,
  },
  {
    method: 'POST',
    path: 'tokens',
    access: 'editPosts',
    summary: 'Make a token, which is shown this once',
    unlisted: true,
    args: tokenArgs,
    answers: answers.newToken,
    unkept: true,
    command: addToken,
  },
  {
    method: 'DELETE',
    path: 'tokens/(?P<id>[\\da-f-]{36})',
    access: 'editPosts',
    summary: 'Withdraw a token',
    unlisted: true,
    args: { id: tokenId },
    answers: answers.tokenWithdrawn,
    command: withdrawToken,
  },
];
