import { newAccountSalt } from '#commands/credentials.ts';
import type { User } from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import { saltOf } from '#text/secret.ts';
import { resultOf } from '#text/suspended.ts';
import type { Call } from '../../engine/types.ts';

/** Digest of the password sent for a user; undefined if there is none. Keeps the salt of the current password. */
export function secretIn({ sent, params }: Call<Model>, user: User | undefined): string | undefined {
  if ((sent('password') ?? null) === null) return undefined;
  const salt = saltOf(user?.secret ?? '') || newAccountSalt(user?.login ?? String(params['username']));
  return resultOf('secretDigest', String(params['password']), salt);
}
