import { produce } from 'immer';
import { addSeconds, toGmt } from '#domain/time/local.ts';
import type { UserEvent } from './events.ts';
import type { Role } from './roles.ts';

export interface ApplicationPassword {
  readonly id: string;
  readonly name: string;
  readonly digest: string;
  /** UUID of the program that it was made for; '': none. */
  readonly appId: string;
  /** UTC. */
  readonly created: string;
  /** Set for tokens, which grant less and expire. */
  readonly token?: { readonly until: string; readonly publishes: boolean; readonly release?: number };
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
  /** Editor preferences of the user, as a JSON object; '': none. */
  readonly preferences: string;
  /** Digest of the password for the web pages; '': none. */
  readonly secret: string;
  /** When the account was created, UTC. */
  readonly registered: string;
  readonly passwords: readonly ApplicationPassword[];
  /** Whether the account is closed until it is enabled again. */
  readonly disabled: boolean;
  /** The last day on which the account can be used, in the time zone of the site; absent: there is none. */
  readonly lastDay?: string;
  /** Whether the account was erased: its texts remain, its personal data do not. */
  readonly erased: boolean;
}

export interface PasswordUse {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly address: string | null;
}

/** Records when application passwords were used. This is not part of the log, since a read is no change. */
export interface PasswordUses {
  /** Records a use, at most once a day for each password. `address` is called only then. */
  readonly note: (password: string, address: () => string) => void;
  readonly of: (password: string) => PasswordUse | null;
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
        if (!draft.roles.includes('auditor')) delete draft.lastDay;
        break;
      case 'UserSecretSet':
        draft.secret = event.data.digest;
        break;
      case 'UserPasswordIssued':
        draft.passwords.push(issued(event.data, at));
        break;
      case 'UserTokenIssued': {
        const { token, until, publishes, release, ...data } = event.data;
        const bounds = { until, publishes, ...(release === undefined ? {} : { release }) };
        draft.passwords = draft.passwords.filter((password) => isOpen(password, at));
        draft.passwords.push({ ...issued({ ...data, password: token }, at), token: bounds });
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
      case 'UserLastDaySet':
        if (event.data.day === '') delete draft.lastDay;
        else draft.lastDay = event.data.day;
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
    roles: ['subscriber'],
    login: name,
    displayName: 'erased',
    slug: name,
    email: '',
    url: '',
    description: '',
    passwords: [],
    disabled: false,
    erased: true,
  };
}

/** When an account ends, in milliseconds since 1970: after its last day in the time zone of the site. Infinity: never. */
export function endOfAccount({ lastDay }: Pick<User, 'lastDay'>, zone: string): number {
  if (lastDay === undefined) return Number.POSITIVE_INFINITY;
  return Date.parse(`${toGmt(addSeconds(`${lastDay}T00:00:00`, dayLength), zone)}Z`);
}

/** Whether nobody may use the account. `now`: milliseconds since 1970. */
export function isClosed(
  user: Pick<User, 'disabled' | 'lastDay'>,
  { zone, now }: { zone: string; now: number },
): boolean {
  return user.disabled || endOfAccount(user, zone) <= now;
}

/** In seconds. */
const dayLength = 24 * 60 * 60;

/** Whether the password or token is still valid. `at`: UTC. */
export function isOpen({ token }: ApplicationPassword, at: string): boolean {
  return token === undefined || token.until > at;
}

type Issued = Extract<UserEvent, { type: 'UserPasswordIssued' }>['data'];

function issued({ password: id, name, digest, appId = '' }: Issued, created: string): ApplicationPassword {
  return { id, name, digest, appId, created };
}
