import type { Fields } from '#domain/undo/inverse.ts';
import type { UserEvent } from './events.ts';
import type { User } from './state.ts';

const profile = [
  ...(['displayName', 'slug', 'email', 'url', 'description'] as const),
  ...(['firstName', 'lastName', 'nickname', 'preferences'] as const),
];

/** An account as the fields that an undo gives back: neither passwords nor tokens. */
export function fieldsOfUser(user: User): Fields<User> {
  const { roles, disabled, lastDay } = user;
  return {
    ...Object.fromEntries(profile.map((name) => [name, { [name]: user[name] }])),
    roles: { roles },
    disabled: { disabled },
    lastDay: { lastDay } as Partial<User>,
  };
}

/** Makes an account what it was. */
export function restoreUser(now: User, then: User): readonly UserEvent[] {
  const { id, roles, disabled, lastDay = '' } = then;
  const changed = profile.filter((name) => now[name] !== then[name]);
  const events: UserEvent[] = [];
  if (changed.length > 0) {
    const data = { id, ...Object.fromEntries(changed.map((name) => [name, then[name]])) };
    events.push({ type: 'UserProfileChanged', data });
  }
  if (now.roles.join() !== roles.join()) events.push({ type: 'UserRoleChanged', data: { id, roles: [...roles] } });
  if (now.disabled !== disabled) events.push({ type: disabled ? 'UserDisabled' : 'UserEnabled', data: { id } });
  if ((now.lastDay ?? '') !== lastDay) events.push({ type: 'UserLastDaySet', data: { id, day: lastDay } });
  return events;
}
