import type { Session } from '#commands/session.ts';
import { changeSettings } from '#commands/settings.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { GivenSettings } from '#domain/site/state.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import type { Answer, Call, Route } from '../../engine/types.ts';
import { namesOf, settingAnswer, settingArgs, settingSchema, settingsRecord, wantedSettings } from './fields.ts';

/** Settings of the site (interface behaviour, section 32). `given`: those set at each start of the server. */
export function settingRoutes(given: GivenSettings): readonly Route<Model, Session>[] {
  const names = namesOf(given).join(', ');
  const answers = settingAnswer();
  const answer = (model: Model): Answer => {
    const site = model.site();
    return {
      body: { kind: 'json', value: settingsRecord(site) },
      ...(names === '' ? {} : { headers: { [`${site.names.headers}-Settings-From-Environment`]: names } }),
    };
  };
  return [
    {
      ...{ namespace: CONTENT, pattern: `/${CONTENT}/settings`, schema: settingSchema },
      endpoints: [
        {
          ...{ methods: ['GET'], args: {}, permission: mayManage, answers },
          past: { what: 'the settings', permission: mayManage },
          ...{ query: ({ model }) => answer(model), depends: () => ['site'] },
        },
        {
          ...{ methods: ['POST', 'PUT', 'PATCH'], args: settingArgs(), permission: mayManage, answers },
          command: (call) => changeSettings(call.model, wantedSettings(call)) ?? answer(call.model),
        },
      ],
    },
  ];
}

function mayManage({ viewer }: Call<Model>): Refusal | null {
  return may(viewer, 'manage_options') ? null : refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');
}
