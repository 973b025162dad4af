import type { RecordedEvent } from '#domain/kernel/event.ts';
import type { SiteEvent } from '#domain/site/events.ts';
import { defaultSite, evolveSite, type Site, siteStream } from '#domain/site/state.ts';
import type { EventStore } from '#eventstore/port.ts';
import { defineProjection } from '../kernel/define.ts';
import { eventsUntil } from '../kernel/events-until.ts';
import { statesOf } from '../kernel/states.ts';

const settings = statesOf<Site, SiteEvent>({
  name: 'site',
  version: 4,
  touches: ['site'],
  area: 'site',
  evolve: (now, { event }) => evolveSite(now ?? defaultSite, event),
});

export const site = defineProjection<ReturnType<typeof settings.open>, SiteEvent>({
  ...settings,
  apply(table, recorded, place) {
    place.changes.shared = true;
    const before = table.get();
    settings.apply(table, recorded, place);
    const after = table.get();
    if (before === undefined || after === undefined || before.url === after.url) return;
    const { nextId: items, nextComment: comments } = place.checkpoint;
    table.set(0, { ...after, earlierUrls: [...(before.earlierUrls ?? []), { url: before.url, items, comments }] });
  },
});

/** The settings as of a position, from the log. */
export function siteInLog(log: Pick<EventStore, 'read'>, position: number): Site {
  const fold = (site: Site, { event }: RecordedEvent) => evolveSite(site, event as SiteEvent);
  return eventsUntil(log, siteStream, position).reduce(fold, defaultSite);
}
