import { bySystem } from '#commands/session.ts';
import { addUser } from '#commands/users.ts';
import type { Store } from '../../src/node/types.ts';

/** Who ordered an erasure, and why, where a test is about something else. */
export const someOrder = { by: 1, reason: 'an order' };

/** The same as options of a command on a site of tests. */
export const ordered = { yes: true, as: 'administrator', reason: someOrder.reason };

/** Makes the account that orders it on a site without accounts. */
export async function addOrderer({ submit }: Pick<Store, 'submit'>): Promise<void> {
  const fields = { login: ordered.as, role: 'administrator', email: 'admin@example.org' } as const;
  await submit(bySystem, (session) => addUser(session, fields));
}
