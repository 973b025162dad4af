import { z } from 'zod';
import { changeTools } from '#commands/tools.ts';
import { tools } from '#domain/tools/area.ts';
import { answersToBoth } from '#domain/tools/decide.ts';
import { toolNames } from '#domain/tools/events.ts';
import type { Model } from '#projections/reading/model.ts';
import { defineVerb, write } from './verb.ts';

const states = ['on', 'off'] as const;
const anyState = `one of ${states.join(', ')}`;
const anyTool = `one of ${toolNames.join(', ')}`;

const toolsList = defineVerb({
  name: 'tools list',
  isRead: true,
  summary: 'Lists the tools of the site and whether they are on.',
  example: 'tools list',
  args: z.object({}),
  run: async (store) => listed(store.reader),
});

const toolsSet = defineVerb({
  name: 'tools set',
  summary: 'Switches a tool on or off; works even when application passwords are disabled.',
  example: 'tools set disable_authentication_password off',
  positionals: ['tool', 'state'],
  args: z.object({
    tool: z.enum(toolNames, `has to be ${anyTool}`).describe(anyTool),
    state: z.enum(states, `has to be ${anyState}`).describe(anyState),
  }),
  run: (store, { tool, state }) =>
    write(store, (session) => {
      const facts = { answersToBoth: answersToBoth(session.site().storeUrl, store.plugins.wwwRedirect) };
      changeTools(session, { [tool]: state === 'on' }, facts);
      return listed(session);
    }),
});

export const toolsVerbs = [toolsList, toolsSet];

function listed(model: Model) {
  const { switches } = model.plugin(tools);
  return toolNames.map((tool) => ({ tool, state: switches[tool] ? 'on' : 'off' }));
}
