import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { changeSettings as decideSettings, type WantedSettings } from '#domain/site/decide.ts';
import { siteStream } from '#domain/site/state.ts';
import { users } from '#projections/users/definition.ts';
import type { Session } from './session.ts';

/** Changes settings of the site. Returns null when that is done. */
export function changeSettings(session: Session, wanted: WantedSettings): Refusal | null {
  const userByEmail = (email: string) => session.of(users).byEmail(email)?.id ?? 0;
  const events = decideSettings(session.site(), wanted, { userByEmail });
  if (isRefusal(events)) return events;
  session.stage(siteStream, events);
  return null;
}

/** Returns the category of posts that have no other; 0 if the configured one does not exist. */
export function defaultCategory(session: Session): number {
  const id = session.site().defaultCategory;
  return session.namedTerm(id)?.taxonomy === 'category' ? id : 0;
}
