import { defineArea, defineEvent, type EventOf, limited, ofTheSite, ofUser, z } from 'palimpsest/plugin';

const AnalyticsEventRecorded = defineEvent({
  type: 'AnalyticsEventRecorded',
  summary: 'A counted action happened, reported by a client or by the site itself.',
  schema: z.object({
    action: limited.word,
    properties: limited.sized(z.record(z.string(), z.json())),
    day: limited.word.describe('YYYY-MM-DD, in the time zone of the site'),
  }),
  sealed: ['properties'],
  erased: { properties: {} },
  subjects: (_, { actor }) => (actor === null || actor === 0 ? ofTheSite() : [ofUser(actor)]),
});

const ExperimentAssigned = defineEvent({
  type: 'ExperimentAssigned',
  summary: 'The site was assigned a variant of an experiment.',
  schema: z.object({ flag: limited.word, variant: limited.word }),
});

export type AnalyticsEvent = EventOf<typeof AnalyticsEventRecorded> | EventOf<typeof ExperimentAssigned>;
export type AnalyticsProperties = EventOf<typeof AnalyticsEventRecorded>['data']['properties'];

export interface Analytics {
  readonly actions: Readonly<Record<string, { readonly count: number; readonly lastDay: string }>>;
  readonly variants: Readonly<Record<string, string>>;
  /** Counts by day (YYYY-MM-DD) and action, for the last `maxDays` days with any, in order. */
  readonly days: readonly { readonly day: string; readonly counts: Readonly<Record<string, number>> }[];
}

const empty: Analytics = { actions: {}, variants: {}, days: [] };

/** Maximum number of days with counts. */
export const maxDays = 90;

export const analytics = defineArea({
  name: 'analytics',
  events: [AnalyticsEventRecorded, ExperimentAssigned],
  notes: ['AnalyticsEventRecorded'],
  empty,
  evolve(state, event) {
    if (event.type === 'ExperimentAssigned') {
      return { ...state, variants: { ...state.variants, [event.data.flag]: event.data.variant } };
    }
    const { action, day } = event.data;
    const count = (seen(state, action)?.count ?? 0) + 1;
    const actions = { ...state.actions, [action]: { count, lastDay: day } };
    return { ...state, actions, days: counted(state.days, day, action) };
  },
});

/** The record of an action; undefined if there is none. Clients choose the names. */
export function seen({ actions }: Analytics, action: string): Analytics['actions'][string] | undefined {
  return Object.hasOwn(actions, action) ? actions[action] : undefined;
}

function counted(days: Analytics['days'], day: string, action: string): Analytics['days'] {
  const counts = days.find((one) => one.day === day)?.counts ?? {};
  const before = Object.hasOwn(counts, action) ? (counts[action] ?? 0) : 0;
  const others = days.filter((one) => one.day !== day);
  const next = [...others, { day, counts: { ...counts, [action]: before + 1 } }];
  return next.sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-maxDays);
}
