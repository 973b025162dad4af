import { defineEvent, type EventOf, limited, ofTheSite, z } from 'palimpsest/plugin';

/** Status of the site in the cloud. */
export const cloudStatuses = ['anonymous', 'linked', 'cdn'] as const;
export const noticeLevels = ['info', 'note', 'success', 'error'] as const;

export const CloudStatusSet = defineEvent({
  type: 'CloudStatusSet',
  summary: 'The cache cloud reported the status of the site.',
  schema: z.object({ status: z.enum(cloudStatuses).nullable().describe('null: the cloud no longer knows the site') }),
});

export const CloudNoticeReceived = defineEvent({
  type: 'CloudNoticeReceived',
  summary: 'The cache cloud sent a notice to the administrators.',
  schema: z.object({ level: z.enum(noticeLevels), text: limited.paragraph, service: limited.word }),
  sealed: ['text'],
  erased: { text: '' },
  subjects: ofTheSite,
});

export const CloudUsageReported = defineEvent({
  type: 'CloudUsageReported',
  summary: 'The cache cloud reported the usage of a service.',
  schema: z.object({ service: limited.word, usage: limited.sized(z.json()) }),
});

export const AliasPending = defineEvent({
  type: 'AliasPending',
  summary: 'The site began to wait for the cache cloud to accept an alias.',
  schema: z.object({ url: limited.address }),
});

export const AliasConfirmed = defineEvent({
  type: 'AliasConfirmed',
  summary: 'The cache cloud accepted an alias of the site.',
  schema: z.object({ url: limited.address }),
});

export const cloudEvents = [
  CloudStatusSet,
  CloudNoticeReceived,
  CloudUsageReported,
  AliasPending,
  AliasConfirmed,
] as const;
export type CloudEvent = EventOf<(typeof cloudEvents)[number]>;
