import { defineArea, type z } from 'palimpsest/plugin';
import { type CloudEvent, type CloudUsageReported, cloudEvents, type cloudStatuses } from './events.ts';

type Notice = Extract<CloudEvent, { type: 'CloudNoticeReceived' }>['data'] & { readonly at: string };

export interface Cloud {
  readonly status: (typeof cloudStatuses)[number] | null;
  /** Whether the content delivery network is active, which requires the status `cdn`. */
  readonly cdn: boolean;
  /** Newest last. */
  readonly notices: readonly Notice[];
  readonly usage: Readonly<Record<string, z.infer<typeof CloudUsageReported.schema>['usage']>>;
  /** Addresses that wait for confirmation; `at`: since when, UTC, ISO 8601. */
  readonly pending: readonly { readonly url: string; readonly at: string }[];
}

const empty: Cloud = { status: null, cdn: false, notices: [], usage: {}, pending: [] };

/** Maximum number of notices; the oldest are dropped. */
const maxNotices = 50;
/** Days after which a pending address is dropped. */
const patience = 10;

export const cacheCloud = defineArea({
  name: 'cache-cloud',
  events: cloudEvents,
  notes: ['AliasPending'],
  empty,
  evolve(cloud, event, { at }) {
    switch (event.type) {
      case 'CloudStatusSet':
        return withStatus(cloud, event.data.status);
      case 'CloudNoticeReceived':
        return { ...cloud, notices: [...cloud.notices, { ...event.data, at }].slice(-maxNotices) };
      case 'CloudUsageReported':
        return { ...cloud, usage: { ...cloud.usage, [event.data.service]: event.data.usage } };
      case 'AliasPending': {
        const recent = stillPending(cloud, at).filter(({ url }) => url !== event.data.url);
        return { ...cloud, pending: [...recent, { url: event.data.url, at }] };
      }
      case 'AliasConfirmed':
        return { ...cloud, pending: cloud.pending.filter(({ url }) => url !== event.data.url) };
      default:
        return event satisfies never;
    }
  },
});

/** Addresses still pending at a time (UTC, ISO 8601); expired ones are omitted. */
export function stillPending({ pending }: Cloud, at: string): Cloud['pending'] {
  return pending.filter((one) => age(one.at, at) < patience * day);
}

/** Service name of notices that follow from the status. */
export const statusService = 'cdn_status';

/** In milliseconds. */
export const day = 24 * 60 * 60 * 1000;

/** Milliseconds from one time to another, both UTC, ISO 8601. */
export function age(from: string, to: string): number {
  return Date.parse(to) - Date.parse(from);
}

function withStatus(cloud: Cloud, status: Cloud['status']): Cloud {
  if (status !== 'cdn') return { ...cloud, status, cdn: false };
  return { ...cloud, status, cdn: true, notices: cloud.notices.filter((notice) => !asksForActivation(notice)) };
}

export function asksForActivation({ level, service }: Pick<Notice, 'level' | 'service'>): boolean {
  return level === 'error' && service === statusService;
}
