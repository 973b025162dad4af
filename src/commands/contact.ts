import { contact } from '#domain/contact/area.ts';
import { type Draft, receiveMessage } from '#domain/contact/decide.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { addressDigest } from './addresses.ts';
import { stageIn } from './plugins.ts';
import type { Session } from './session.ts';

export function takeMessage(session: Session, draft: Draft): Refusal | null {
  const events = receiveMessage(session.plugin(contact), draft, {
    at: session.at,
    address: addressDigest(session, draft.email),
    known: (id) => session.plugin(contact, String(id)).message,
  });
  return events === 'too many' ? tooMany : stageIn(session, contact, events);
}

const tooMany = refuse('rest_too_many_messages', 'Too many messages were sent. Please try again later.');
