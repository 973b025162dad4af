import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reporterOf } from '#process/reporter.ts';
import { ordered } from '../../support/erasure-order.ts';
import { openTestJournal } from '../../support/journal.ts';
import { carryOut } from '../../support/place.ts';
import { rebuilt } from '../../support/rebuilding.ts';
import { SITE, type Site, startSite } from '../../support/site.ts';
import { filesWith, typed } from './support.ts';

const LOGIN = 'xanthippe';
const ADDRESS = '203.0.113.7';
let site: Site;
let id = 0;
let post = 0;
let authorization = '';
let position = 0;

describe('a user who is erased', () => {
  beforeAll(async () => {
    site = await startSite();
    const args = { login: LOGIN, role: 'administrator', name: `${LOGIN} the Elder`, email: `${LOGIN}@example.org` };
    const made = await typed(site.node, 'user add', args);
    const { id: given, password } = (made as { value: { id: number; password: string } }).value;
    id = given;
    authorization = `Basic ${Buffer.from(`${LOGIN}:${password}`).toString('base64')}`;
    const headers = { authorization, 'idempotency-key': 'his' };
    const body = { title: 'Dialogue', status: 'publish' };
    post = (await site.call('anonymous', 'POST /posts?_embed', body, { headers })).body.id;
    position = site.position();
    const [last] = site.node.log.read({ from: position });
    const journal = openTestJournal({
      dataDir: site.directory,
      clock: () => 0,
      days: 1,
      reporter: reporterOf({ fault: (error) => expect.unreachable(String(error)) }),
    });
    journal.note({ position, correlationId: last?.correlationId ?? '', address: ADDRESS });
    journal.close();
    while (site.node.work());
  });
  afterAll(() => site.close());

  it('has no login, name or address left in any file of the data directory', async () => {
    expect(filesWith(site.directory, LOGIN)).toContain('log.db-wal');
    expect(filesWith(site.directory, ADDRESS)).toEqual([expect.stringMatching(/^node\.db/)]);
    expect(await typed(site.node, 'erase user', { login: LOGIN })).toMatchObject({ code: 'erasure_not_confirmed' });
    const outcome = await typed(site.node, 'erase user', { login: LOGIN, ...ordered });
    expect(outcome).toEqual({ kind: 'done', value: { erased: `user-${id}`, state: 'done' } });
    expect(filesWith(site.directory, LOGIN)).toEqual([]);
    expect(filesWith(site.directory, ADDRESS)).toEqual([]);
    expect(site.node.store.rebuilding.state.run).toBe(0);
  });

  it('can neither log in nor get a new password', async () => {
    const { status } = await site.call('anonymous', 'GET /users/me', undefined, { headers: { authorization } });
    expect(status).toBe(401);
    for (const login of [LOGIN, `erased-${id}`]) {
      expect(await typed(site.node, 'user password', { login })).toMatchObject({ code: 'invalid_username' });
    }
  });

  it('has no name, and their posts remain without an author name, in the present and the past', async () => {
    const user = await site.call('administrator', `GET /users/${id}?context=edit`);
    expect(user.body).toMatchObject({ name: 'erased', slug: `erased-${id}`, roles: ['subscriber'] });
    expect((await site.call('anonymous', `GET /posts/${post}?_embed`)).body).toMatchObject({
      author: id,
      title: { rendered: 'Dialogue' },
    });
    const card = await site.call('anonymous', `GET /cms-json/oembed/1.0/embed?url=${SITE}/dialogue/`);
    expect([card.body.author_name, card.body.author_url]).toEqual(['Palimpsest', SITE]);
    const then = await site.call('administrator', `GET /posts/${post}?as_of=${position}&_embed`);
    expect([then.status, then.text.includes(LOGIN)]).toEqual([200, false]);
    const audit = await carryOut(site.directory, 'audit', {});
    expect(audit.written).toContain(`erased user ${id}`);
  });

  it('leaves a valid log and matching projections, also after a second erased user', async () => {
    expect(await typed(site.node, 'erase user', { login: 'contributor', ...ordered })).toMatchObject({ kind: 'done' });
    expect(await carryOut(site.directory, 'verify')).toMatchObject({ kind: 'done' });
    expect(await rebuilt(site.node.store.rebuilding, { check: true })).toMatchObject({ differences: [] });
    const outcome = await typed(site.node, 'user list', {});
    const names = (outcome as { value: { username: string }[] }).value.map(({ username }) => username);
    expect(names).toEqual(['administrator', 'editor', 'author', 'erased-4', 'subscriber', `erased-${id}`]);
  });

  it('may be erased again by their id, which appends nothing', async () => {
    const head = site.node.log.head();
    const outcome = await typed(site.node, 'erase user', { login: String(id), ...ordered });
    expect(outcome).toMatchObject({ kind: 'done', value: { state: 'done' } });
    expect(site.node.log.head()).toEqual(head);
  });

  it('may be erased by their id after their account was deleted', async () => {
    const gone = site.node.store.reader.userByLogin('author')?.id;
    await site.call('administrator', `DELETE /users/${gone}?force=true&reassign=1`);
    const told = await typed(site.node, 'erase user', { login: String(gone) });
    expect(told).toMatchObject({ code: 'erasure_not_confirmed', message: expect.stringContaining('deleted account') });
    const outcome = await typed(site.node, 'erase user', { login: String(gone), ...ordered });
    expect(outcome).toMatchObject({ kind: 'done', value: { state: 'done' } });
    expect(await typed(site.node, 'erase user', { login: String(gone) })).toMatchObject({ code: 'invalid_username' });
    expect(await filesWith(site.directory, 'author@example.org')).toEqual([]);
  });

  it('is refused for the last administrator and an unknown user', async () => {
    const last = await typed(site.node, 'erase user', { login: 'administrator', ...ordered });
    expect(last).toMatchObject({ kind: 'refused', code: 'last_administrator' });
    const nobody = await typed(site.node, 'erase user', { login: 'nobody', ...ordered });
    expect(nobody).toMatchObject({ kind: 'refused', code: 'invalid_username' });
  });
});
