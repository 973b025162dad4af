import { z } from 'zod';
import { findAccount, unknown } from '#commands/erasure.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { asWriter, may, viewerOf } from '#domain/user/roles.ts';
import type { UserRow } from '#projections/users/definition.ts';
import type { VerbStore } from './verb.ts';

/** Why something is done that somebody answers for. It is recorded for good. */
export const recordedReason = z.string().trim().min(1).max(500);

/** The administrator who answers for what a verb does. `code`: of the refusal if the login is that of nobody who may. */
export function administratorNamed(
  { reader }: Pick<VerbStore, 'reader'>,
  login: string,
  code: string,
): UserRow | Refusal {
  const account = findAccount(reader, login);
  if (account === undefined) return unknown(login);
  if (!account.disabled && may(asWriter(viewerOf(account)), 'manage_options')) return account;
  return refuse(code, `${login} is no administrator: only an administrator may do that.`);
}
