import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { edited, filesOf, raised, recipe } from './edited.ts';
import { command, start } from './started.ts';

it('a new field of posts takes at most four source files, or six if collections can be filtered by it', async () => {
  const version = raised('src/projections/entries/definition.ts');
  const edits = [...recipe('field-of-posts', 'A filter by it'), version];
  expect(filesOf([...recipe('field-of-posts'), version])).toBeLessThanOrEqual(4);
  expect(filesOf(edits)).toBeLessThanOrEqual(6);

  const directory = temporaryDirectory();
  const before = await start(directory);
  const { id } = await before.call('POST /posts', { title: 'From before', status: 'publish' });
  const { password } = before.server;
  await before.server.stop();

  const copy = edited(edits);
  const { call, server } = await start(directory, { copy, password });
  expect(await call(`GET /posts/${id}`)).toMatchObject({ subtitle: '' });
  expect(await call(`PATCH /posts/${id}`, { subtitle: 'Changed' })).toMatchObject({ subtitle: 'Changed' });
  const page = await call('POST /pages', { title: 'New', subtitle: 'Made', status: 'publish' });
  for (const [path, shown] of [[`/posts/${id}`, 'Changed'] as const, [`/pages/${page.id}`, 'Made'] as const]) {
    expect(await call(`GET ${path}`)).toMatchObject({ subtitle: shown });
    expect(await call(`GET ${path}?context=edit`)).toMatchObject({ subtitle: shown });
    expect(await call(`GET ${path}?context=embed`)).not.toHaveProperty('subtitle');
  }
  const { schema, endpoints } = await call('OPTIONS /posts');
  const described = { type: 'string', description: 'A line below the title.' };
  expect(schema.properties.subtitle).toEqual({ ...described, context: ['view', 'edit'] });
  expect(endpoints[1].args.subtitle).toEqual({ ...described, required: false });
  expect(endpoints[0].args.subtitle.description).toBe('Limit result set to posts with the given subtitle.');

  const other = await call('POST /posts', { title: 'Other', subtitle: 'Made', status: 'publish' });
  const longer = await call('POST /posts', { title: 'Long', subtitle: 'A longer line', status: 'publish' });
  const expected: [string, number[]][] = [
    ['subtitle=Made', [other.id]],
    ['subtitle=A longer line', [longer.id]],
    ['subtitle=From before', []],
    ['subtitle=', []],
  ];
  const found = async (ask: typeof call, query: string) =>
    (await ask(`GET /posts?orderby=id&${query.replaceAll(' ', '+')}`)).map((post: { id: number }) => post.id);
  for (const [query, ids] of expected) expect(await found(call, query), query).toEqual(ids);
  await server.stop();
  const again = await start(directory, { copy, password });
  for (const [query, ids] of expected) expect(await found(again.call, query), query).toEqual(ids);

  // What people write can be erased.
  await again.call(`DELETE /posts/${longer.id}?force=true`);
  await again.server.stop();
  await command(directory, copy, 'erase', 'entry', String(longer.id), '--yes', '--as', 'admin', '--reason', 'an order');
  const log = openSqliteStore({ path: join(directory, 'log.db'), readOnly: true });
  const events = [...log.read()];
  log.close();
  expect(events.filter(({ data, sealed }) => `${data}${sealed}`.includes('A longer line'))).toEqual([]);
  expect(events.filter(({ stream }) => stream === `entry-${id}`).map(({ data }) => data)).not.toContainEqual(
    expect.stringContaining('subtitle'),
  );
});
