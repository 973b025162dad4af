import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary.ts';
import { edited, filesOf, recipe } from './edited.ts';
import { command, removeProjections, start } from './started.ts';

it('a kind of entries takes one source file, and a taxonomy of its own two more', async () => {
  expect(filesOf(recipe('kind-of-entries'))).toBe(1);
  expect(filesOf(recipe('kind-of-entries', 'A taxonomy of its own'))).toBeLessThanOrEqual(3);

  const directory = temporaryDirectory();
  const before = await start(directory);
  const { password } = before.server;
  await before.call('POST /posts', { title: 'From before', status: 'publish' });
  await before.server.stop();

  const copy = edited(recipe('kind-of-entries', 'A taxonomy of its own'));
  const opened = await start(directory, { copy, password });
  const { call, send, server } = opened;
  const cuisine = await call('POST /cuisines', { name: 'Baltic' });
  const input = { title: 'Soup', content: 'Beetroot', status: 'publish', cuisines: [cuisine.id] };
  const made = await send('POST /recipes', input);
  const { id } = made.body;
  expect([made.status, made.body.type, made.body.cuisines]).toEqual([201, 'recipe', [cuisine.id]]);
  const position = made.headers.get('x-cms-position');
  await call(`PATCH /recipes/${id}`, { title: 'Cold soup', cuisines: [] });
  const other = await call('POST /recipes', { ...input, title: 'Bread' });

  const reads = {
    now: `GET /recipes/${id}`,
    before: `GET /recipes/${id}?as_of=${position}`,
    list: 'GET /recipes?orderby=id',
    filtered: `GET /recipes?cuisines=${cuisine.id}`,
    past: `GET /recipes?cuisines=${cuisine.id}&as_of=${position}`,
    found: 'GET /search?subtype=recipe&search=soup',
    revisions: `GET /recipes/${id}/revisions`,
    term: `GET /cuisines/${cuisine.id}`,
    type: 'GET /types/recipe',
  };
  const all = async ({ call: ask }: Awaited<ReturnType<typeof start>>) => {
    const answers = await Promise.all(Object.values(reads).map((request) => ask(request)));
    const text = JSON.stringify(Object.keys(reads).map((name, i) => [name, answers[i]]));
    return Object.fromEntries(JSON.parse(text.replaceAll(/http:\/\/localhost:\d+/g, '')));
  };
  const shown = await all(opened);
  expect(shown).toMatchObject({
    now: { title: { rendered: 'Cold soup' }, cuisines: [] },
    before: { title: { rendered: 'Soup' }, cuisines: [cuisine.id] },
    list: [{ id: other.id }, { id }],
    filtered: [{ id: other.id }],
    past: [{ id }],
    found: [{ id, subtype: 'recipe' }],
    revisions: [{ parent: id }],
    term: { count: 1, taxonomy: 'cuisine' },
    type: { rest_base: 'recipes', taxonomies: ['cuisine'] },
  });
  expect((await call('GET /posts')).map(({ type }: { type: string }) => type)).toEqual(['post']);
  expect(shown['now'].link).toBe('/recipe/soup/');
  expect(await (await fetch(new URL('/recipe/soup/', server.root))).text()).toContain('<p>Beetroot</p>');
  await server.stop();

  expect(await command(directory, copy, 'audit', '--entry', String(id))).toContain('recipe');
  expect(await command(directory, copy, 'verify')).toMatch(/projections +ok/);
  await command(directory, copy, 'rebuild', '--check');
  removeProjections(directory);
  const again = await start(directory, { copy, password });
  expect(await all(again)).toEqual(shown);
  expect(await again.call(`DELETE /recipes/${id}?force=true`)).toMatchObject({ deleted: true, previous: { id } });
});
