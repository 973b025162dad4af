import { networkOf } from '#domain/comment/network.ts';
import { type Contact, type ContactEvent, type ContactMessage, recently } from './area.ts';

/** Maximum number of messages per hour: from one network, and from all. */
const maxFromOne = 5;
const maxFromAll = 200;

export type Draft = Omit<ContactMessage, 'id' | 'at'>;

interface Facts {
  readonly at: string;
  readonly address: string;
  /** The message with an id; null if it was deleted. */
  readonly known: (id: number) => ContactMessage | null;
}

/** Accepts a message; no events for a repetition within the hour, such as a double click. */
export function receiveMessage(all: Contact, draft: Draft, { at, address, known }: Facts): Decision {
  const recent = recently(all, at).flatMap(({ id }) => known(id) ?? []);
  if (recent.some((one) => isSame(one, draft))) return [];
  const network = networkOf(draft.ip);
  const fromOne = recent.filter(({ ip }) => networkOf(ip) === network).length;
  if (fromOne >= maxFromOne || recent.length >= maxFromAll) return 'too many';
  return [{ type: 'ContactMessageReceived', data: { ...draft, id: all.last + 1, address } }];
}

type Decision = readonly ContactEvent[] | 'too many';

/** Deletes a message; no events if there is none. */
export function deleteMessage({ message }: Contact): readonly ContactEvent[] {
  return message === null ? [] : [{ type: 'ContactMessageDeleted', data: { id: message.id } }];
}

function isSame(one: Draft, other: Draft): boolean {
  const parts = ['form', 'name', 'email', 'subject', 'message'] as const;
  return parts.every((part) => one[part] === other[part]);
}
