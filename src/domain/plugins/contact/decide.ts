import { networkOf } from '#domain/comment/network.ts';
import { type Contact, type ContactEvent, type ContactMessage, recently } from './area.ts';

/** Messages that are taken within an hour: from one network, and from all together. */
export const mostFromOne = 5;
export const mostFromAll = 200;

export type Draft = Omit<ContactMessage, 'id' | 'at'>;

interface Facts {
  readonly at: string;
  readonly address: string;
  /** A message by its id; null when it was deleted. */
  readonly known: (id: number) => ContactMessage | null;
}

/** Takes a message; nothing when the same has just come, as from somebody who pressed twice. */
export function receiveMessage(all: Contact, draft: Draft, { at, address, known }: Facts): Decision {
  const recent = recently(all, at).flatMap(({ id }) => known(id) ?? []);
  if (recent.some((one) => isSame(one, draft))) return [];
  const network = networkOf(draft.ip);
  const fromOne = recent.filter(({ ip }) => networkOf(ip) === network).length;
  if (fromOne >= mostFromOne || recent.length >= mostFromAll) return 'too many';
  return [{ type: 'ContactMessageReceived', data: { ...draft, id: all.last + 1, address } }];
}

type Decision = readonly ContactEvent[] | 'too many';

/** Deletes a message; nothing when there is none. */
export function deleteMessage({ message }: Contact): readonly ContactEvent[] {
  return message === null ? [] : [{ type: 'ContactMessageDeleted', data: { id: message.id } }];
}

function isSame(one: Draft, other: Draft): boolean {
  const parts = ['form', 'name', 'email', 'subject', 'message'] as const;
  return parts.every((part) => one[part] === other[part]);
}
