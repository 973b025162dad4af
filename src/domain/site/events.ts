import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

export const SiteConfigured = defineEvent({
  type: 'SiteConfigured',
  summary: 'A setting of the site that answers show changed, such as its name or address.',
  schema: z.object({
    url: z.string(),
    name: z.string(),
    description: z.string(),
    timezone: z.string(),
    defaultCategory: z.int().min(1),
    templates: z.array(z.string()).describe('page templates that the theme offers'),
  }),
});

export const SiteAddressChanged = defineEvent({
  type: 'SiteAddressChanged',
  summary: 'The site got an address other than the configured one, until a start configures another.',
  schema: z.object({ url: z.string() }),
});

export const siteEvents = [SiteConfigured, SiteAddressChanged] as const;
export type SiteEvent = EventOf<(typeof siteEvents)[number]>;
