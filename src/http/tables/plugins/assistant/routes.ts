import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import { assistant, setConsent } from '#domain/plugins/assistant/area.ts';
import { fresh } from '../kit/envelopes.ts';
import type { Namespace } from '../kit/namespace.ts';
import { tableOf } from '../kit/table.ts';
import { website } from './answers.ts';
import { showWebsite } from './website.ts';

const name = 'host-ai-assistant/v1';

/** What an assistant has to know of the site, and whether it may work on it. */
export const hostAssistant: Namespace = {
  name,
  routes: (parts) =>
    tableOf(name, [
      {
        method: 'GET',
        path: 'website',
        summary: 'Show the facts about the site that an assistant needs',
        access: 'user',
        answers: website,
        query: (call) => showWebsite(call, parts),
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
};
