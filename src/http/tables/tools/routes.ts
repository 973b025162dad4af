import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { changeTools, makeBypassCode } from '#commands/tools.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import { type ToolSwitches, type Tools, tools } from '#domain/tools/area.ts';
import { answersToBoth, replaceCode, setCode } from '#domain/tools/decide.ts';
import { toolNames } from '#domain/tools/events.ts';
import { seesSecrets } from '#domain/user/rights.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Answer, Call } from '../../engine/types.ts';
import { dataOf } from '../plugins/kit/answers.ts';
import { data } from '../plugins/kit/envelopes.ts';
import type { Namespace } from '../plugins/kit/namespace.ts';
import { documented, tableOf } from '../plugins/kit/table.ts';
import { isMeant, notMeant } from './meant.ts';

const switches = {
  ...Object.fromEntries(toolNames.map((name) => [name, z.boolean()])),
  bypass_code: z.string().regex(/^[A-Za-z]*$/),
};

const toolSettings = dataOf(z.object(switches));

const facts = dataOf(
  z.object({
    ...switches,
    newest_cms_version: z.string(),
    current_cms_version: z.string(),
    runtime_version: z.string(),
    newest_runtime_version: z.string(),
    is_eligible_www_redirect: z.boolean(),
  }),
);

const name = 'host-tools-plugin/v1';

export const hostTools: Namespace = {
  name,
  routes: ({ settings }) =>
    tableOf(name, [
      {
        method: 'GET',
        path: 'get-settings',
        summary: 'Show which tools are on',
        access: 'admin',
        answers: facts,
        due: (model, { viewer }) => seesSecrets(viewer) && model.plugin(tools).code === '',
        begin: renewCode,
        show: (model, { viewer }) => showSettings(model, settings, viewer),
      },
      {
        method: 'POST',
        path: 'update-settings',
        summary: 'Switch tools on and off',
        access: 'admin',
        args: Object.fromEntries(toolNames.map((tool) => [tool, documented(z.boolean())])),
        answers: toolSettings,
        command: ({ model: session, params }) => {
          const facts = { answersToBoth: answersToBoth(session.site().storeUrl, settings.wwwRedirect) };
          changeTools(session, wantedIn(params), facts);
          return data(shown(session.plugin(tools)));
        },
      },
      {
        method: 'GET',
        path: 'regenerate-bypass-code',
        summary: 'Replace the code that bypasses the maintenance page',
        access: 'admin',
        answers: toolSettings,
        command: ({ model: session, request }) => {
          if (!isMeant(request)) return notMeant;
          stageIn(session, tools, replaceCode(session.plugin(tools), makeBypassCode(), session.at));
          return data(shown(session.plugin(tools)));
        },
      },
    ]),
};

function renewCode(session: Session): void {
  stageIn(session, tools, setCode(makeBypassCode()));
}

function showSettings(model: Model, settings: PluginSettings, viewer: Viewer): Answer {
  const { cms, newestCms, newestRuntime } = settings.versions;
  return data({
    ...shown(model.plugin(tools)),
    ...(seesSecrets(viewer) ? {} : { bypass_code: '' }),
    newest_cms_version: newestCms,
    current_cms_version: cms,
    runtime_version: process.versions.node,
    newest_runtime_version: newestRuntime,
    is_eligible_www_redirect: answersToBoth(model.site().storeUrl, settings.wwwRedirect),
  });
}

function shown({ switches, code }: Tools) {
  const { maintenance_mode, ...others } = switches;
  return { maintenance_mode, bypass_code: code, ...others };
}

function wantedIn(params: Call<Session>['params']): Partial<ToolSwitches> {
  const sent = toolNames.filter((tool) => params[tool] !== undefined);
  return Object.fromEntries(sent.map((tool) => [tool, isTrue(params[tool])]));
}

const untruths: readonly unknown[] = ['false', '0', ''];

function isTrue(value: unknown): boolean {
  return Boolean(value) && !untruths.includes(value);
}
