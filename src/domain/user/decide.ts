import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { IssuedPassword, NewUser, ProfileFields, UserFacts } from './commands.ts';
import type { UserEvent } from './events.ts';
import { changedSlug, newSlug, planEmail, planLogin } from './naming.ts';
import type { Role } from './roles.ts';
import type { User } from './state.ts';

/** Makes an account. Its slug and the name that others see follow from the login where they are not given. */
export function addUser(fields: NewUser, facts: UserFacts): readonly UserEvent[] | Refusal {
  const login = planLogin(fields.login, facts);
  if (isRefusal(login)) return login;
  const email = planEmail(fields.email ?? '', 0, facts);
  if (isRefusal(email)) return email;
  const slug = newSlug(fields.slug ?? '', login, facts);
  if (isRefusal(slug)) return slug;
  const { role, displayName, url = '', description = '' } = fields;
  const data = {
    id: facts.nextUser,
    role,
    login,
    displayName: displayName?.trim() || login,
    slug,
    email,
    url,
    description,
  };
  return [{ type: 'UserAdded', data }];
}

/** Changes what the fields name of what others may see; nothing if it is like that already. */
export function changeProfile(user: User, fields: ProfileFields, facts: UserFacts): readonly UserEvent[] | Refusal {
  const email = fields.email === undefined ? user.email : planEmail(fields.email, user.id, facts);
  if (isRefusal(email)) return email;
  const slug = fields.slug === undefined ? user.slug : changedSlug(user, fields.slug, facts);
  if (isRefusal(slug)) return slug;
  const profile = {
    displayName: fields.displayName?.trim() || user.displayName,
    slug,
    email,
    url: fields.url ?? user.url,
    description: fields.description ?? user.description,
  };
  const changed = profileFields.filter((field) => profile[field] !== user[field]);
  if (changed.length === 0) return [];
  const data = Object.fromEntries(changed.map((field) => [field, profile[field]]));
  return [{ type: 'UserProfileChanged', data: { id: user.id, ...data } }];
}

export function changeRole({ id, role: before }: User, role: Role): readonly UserEvent[] {
  return role === before ? [] : [{ type: 'UserRoleChanged', data: { id, role } }];
}

/** Adds an application password; those from before go on opening the account. */
export function issuePassword({ id, passwords }: User, issued: IssuedPassword): readonly UserEvent[] {
  if (passwords.some((password) => password.id === issued.id)) return [];
  const { id: password, name, digest, appId = '' } = issued;
  const data = { id, password, name, digest, ...(appId === '' ? {} : { appId }) };
  return [{ type: 'UserPasswordIssued', data }];
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

/** Closes an account until it is enabled again. Somebody has to be left who can manage the site. */
export function disableUser(user: User, facts: { readonly administrators: number }): readonly UserEvent[] | Refusal {
  const { id, role, disabled, erased } = user;
  if (disabled || erased) return [];
  return role === 'administrator' && facts.administrators < 2
    ? refuse('last_administrator', 'The last administrator cannot be disabled. Make somebody else one first.')
    : [{ type: 'UserDisabled', data: { id } }];
}

export function enableUser({ id, disabled }: User): readonly UserEvent[] {
  return disabled ? [{ type: 'UserEnabled', data: { id } }] : [];
}

/** Closes an account for good. Somebody has to be left who can manage the site. */
export function eraseUser({ id, role, disabled, erased }: User, facts: { readonly administrators: number }) {
  if (erased) return [];
  return role === 'administrator' && !disabled && facts.administrators < 2
    ? refuse('last_administrator', 'The last administrator cannot be erased. Make somebody else one first.')
    : [{ type: 'UserErased', data: { id } } as const];
}

const profileFields = ['displayName', 'slug', 'email', 'url', 'description'] as const;
