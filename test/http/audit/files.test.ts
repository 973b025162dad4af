import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseEntry } from '#commands/erasure.ts';
import type { Site } from '../../support/site.ts';
import { siteWithHistory, visit } from './history.ts';

let site: Site;

beforeAll(async () => {
  site = await siteWithHistory();
  site.node.store.logins.note(1, true);
  site.node.store.logins.note(1, false);
  site.node.store.transparency.checkpoints.make();
});

afterAll(() => site.close());

const text = async (path: string) => (await visit(site, path)).text;

/** The file that the page at a path leads to by an address that matches. */
async function follow(path: string, address: RegExp) {
  const { text: page } = await visit(site, path);
  const [, found = ''] = address.exec(page) ?? [];
  expect(found, `${address} on ${path}`).not.toBe('');
  const { pathname, search } = new URL(found.replaceAll('&amp;', '&'), `http://x/cms-audit/${path}`);
  return visit(site, pathname.slice('/cms-audit/'.length) + search);
}

const links = {
  csv: /href="([^"]*\.csv[^"]*)"/,
  proof: /href="([^"]*proof[^"]*)"/,
};

describe('pages of the audit as tables', () => {
  it.each([
    ['', 'position,time,user id', 61],
    ['public', 'id,kind,title,from', 50],
    ['logins', 'day,user id,user,what,times', 2],
    ['things/entry-1', 'position,time,user id', 5],
    ['things/entry-1/blame', 'sentence,paragraph,text', 3],
    ['things/entry-1/versions', 'position,revision,time', 5],
    ['log/7', 'position,time,user id', 1],
  ])('%s leads to its rows as CSV', async (path, head, least) => {
    const { status, headers, text: table } = await follow(path, links.csv);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=UTF-8; header=present']);
    const [first = '', ...rows] = table.trim().split('\r\n');
    expect(first).toContain(head);
    expect(rows.length).toBeGreaterThanOrEqual(least);
  });

  it('say what the interface says as CSV, too', async () => {
    const asked = async (route: string) => {
      const headers = { authorization: site.authorization('administrator') };
      return fetch(`http://127.0.0.1:${site.port}/cms-json/cms/v2/audit${route}`, { headers });
    };
    const same = async (page: string, route: string) => {
      expect(await (await asked(`/${route}`)).text()).toBe(await text(page));
    };
    await same('things/entry-1/blame.csv', 'blame/1?format=csv');
    await same('public.csv?from=2026-03-01&to=2026-03-01', 'public?from=2026-03-01&to=2026-03-01&format=csv');
    await same('logins.csv', 'logins?format=csv');
    for (const route of ['/1', '/readings'])
      expect(await (await asked(`${route}?format=csv`)).text()).toMatch(/^(?:position|day),/);
    for (const route of ['', '/1', '/public', '/logins', '/readings', '/blame/1'])
      expect((await asked(`${route}?format=pdf`)).status).toBe(400);
  });

  it('have the answers of their pages, also where there is nothing', async () => {
    for (const [path, file] of [
      ['things/entry-1/blame?field=status', 'things/entry-1/blame.csv?field=status'],
      ['things/entry-1/blame?field=password', 'things/entry-1/blame.csv?field=password'],
      ['things/entry-99999', 'things/entry-99999/proof'],
      ['things/entry-99999/versions', 'things/entry-99999/versions.csv'],
    ] as const)
      expect([file, (await visit(site, path)).status, (await visit(site, file)).status]).toEqual([file, 404, 404]);
  });

  it('are for those who may see the pages', async () => {
    for (const path of ['public.csv', 'logins.csv', 'things/entry-1/versions.csv', 'things/entry-1/proof'])
      expect((await visit(site, path, 'editor')).status).toBe(403);
  });
});

describe('proofs from the pages', () => {
  it.each([
    ['things/entry-1', 'entry-1.proof.json'],
    ['log/7', 'event-7.proof.json'],
    ['public?from=2026-03-01', /^entry-\d+-public\.proof\.json$/],
    ['things/entry-1/versions', /^entry-1-\d+\.proof\.json$/],
    ['things/entry-1/blame', 'entry-1-content.proof.json'],
    ['?entry=1&field=title', 'entry-1-title.proof.json'],
    ['things/entry-1/at?position=20', 'entry-1-20.proof.json'],
    ['things/entry-1/changes?to=2', /^entry-1-\d+\.proof\.json$/],
  ])('%s leads to the file', async (path, name) => {
    const { status, headers, text: file } = await follow(path, links.proof);
    expect(status).toBe(200);
    const [, given = ''] = /^attachment; filename="(.*)"$/.exec(headers.get('content-disposition') ?? '') ?? [];
    expect(given).toEqual(typeof name === 'string' ? name : expect.stringMatching(name));
    expect(JSON.parse(file)).toMatchObject({ format: 'palimpsest proof 1' });
  });

  it('are none of what the newest checkpoint does not cover, and the page says what to do', async () => {
    const id = await site.make('editor', '/posts', { title: 'Fresh', status: 'publish' });
    const { status, text: page } = await visit(site, `things/entry-${id}/proof`);
    expect(status).toBe(409);
    expect(page).toContain('checkpoint make');
    expect((await visit(site, 'things/entry-4711/proof')).status).toBe(404);
    expect((await visit(site, 'things/site/proof')).status).toBe(404);
    expect(await text('things/site')).not.toMatch(links.proof);
  });

  it('of an erasure are led to by what was erased, and open nothing', async () => {
    const id = await site.make('editor', '/posts', { title: 'Parting', status: 'publish' });
    const { store } = site.node;
    const admin = { viewer: { id: 1, role: 'administrator' as const }, correlationId: 'erasing' };
    await store.submit(admin, (session) => eraseEntry(session, id, { by: 1, reason: 'an order' }));
    await store.erasing.finish();
    store.transparency.checkpoints.make();
    const page = await text(`things/entry-${id}`);
    expect(page).toContain(`./entry-${id}/proof?erasure=true`);
    const { status, text: file } = await visit(site, `things/entry-${id}/proof?erasure=true`);
    expect([status, file.includes('Parting'), file.includes('EntryErased')]).toEqual([200, false, true]);
  });

  it('show no password', async () => {
    const locked = { title: 'Locked', password: 'vellum', status: 'publish' };
    const id = await site.make('editor', '/posts', locked);
    site.node.store.transparency.checkpoints.make();
    for (const path of [`things/entry-${id}/proof?open_also=true&open_password=true`, `things/entry-${id}/proof`])
      expect(await text(path)).not.toContain('vellum');
  });
});

it('texts are shown without the comments of blocks', async () => {
  const content = '<!-- wp:paragraph -->\n<p>It goes on.</p>\n<!-- /wp:paragraph -->';
  const id = await site.make('editor', '/posts', { title: 'Blocks', content, status: 'publish' });
  const { position } = site.node.store.log.head();
  const [past, event] = [await text(`things/entry-${id}/at?position=${position}`), await text(`log/${position}`)];
  expect(past).toContain('<pre>&lt;p&gt;It goes on.&lt;/p&gt;</pre>');
  expect(past).toContain('With the comments of blocks');
  const [, changed = ''] = /What it changed(.*?)<\/section>/s.exec(event) ?? [];
  expect(changed).not.toContain('wp:paragraph');
});
