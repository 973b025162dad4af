import { z } from 'zod';
import { revokePasswords } from '#commands/passwords.ts';
import type { Session } from '#commands/session.ts';
import { makeToken, takesTokens } from '#commands/tokens.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { plainLine } from '#domain/term/text.ts';
import { may } from '#domain/user/roles.ts';
import { type ApplicationPassword, isOpen } from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import type { Answer, Arg, Args, Call } from '../../../engine/types.ts';
import { fresh, invalidParam } from '../kit/envelopes.ts';
import type { PluginParts } from '../kit/namespace.ts';

const day = 24 * 60 * 60 * 1000;

export const tokenArgs: Args<Model> = {
  name: { schema: z.string().min(1).max(200).describe('What the token is for.'), required: true },
  days: { schema: z.int().min(1).max(365).default(30).describe('Days for which it is good.') },
  publish: {
    schema: z.boolean().default(false).describe('Whether it may publish, and change what is published.'),
  },
};
export const tokenId: Arg<Model> = { schema: z.string().describe('Identifier of a token.') };

type Parts = Pick<PluginParts, 'uses' | 'clock'>;

/** The viewer's own tokens; for administrators, those of all users. */
export function listTokens(call: Call<Model>, parts: Parts): Answer {
  return fresh(found(call, parts).map(({ user, row }) => shown(user, row, parts)));
}

export function makeTokenRoute(call: Call<Session>, parts: Parts): Answer | Refusal {
  const { model: session, viewer, params } = call;
  if (!takesTokens(session)) return notSetUp;
  const user = session.user(viewer.id);
  const name = plainLine(String(params['name']));
  if (user === undefined || name === '') return invalidParam('name', 'name has to say what the token is for.');
  const until = parts.clock() + Number(params['days']) * day;
  const made = makeToken(session, user, { name, until, publishes: params['publish'] === true });
  if (isRefusal(made)) return made;
  const row = session.user(viewer.id)?.passwords.find(({ id }) => id === made.id);
  if (row === undefined) throw new Error('the token that was made is not there');
  return fresh({ ...shown(user, row, parts), token: made.token });
}

export function withdrawToken(call: Call<Session>, parts: Parts): Answer | Refusal {
  const one = found(call, parts).find(({ row }) => row.id === call.params['id']);
  if (one === undefined) return refuse('token_not_found', 'There is no such token.');
  revokePasswords(call.model, one.user, one.row.id);
  return fresh({ deleted: true, previous: shown(one.user, one.row, parts) });
}

const notSetUp = refuse('assistant_not_set_up', 'No program may act for users until toggle-mcp-plugin was set up.');

function found({ model, viewer }: Call<Model>, { clock }: Parts) {
  const now = new Date(clock()).toISOString();
  const users = may(viewer, 'edit_users') ? model.users() : [model.user(viewer.id)];
  return users.flatMap((user) =>
    user === undefined
      ? []
      : user.passwords.filter((row) => row.token !== undefined && isOpen(row, now)).map((row) => ({ user, row })),
  );
}

function shown(user: UserRow, row: ApplicationPassword, { uses }: Parts) {
  const { id, name, created, token } = row;
  const use = uses.of(id);
  return {
    ...{ id, user: user.id, name, created, until: token?.until ?? '', publish: token?.publishes === true },
    last_used: use === null ? null : new Date(use.at).toISOString(),
  };
}
