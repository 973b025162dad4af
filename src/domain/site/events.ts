import { z } from 'zod';
import { defineEvent, type EventOf, unchangedData } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import { ofTheSite, ofUser } from '#domain/kernel/subject.ts';
import { changedSettingSchemas } from './settings.ts';

export type SiteEvent = EventOf<(typeof siteEvents)[number]>;

export const SiteConfigured = defineEvent({
  type: 'SiteConfigured',
  summary:
    'The site was started with other settings; only changed ones are recorded, the first time all. Version 1 contains all of them.',
  schema: z.object({
    url: limited.address.exactOptional(),
    name: limited.title.exactOptional(),
    description: limited.paragraph.exactOptional(),
    timezone: limited.word.exactOptional(),
    defaultCategory: z.int().min(1).exactOptional(),
    templates: limited.list(limited.word).exactOptional().describe('page templates that the theme offers'),
    menuLocations: limited
      .list(limited.word)
      .exactOptional()
      .describe('places where menus can be shown, each as name=description'),
  }),
  upcasters: [unchangedData],
});

export const SiteAddressChanged = defineEvent({
  type: 'SiteAddressChanged',
  summary: 'The site got an address other than the configured one, until a start configures another.',
  schema: z.object({ url: limited.address }),
});

export const SiteSettingsChanged = defineEvent({
  type: 'SiteSettingsChanged',
  summary: 'Settings of the site were changed while it was served; only changed ones are recorded. Null: it was unset.',
  schema: z.object(changedSettingSchemas),
});

export const SiteEmailChanged = defineEvent({
  type: 'SiteEmailChanged',
  summary: 'The mail address of the site was changed. Null: it was unset.',
  schema: z.object({
    email: limited.word.nullable(),
    user: z.int().min(0).describe('user whose own mail address that is; 0: nobody is known'),
  }),
  sealed: ['email'],
  erased: { email: '' },
  subjects: ({ data: { user } }) => (user === 0 ? ofTheSite() : [ofUser(user)]),
});

export const siteEvents = [SiteConfigured, SiteAddressChanged, SiteSettingsChanged, SiteEmailChanged] as const;

export const siteSequence: Sequence & { readonly steps: Record<SiteEvent['type'], Step> } = {
  kind: 'site',
  numbered: false,
  steps: {
    SiteConfigured: { from: [initial, existing], to: existing },
    SiteAddressChanged: { from: [existing] },
    SiteSettingsChanged: { from: [existing] },
    SiteEmailChanged: { from: [existing] },
  },
};
