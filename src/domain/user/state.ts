import { produce } from 'immer';
import type { UserEvent } from './events.ts';
import type { Role } from './roles.ts';

export interface ApplicationPassword {
  readonly id: string;
  readonly name: string;
  readonly digest: string;
}

export interface User {
  readonly id: number;
  readonly role: Role;
  readonly login: string;
  readonly displayName: string;
  readonly slug: string;
  readonly email: string;
  readonly url: string;
  readonly description: string;
  /** When the account came to be, UTC. */
  readonly registered: string;
  readonly passwords: readonly ApplicationPassword[];
}

/** The stream of a user. */
export const userStream = (id: number): string => `user-${id}`;

export function evolveUser(user: User | null, event: UserEvent, at: string): User | null {
  if (event.type === 'UserAdded') return { ...event.data, registered: at, passwords: [] };
  if (user === null) return null;
  return produce(user, (draft) => {
    switch (event.type) {
      case 'UserProfileChanged':
        Object.assign(draft, event.data);
        break;
      case 'UserRoleChanged':
        draft.role = event.data.role;
        break;
      case 'UserPasswordIssued':
        draft.passwords.push({ id: event.data.password, name: event.data.name, digest: event.data.digest });
        break;
      case 'UserPasswordRevoked':
        draft.passwords = draft.passwords.filter((password) => password.id !== event.data.password);
        break;
      default:
        event satisfies never;
    }
  });
}
