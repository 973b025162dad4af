import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pendingName } from '../../../src/node/erasure/pending.ts';
import { type Site, startSite } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const owed = () => join(site.directory, pendingName);
const restartOwing = (streams: readonly unknown[]) =>
  site.restart(() => writeFileSync(owed(), JSON.stringify(streams)));

it('an order about an address is repeated on a log from before the first such order', async () => {
  const stream = `address-${'a'.repeat(64)}`;
  await restartOwing([stream]);
  expect([...site.node.log.read({ stream })].map(({ type }) => type)).toEqual(['AddressErased']);
  expect(existsSync(owed())).toBe(false);
});

it('is repeated with who ordered it, and why', async () => {
  const { body } = await site.call('administrator', 'POST /posts', { title: 'Gone', status: 'publish' });
  const stream = `entry-${body.id}`;
  await restartOwing([{ stream, by: 4, reason: 'Order 12/26' }]);
  const [last] = site.node.log.read({ stream, direction: 'backwards', limit: 1 });
  expect(JSON.parse(last?.data ?? '')).toEqual({ id: body.id, by: 4, reason: 'Order 12/26' });
});

it('an order that is refused stays owed, and is tried again', async () => {
  await restartOwing(['user-1']);
  const left = JSON.parse(readFileSync(owed(), 'utf8'));
  expect(left).toMatchObject({ orders: [{ stream: 'user-1', by: null, reason: '' }] });
  await site.call('administrator', 'PUT /users/2', { roles: ['administrator'] });
  await site.restart();
  expect(existsSync(owed())).toBe(false);
  expect([...site.node.log.read({ stream: 'user-1' })].at(-1)?.type).toBe('UserErased');
});
