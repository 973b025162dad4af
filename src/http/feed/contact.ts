import { codec } from '#catalogue/events.ts';
import { type ContactEvent, contact } from '#domain/contact/area.ts';
import type { StoredEvent } from '#eventstore/port.ts';

/** The resource name of messages received by contact forms. */
export const messagesResource = 'contact-messages';

export interface MessageFact {
  readonly about: 'message';
  readonly id: number;
  readonly what: 'created' | 'deleted';
}

export function messageFact(event: StoredEvent): MessageFact | undefined {
  if (event.stream !== contact.stream) return undefined;
  const { type, data } = codec.decode(event) as ContactEvent;
  return { about: 'message', id: data.id, what: type === 'ContactMessageReceived' ? 'created' : 'deleted' };
}
