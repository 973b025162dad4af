import { codec } from '#catalogue/events.ts';
import { heldRefusal, type LegalHold, legalHolds, liftHold, placeHold, standingHolds } from '#domain/hold/area.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { stageIn } from './plugins.ts';
import type { Session } from './session.ts';

/** Legal holds: what they name is not erased until their last day. */

/** Places a hold. Returns it. */
export function addHold(session: Session, wanted: Omit<LegalHold, 'hold'>): LegalHold | Refusal {
  const { last } = session.plugin(legalHolds);
  const { stream } = wanted;
  if (stream !== '' && session.lastOf(stream) === null)
    return refuse('hold_of_nothing', `There has never been ${stream}: name what is to be held.`);
  const events = placeHold(wanted, { last, today: todayIn(session) });
  if (isRefusal(events)) return events;
  return stageIn(session, legalHolds, events) ?? { hold: last + 1, ...wanted };
}

/** Lifts a hold. Returns its number. */
export function endHold(
  session: Session,
  lifted: { hold: number; by: number; reason: string },
): { hold: number } | Refusal {
  const refusal = stageIn(session, legalHolds, liftHold(session.plugin(legalHolds), lifted));
  return refusal ?? { hold: lifted.hold };
}

/** The holds that count on a day, in the time zone of the site. */
export function listHolds(model: Model, today: string): readonly LegalHold[] {
  return standingHolds(model.plugin(legalHolds), today);
}

/** Why a stream may not be erased now; null if it may. An account or address may have texts in every period, and in what is held. */
export function holdOn(session: Session, stream: string): Refusal | null {
  const all = standingHolds(session.plugin(legalHolds), todayIn(session));
  const isPerson = /^(?:address|user)-/.test(stream);
  const isWithin = ({ stream: held, from, to }: LegalHold) =>
    held === ''
      ? isPerson || isWritten(session, stream, { from, to })
      : held === stream || (isPerson && hasTextOf(session, stream, held));
  return heldRefusal(all.find(isWithin));
}

function isWritten(session: Session, stream: string, { from, to }: Pick<LegalHold, 'from' | 'to'>): boolean {
  for (const { position } of session.historyOf(stream)) if (position <= to) return position >= from;
  return false;
}

/** Whether a stream has texts of which somebody is a subject. */
function hasTextOf(session: Session, subject: string, stream: string): boolean {
  for (const event of session.historyOf(stream))
    if (codec.subjects({ ...event, others: [] }).some((one) => one === subject || one === 'anybody')) return true;
  return false;
}

function todayIn({ now }: Session): string {
  return now.local.slice(0, 10);
}
