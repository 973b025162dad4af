import { pino } from 'pino';
import { expect, it } from 'vitest';
import { eraseUser } from '#commands/erasure.ts';
import { addUser, setRole } from '#commands/users.ts';
import { logNotable } from '#ops/server/work.ts';
import { someOrder } from '../support/erasure-order.ts';
import { openTestNode } from '../support/node.ts';
import { eventually } from '../support/patience.ts';

it('changes of accounts and orders to erase are logged with the acting user, without names', async () => {
  const { node } = await openTestNode();
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const stop = logNotable({ ...node, logger, onFault: (error) => expect(error).toBeUndefined() });
  const by = { viewer: null, correlationId: 'here' };
  const submit = node.store.submit;
  await submit(by, (session) => addUser(session, { login: 'ada', role: 'author' }));
  await submit(by, (session) => setRole(session, 'ada', 'editor'));
  await submit(by, (session) => eraseUser(session, 'ada', someOrder));
  await eventually(() => expect(lines).toHaveLength(3));
  stop();
  expect(lines.map(({ msg, type, user, correlationId }) => [msg, type, user, correlationId])).toEqual([
    ['account added', 'UserAdded', null, 'here'],
    ['roles changed', 'UserRoleChanged', null, 'here'],
    ['erasure ordered', 'UserErased', null, 'here'],
  ]);
  expect(JSON.stringify(lines)).not.toContain('ada');
  await node.close();
});
