import type { RecordedEvent } from '#domain/kernel/event.ts';
import type { SiteEvent } from '#domain/site/events.ts';
import { defaultSite, evolveSite, type Site, siteStream } from '#domain/site/state.ts';
import type { EventStore } from '#eventstore/port.ts';
import { defineProjection } from '../kernel/define.ts';
import { eventsUntil } from '../kernel/events-until.ts';
import { statesOf } from '../kernel/states.ts';

const settings = statesOf<Site, SiteEvent>({
  name: 'site',
  version: 3,
  touches: ['site'],
  area: 'site',
  evolve: (now, { event }) => evolveSite(now ?? defaultSite, event),
});

export const site = defineProjection<ReturnType<typeof settings.open>, SiteEvent>({
  ...settings,
  apply(table, recorded, place) {
    place.changes.shared = true;
    settings.apply(table, recorded, place);
  },
});

/** The settings as of a position, from the log. */
export function siteInLog(log: Pick<EventStore, 'read'>, position: number): Site {
  const fold = (site: Site, { event }: RecordedEvent) => evolveSite(site, event as SiteEvent);
  return eventsUntil(log, siteStream, position).reduce(fold, defaultSite);
}
