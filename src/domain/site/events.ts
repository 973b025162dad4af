import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

export const SiteConfigured = defineEvent({
  type: 'SiteConfigured',
  summary: 'Name, address or another setting of the site that answers show is different since.',
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
  summary: 'The site has another address than it was started with, until it is started with another one.',
  schema: z.object({ url: z.string() }),
});

export const siteEvents = [SiteConfigured, SiteAddressChanged] as const;
export type SiteEvent = EventOf<(typeof siteEvents)[number]>;
