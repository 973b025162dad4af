import { type Analytics, type AnalyticsEvent, type AnalyticsProperties, seen } from './area.ts';

interface Occurrence {
  readonly action: string;
  readonly properties: AnalyticsProperties;
  readonly day: string;
}

/** Counts an action; no events if it is limited to once a day and was counted today. */
export function recordAction(
  state: Analytics,
  occurrence: Occurrence,
  oncePerDay: readonly string[],
): readonly AnalyticsEvent[] {
  const { action, day } = occurrence;
  if (oncePerDay.includes(action) && seen(state, action)?.lastDay === day) return [];
  return [{ type: 'AnalyticsEventRecorded', data: occurrence }];
}

/** Counts an action that can happen only once. */
export function recordOnce(state: Analytics, occurrence: Occurrence): readonly AnalyticsEvent[] {
  return seen(state, occurrence.action) === undefined ? recordAction(state, occurrence, []) : [];
}

export function assignVariants(
  { variants }: Analytics,
  chosen: Readonly<Record<string, string>>,
): readonly AnalyticsEvent[] {
  return Object.entries(chosen)
    .filter(([flag]) => !Object.hasOwn(variants, flag))
    .map(([flag, variant]) => ({ type: 'ExperimentAssigned', data: { flag, variant } }));
}
