import { produce } from 'immer';
import type { UserEvent } from './events.ts';
import type { Role } from './roles.ts';

export interface ApplicationPassword {
  readonly id: string;
  readonly name: string;
  readonly digest: string;
  /** uuid of the program that it is for; '': none. */
  readonly appId: string;
  /** UTC. */
  readonly created: string;
  /** Set of what is no password but a token, which opens less and expires. */
  readonly token?: { readonly until: string; readonly publishes: boolean };
}

export interface User {
  readonly id: number;
  readonly roles: readonly Role[];
  readonly login: string;
  readonly displayName: string;
  readonly slug: string;
  readonly email: string;
  readonly url: string;
  readonly description: string;
  readonly firstName: string;
  readonly lastName: string;
  /** '': the login. */
  readonly nickname: string;
  /** What editors remember for the user: a JSON object; '': nothing. */
  readonly preferences: string;
  /** Digest of the password that opens the pages; '': none does. */
  readonly secret: string;
  /** When the account came to be, UTC. */
  readonly registered: string;
  readonly passwords: readonly ApplicationPassword[];
  /** Whether no password opens it until further notice. */
  readonly disabled: boolean;
  /** Whether it has been closed for good: what it wrote is still there, who it was is not. */
  readonly erased: boolean;
}

export const userStream = (id: number): string => `user-${id}`;

export function evolveUser(user: User | null, event: UserEvent, at: string): User | null {
  if (event.type === 'UserAdded')
    return { ...unnamed, ...event.data, registered: at, passwords: [], disabled: false, erased: false };
  if (user === null || event.type === 'UserDeleted') return null;
  return produce(user, (draft) => {
    switch (event.type) {
      case 'UserProfileChanged':
        Object.assign(draft, event.data);
        break;
      case 'UserRoleChanged':
        draft.roles = event.data.roles;
        break;
      case 'UserSecretSet':
        draft.secret = event.data.digest;
        break;
      case 'UserPasswordIssued':
        draft.passwords.push(issued(event.data, at));
        break;
      case 'UserTokenIssued': {
        const { token, until, publishes, ...data } = event.data;
        draft.passwords = draft.passwords.filter((password) => isOpen(password, at));
        draft.passwords.push({ ...issued({ ...data, password: token }, at), token: { until, publishes } });
        break;
      }
      case 'UserPasswordRevoked':
        draft.passwords = draft.passwords.filter((password) => password.id !== event.data.password);
        break;
      case 'UserPasswordRenamed':
        for (const known of draft.passwords) if (known.id === event.data.password) known.name = event.data.name;
        break;
      case 'UserDisabled':
        draft.disabled = true;
        break;
      case 'UserEnabled':
        draft.disabled = false;
        break;
      case 'UserErased':
        Object.assign(draft, nameless(event.data.id));
        break;
      default:
        event satisfies never;
    }
  });
}

const unnamed = { firstName: '', lastName: '', nickname: '', preferences: '', secret: '' };

function nameless(id: number): Omit<User, 'id' | 'registered'> {
  const name = `erased-${id}`;
  return {
    ...unnamed,
    ...{ roles: ['subscriber'], login: name, displayName: 'erased', slug: name, email: '', url: '', description: '' },
    passwords: [],
    disabled: false,
    erased: true,
  };
}

/** Whether it has not expired. `at`: UTC. */
export function isOpen({ token }: ApplicationPassword, at: string): boolean {
  return token === undefined || token.until > at;
}

type Issued = Extract<UserEvent, { type: 'UserPasswordIssued' }>['data'];

function issued({ password: id, name, digest, appId = '' }: Issued, created: string): ApplicationPassword {
  return { id, name, digest, appId, created };
}
