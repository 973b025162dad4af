import type { ApplicationPassword } from '#domain/user/state.ts';
import type { PasswordUses } from '#domain/user/uses.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { asciiJson } from '#text/json.ts';
import type { Context, Rec } from '../../../engine/types.ts';

export interface PasswordShowing {
  readonly context: Context;
  readonly model: Model;
  readonly uses: Pick<PasswordUses, 'of'>;
  readonly password?: string;
}

export function passwordRecord(user: UserRow, row: ApplicationPassword, showing: PasswordShowing): Rec {
  const values = { ...plainValues(row, showing), _links: linksOf(user, row, showing) };
  return { names: Object.keys(values), json: (name) => asciiJson(values[name as keyof typeof values] ?? null) };
}

/** The fields of a password, without links. */
export function plainValues(
  { id, appId, name, created }: ApplicationPassword,
  { context, uses, password }: PasswordShowing,
) {
  const own = { uuid: id, app_id: appId, name };
  if (context === 'embed') return own;
  const use = uses.of(id);
  const last = use === null ? null : new Date(use.at).toISOString().slice(0, 19);
  const times = { created: created.slice(0, 19), last_used: last, last_ip: use?.address ?? null };
  return { ...own, ...times, ...(password === undefined ? {} : { password }) };
}

export function passwordAddress(user: UserRow, { id }: ApplicationPassword, model: Model): string {
  return `${namespaceUrl(model.site(), CONTENT)}/users/${user.id}/application-passwords/${id}`;
}

function linksOf(user: UserRow, row: ApplicationPassword, { model }: PasswordShowing) {
  return {
    self: [
      { href: passwordAddress(user, row, model), targetHints: { allow: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] } },
    ],
  };
}
