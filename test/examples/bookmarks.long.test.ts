import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { edited, filesOf, recipe } from './edited.ts';
import { command, removeProjections, start } from './started.ts';

const [first, second, hidden] = ['https://first.example/', 'https://second.example/', 'https://hidden.example/'];

it('a whole resource with its own events takes at most nine source files', async () => {
  const bookmarks = recipe('resource');
  expect(filesOf(bookmarks)).toBeLessThanOrEqual(9);

  const directory = temporaryDirectory();
  const before = await start(directory);
  const { password } = before.server;
  const user = await before.call('POST /users', { username: 'reader', email: 'r@example.org', password: 'a password' });
  const issued = await before.call(`POST /users/${user.id}/application-passwords`, { name: 'Reading' });
  const reader = `reader:${issued.password}`;
  await before.server.stop();

  const copy = edited(bookmarks);
  const { call, send, server } = await start(directory, { copy, password });
  const made = await send('POST /bookmarks', { url: first });
  expect([made.status, made.body]).toEqual([201, { id: 1, url: first }]);
  expect(made.headers.get('location')).toBe(`${server.root}cms/v2/bookmarks/1`);
  const position = made.headers.get('x-cms-position');
  await call('POST /bookmarks', { url: second });
  expect(await call('GET /bookmarks/2')).toEqual({ id: 2, url: second });
  const page = await send('GET /bookmarks?per_page=1&page=2');
  expect([page.body, page.headers.get('x-cms-total')]).toEqual([[{ id: 2, url: second }], '2']);

  // They are own to each user.
  await send('POST /bookmarks', { url: hidden }, reader);
  expect((await send('GET /bookmarks', undefined, reader)).body).toEqual([{ id: 1, url: hidden }]);
  const refused = [
    await send('GET /bookmarks/2', undefined, reader),
    await send('DELETE /bookmarks/2', undefined, reader),
    await send('GET /bookmarks', undefined, ''),
    await send('POST /bookmarks', { url: first }),
    await send('POST /bookmarks', {}),
  ];
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
    [404, 'rest_bookmark_invalid_id'],
    [404, 'rest_bookmark_invalid_id'],
    [401, 'rest_forbidden'],
    [400, 'rest_bookmark_exists'],
    [400, 'rest_missing_callback_param'],
  ]);

  expect(await call('DELETE /bookmarks/1')).toEqual({ deleted: true, previous: { id: 1, url: first } });
  const now = [{ id: 2, url: second }];
  const then = [{ id: 1, url: first }];
  expect(await call('GET /bookmarks')).toEqual(now);
  expect(await call(`GET /bookmarks?as_of=${position}`)).toEqual(then);
  expect(await call(`GET /bookmarks/1?as_of=${position}`)).toEqual(then[0]);
  const { schema, endpoints } = await call('OPTIONS /bookmarks');
  expect(Object.keys(schema.properties)).toEqual(['id', 'url']);
  expect(endpoints[1].args.url).toMatchObject({ format: 'uri', required: true });
  await server.stop();

  const told = await command(directory, copy, 'audit', '--stream', 'bookmarks-1', '--oldest');
  expect(told).toMatch(/made bookmark 1[\s\S]*removed bookmark 1/);
  expect(await command(directory, copy, 'verify')).toMatch(/projections +ok/);
  await command(directory, copy, 'rebuild', '--check');
  removeProjections(directory);
  const again = await start(directory, { copy, password });
  expect(await again.call('GET /bookmarks')).toEqual(now);
  expect(await again.call(`GET /bookmarks?as_of=${position}`)).toEqual(then);
  expect(await again.call('POST /bookmarks', { url: first })).toEqual({ id: 3, url: first });

  // What belongs to a user is erased with the user, even after the account was deleted.
  await again.call(`DELETE /users/${user.id}?force=true&reassign=1`);
  await again.server.stop();
  await command(directory, copy, 'erase', 'user', String(user.id), '--yes', '--as', 'admin', '--reason', 'an order');
  const log = openSqliteStore({ path: join(directory, 'log.db'), readOnly: true });
  const events = [...log.read()];
  log.close();
  expect(events.filter(({ data, sealed }) => `${data}${sealed}`.includes(hidden))).toEqual([]);
  expect(await command(directory, copy, 'verify')).toMatch(/projections +ok/);
});
