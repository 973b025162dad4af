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
  /** Whether it has been closed for good: what it wrote is still there, who it was is not. */
  readonly erased: boolean;
}

/** The stream of a user. */
export const userStream = (id: number): string => `user-${id}`;

export function evolveUser(user: User | null, event: UserEvent, at: string): User | null {
  if (event.type === 'UserAdded') return { ...event.data, registered: at, passwords: [], erased: false };
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
      case 'UserErased':
        Object.assign(draft, nameless(event.data.id));
        break;
      default:
        event satisfies never;
    }
  });
}

/** What is left of an account that was erased. Its number keeps login and slug apart from those of others. */
function nameless(id: number): Omit<User, 'id' | 'registered'> {
  const name = `erased-${id}`;
  return {
    ...{ role: 'subscriber', login: name, displayName: 'erased', slug: name, email: '', url: '', description: '' },
    passwords: [],
    erased: true,
  };
}
