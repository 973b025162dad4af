import type { ErasureReason } from '#domain/kernel/erasure.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type {
  ChangedUser,
  DeletionFacts,
  IssuedPassword,
  IssuedToken,
  NewUser,
  ProfileFields,
  RoleFacts,
  UserFacts,
} from './commands.ts';
import type { UserEvent } from './events.ts';
import { changedUserSlug, newUserSlug, planEmail, planLogin } from './naming.ts';
import { asWriter, may, type Role } from './roles.ts';
import { isOpen, type User } from './state.ts';

/** Creates an account. Slug and display name default to values derived from the other names. */
export function addUser(fields: NewUser, facts: UserFacts): readonly UserEvent[] | Refusal {
  const login = planLogin(fields.login, facts);
  if (isRefusal(login)) return login;
  const slug = newUserSlug(fields.slug ?? '', login, facts);
  if (isRefusal(slug)) return slug;
  const email = planEmail(fields.email ?? '', 0, facts);
  if (isRefusal(email)) return email;
  const { roles, displayName = '', url = '', description = '' } = fields;
  if (isMixed(roles)) return mixed;
  const { firstName = '', lastName = '' } = fields;
  const data = {
    id: facts.nextUser,
    roles: distinct(roles),
    login,
    displayName: displayName.trim() || [firstName, lastName].filter((name) => name !== '').join(' ') || login,
    slug,
    email,
    url,
    description,
    ...saying({ ...fields, nickname: nicknameOf(fields.nickname ?? '', login) }),
  };
  return [{ type: 'UserAdded', data }];
}

/** Changes the given profile fields; no events if nothing differs. */
export function changeProfile(user: User, fields: ChangedUser, facts: UserFacts): readonly UserEvent[] | Refusal {
  if (user.erased) return refuse('rest_user_invalid_id', 'The account has been erased.');
  const email = fields.email === undefined ? user.email : planEmail(fields.email, user.id, facts);
  if (isRefusal(email)) return email;
  if (fields.login !== undefined && fields.login !== user.login) {
    return refuse('rest_user_invalid_argument', 'Usernames cannot be changed.');
  }
  const slug = fields.slug === undefined ? user.slug : changedUserSlug(user, fields.slug, facts);
  if (isRefusal(slug)) return slug;
  const nickname = fields.nickname === undefined ? user.nickname : nicknameOf(fields.nickname, user.login);
  const profile = {
    displayName: fields.displayName === undefined ? user.displayName : fields.displayName.trim() || user.login,
    slug,
    email,
    url: fields.url ?? user.url,
    description: fields.description ?? user.description,
    firstName: fields.firstName ?? user.firstName,
    lastName: fields.lastName ?? user.lastName,
    nickname,
    preferences: fields.preferences ?? user.preferences,
  };
  const changed = profileFields.filter((field) => profile[field] !== user[field]);
  if (changed.length === 0) return [];
  const data = Object.fromEntries(changed.map((field) => [field, profile[field]]));
  return [{ type: 'UserProfileChanged', data: { id: user.id, ...data } }];
}

/** Replaces the roles of a user. At least one user must remain who can manage the site. */
export function changeRoles(user: User, roles: readonly Role[], facts: RoleFacts): readonly UserEvent[] | Refusal {
  const { id, roles: before } = user;
  if (facts.actor === id && roles.some((role) => !may(asWriter({ id, role }), 'edit_users'))) {
    return refuse('rest_user_invalid_role', 'Sorry, you are not allowed to give yourself that role.');
  }
  const after = distinct(roles);
  if (isMixed(after)) return mixed;
  if (after.join() === before.join()) return [];
  if (isLast(user, facts) && !after.includes('administrator')) return lastAdministrator('demoted');
  return [{ type: 'UserRoleChanged', data: { id, roles: after } }];
}

/** Sets the password for the web pages. `digest`: of the new one, made with the salt of the old one if there is one. */
export function setSecret({ id, secret }: User, digest: string): readonly UserEvent[] {
  return digest === secret ? [] : [{ type: 'UserSecretSet', data: { id, digest } }];
}

/** Adds an application password; existing ones remain valid. */
export function issuePassword({ id, passwords }: User, issued: IssuedPassword): readonly UserEvent[] | Refusal {
  if (passwords.some((password) => password.id === issued.id)) return [];
  if (passwords.filter(({ token }) => token === undefined).length >= maxPasswords) {
    return refuse(
      'application_password_too_many',
      `A user can have ${maxPasswords} application passwords: withdraw one that is no longer used.`,
    );
  }
  const { id: password, name, digest, appId = '' } = issued;
  const data = { id, password, name, digest, ...(appId === '' ? {} : { appId }) };
  return [{ type: 'UserPasswordIssued', data }];
}

/** Maximum number of application passwords per user. */
const maxPasswords = 100;

/** Maximum number of valid tokens per user. */
const maxTokens = 50;

/** Adds a token. `at`: the current time, UTC. */
export function issueToken({ id, passwords }: User, issued: IssuedToken, at: string): readonly UserEvent[] | Refusal {
  const open = passwords.filter((password) => password.token !== undefined && isOpen(password, at));
  if (open.length >= maxTokens) return refuse('too_many_tokens', `A user can have ${maxTokens} tokens at a time.`);
  const { id: token, ...rest } = issued;
  return [{ type: 'UserTokenIssued', data: { id, token, ...rest } }];
}

export function revokePassword({ id, passwords }: User, password: string): readonly UserEvent[] {
  const known = passwords.some((each) => each.id === password);
  return known ? [{ type: 'UserPasswordRevoked', data: { id, password } }] : [];
}

export function renamePassword({ id, passwords }: User, password: string, name: string): readonly UserEvent[] {
  const known = passwords.find((each) => each.id === password);
  return known === undefined || known.name === name
    ? []
    : [{ type: 'UserPasswordRenamed', data: { id, password, name } }];
}

/** Disables an account. At least one user must remain who can manage the site. */
export function disableUser(user: User, facts: Pick<RoleFacts, 'administrators'>): readonly UserEvent[] | Refusal {
  const { id, disabled, erased } = user;
  if (disabled || erased) return [];
  return isLast(user, facts) ? lastAdministrator('disabled') : [{ type: 'UserDisabled', data: { id } }];
}

export function enableUser({ id, disabled }: User): readonly UserEvent[] {
  return disabled ? [{ type: 'UserEnabled', data: { id } }] : [];
}

/** Sets the last day of an auditor's account, in the time zone of the site. `lastDay`: '' for none. */
export function setLastDay(user: User, lastDay: string): readonly UserEvent[] | Refusal {
  const { id, roles } = user;
  if (lastDay === (user.lastDay ?? '')) return [];
  return roles.includes('auditor')
    ? [{ type: 'UserLastDaySet', data: { id, day: lastDay } }]
    : refuse('user_no_auditor', 'Only the account of an auditor has a last day.');
}

/** Deletes an account. `heir`: the new author of what the user wrote; 0: none. At least one user must remain who can manage the site. */
export function deleteUser(user: User, heir: number, facts: DeletionFacts): readonly UserEvent[] | Refusal {
  const { id } = user;
  if (heir !== 0 && (heir === id || !facts.canInherit(heir))) {
    return refuse('rest_user_invalid_reassign', 'Invalid user ID for reassignment.');
  }
  return isLast(user, facts) ? lastAdministrator('deleted') : [{ type: 'UserDeleted', data: { id, heir } }];
}

export function eraseUser(
  user: User,
  facts: Pick<RoleFacts, 'administrators'>,
  order: ErasureReason,
): readonly UserEvent[] | Refusal {
  if (user.erased) return [];
  return isLast(user, facts) ? lastAdministrator('erased') : [{ type: 'UserErased', data: { id: user.id, ...order } }];
}

/** Orders the erasure of a deleted account. `last`: type of its last event in the log. */
export function eraseDeletedUser(id: number, last: string, order: ErasureReason): readonly UserEvent[] {
  return last === 'UserErased' ? [] : [{ type: 'UserErased', data: { id, ...order } }];
}

const profileFields = [
  ...(['displayName', 'slug', 'email', 'url', 'description'] as const),
  ...(['firstName', 'lastName', 'nickname', 'preferences'] as const),
];

function nicknameOf(sent: string, login: string): string {
  return sent === login ? '' : sent;
}

function saying(fields: ProfileFields): Pick<ProfileFields, 'firstName' | 'lastName' | 'nickname' | 'preferences'> {
  const names = ['firstName', 'lastName', 'nickname', 'preferences'] as const;
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}

function distinct(roles: readonly Role[]): Role[] {
  return [...new Set(roles)];
}

/** An auditor changes nothing, so another role beside it would be a contradiction. */
function isMixed(roles: readonly Role[]): boolean {
  return roles.includes('auditor') && distinct(roles).length > 1;
}

const mixed: Refusal = {
  ...refuse('rest_user_invalid_role', 'An auditor cannot have another role.'),
  about: 'input',
};

function isLast({ roles, disabled }: User, { administrators }: Pick<RoleFacts, 'administrators'>): boolean {
  return roles.includes('administrator') && !disabled && administrators < 2;
}

function lastAdministrator(what: string): Refusal {
  return refuse('last_administrator', `The last administrator cannot be ${what}. Make somebody else one first.`);
}
