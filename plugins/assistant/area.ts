import { defineArea, defineEvent, type EventOf, type PluginReader, z } from 'palimpsest/plugin';

const choice = z.union([z.literal(0), z.literal(1)]);

const AssistantConsentSet = defineEvent({
  type: 'AssistantConsentSet',
  summary: 'An administrator allowed or forbade the assistant to work on the site.',
  schema: z.object({ choice }),
});

type Consent = EventOf<typeof AssistantConsentSet>;

/** Consent to the assistant working on the site: 1 yes, 0 no, null: not asked yet. */
export interface Assistant {
  readonly choice: Consent['data']['choice'] | null;
}

const empty: Assistant = { choice: null };

export const assistant = defineArea({
  name: 'host-assistant',
  events: [AssistantConsentSet],
  empty,
  evolve: (_, { data }) => data,
});

export function setConsent({ choice: before }: Assistant, wanted: Consent['data']['choice']): readonly Consent[] {
  return before === wanted ? [] : [{ type: 'AssistantConsentSet', data: { choice: wanted } }];
}

/** Whether programs may act for users. */
export function mayAct(model: PluginReader): boolean {
  return model.document(assistant).choice === 1;
}
