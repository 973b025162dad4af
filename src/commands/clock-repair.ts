import type { EntryMoment } from '#domain/entry/commands.ts';
import { entryStream } from '#domain/entry/state.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { mediaStream } from '#domain/media/state.ts';
import { gmtNow, toLocal } from '#domain/time/local.ts';
import type { EventStore } from '#eventstore/port.ts';
import { entries } from '#projections/entries/definition.ts';
import { media } from '#projections/media/definition.ts';
import { mediaKind } from '#projections/media/store.ts';
import { saveEntry } from './entries.ts';
import { changeMedia } from './media.ts';
import type { Session } from './session.ts';

export interface Repair {
  readonly kind: string;
  readonly id: number;
  /** What to do: schedule the entry again, set its date to `becomes`, or save it to update its modification time. */
  readonly what: 'schedule' | 'date' | 'save';
  /** Local time. */
  readonly date: string;
  readonly becomes: EntryMoment | null;
}

export interface RepairFacts {
  readonly log: Pick<EventStore, 'read' | 'positionAt'>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds by which a time has to be ahead to count as wrong. */
  readonly tolerance: number;
}

/** Finds items dated in the future by a wrong clock. Dates set by that clock become the time of the last commit before. */
export function findRepairs(session: Session, facts: RepairFacts): readonly Repair[] {
  const latest = gmtNow(facts.now + facts.tolerance);
  const before = momentBefore(session, facts);
  const isOfClock = (stream: string, member: TimeMember, time: string | null) =>
    time !== null && time > latest && isByClock(stream, [member, time], facts);
  const entryRepairs = session
    .of(entries)
    .ahead(latest)
    .flatMap((id): Repair | [] => {
      const row = session.entry(id);
      if (row === undefined) return [];
      const { kind, status, date, dateGmt, modifiedGmt } = row;
      const isShown = status === 'publish' || status === 'private';
      const stream = entryStream(id);
      if (isShown && isOfClock(stream, 'dateGmt', dateGmt)) return { kind, id, what: 'date', date, becomes: before };
      const isEarly = status === 'publish' && dateGmt !== null && dateGmt > latest;
      if (isEarly) return { kind, id, what: 'schedule', date, becomes: null };
      return isOfClock(stream, 'modifiedGmt', modifiedGmt) ? { kind, id, what: 'save', date, becomes: null } : [];
    });
  const mediaRepairs = session
    .of(media)
    .ahead(latest)
    .flatMap((id): Repair | [] => {
      const row = session.media(id);
      if (row === undefined) return [];
      const { date, dateGmt, modifiedGmt } = row;
      const [stream, kind] = [mediaStream(id), mediaKind];
      if (isOfClock(stream, 'dateGmt', dateGmt)) return { kind, id, what: 'date', date, becomes: before };
      return isOfClock(stream, 'modifiedGmt', modifiedGmt) ? { kind, id, what: 'save', date, becomes: null } : [];
    });
  return [...entryRepairs, ...mediaRepairs];
}

/** Carries out one repair. Returns false if the item has another date by now, or is deleted. */
export function carryOutRepair(session: Session, { kind, id, date, becomes }: Repair): boolean {
  const row = kind === mediaKind ? session.media(id) : session.entry(id);
  if (row === undefined || row.date !== date) return false;
  const fields = becomes === null ? {} : { date: becomes };
  return !isRefusal(kind === mediaKind ? changeMedia(session, id, fields) : saveEntry(session, id, fields));
}

function momentBefore(session: Session, { log, now }: RepairFacts): EntryMoment {
  const [last] = log.read({ from: log.positionAt(new Date(now).toISOString()), limit: 1 });
  const gmt = last === undefined ? gmtNow(now) : last.at.slice(0, 19);
  return { gmt, local: toLocal(gmt, session.site().timezone) };
}

type TimeMember = 'dateGmt' | 'modifiedGmt';

function isByClock(stream: string, [member, time]: readonly [TimeMember, string], facts: RepairFacts): boolean {
  for (const { at, data } of facts.log.read({ stream, direction: 'backwards' })) {
    const set = (JSON.parse(data) as { readonly [K in TimeMember]?: string | null })[member];
    if (set === time) return Math.abs(Date.parse(at) - Date.parse(`${time}Z`)) <= facts.tolerance;
  }
  return false;
}
