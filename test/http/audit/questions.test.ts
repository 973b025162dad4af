import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Site } from '../../support/site.ts';
import { siteWithHistory, visit } from './history.ts';

let site: Site;

beforeAll(async () => {
  site = await siteWithHistory();
});

afterAll(() => site.close());

const text = async (path: string) => (await visit(site, path)).text;
const words = (page: string) =>
  page
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the timeline', () => {
  it('shows a changed field before and after in its row', async () => {
    const page = words(await text('?field=title&entry=1'));
    expect(page).toContain('title: “First words” → “First words, revised”');
    expect(page).toContain('title: (none) → “First words”');
  });

  it('draws the activity by day and person without a script', async () => {
    const page = await text('');
    expect(page).toMatch(/<svg [^>]*role="img" aria-label="Events on each of 30 days up to 2026-03-02/);
    expect(page).toMatch(/<span class="swatch p0"><\/span>author \(\d+\)/);
  });

  it('offers each choice of a group once', async () => {
    const page = await text('?type=SiteConfigured,SiteSettingsChanged');
    const [, list = ''] = /<select id="type"[^>]*>(.*?)<\/select>/s.exec(page) ?? [];
    for (const [, group = ''] of list.matchAll(/<optgroup [^>]*>(.*?)<\/optgroup>/gs)) {
      const labels = [...group.matchAll(/<option[^>]*>([^<]*)</g)].map(([, label]) => label);
      expect(labels).toEqual([...new Set(labels)]);
    }
    expect(list.match(/selected>[^<]*/g)).toEqual(['selected>Settings changed']);
  });

  it('is a table as CSV with the filters in force', async () => {
    const link = /href="(timeline\.csv[^"]*)"/.exec(await text('?field=title&entry=1'))?.[1] ?? '';
    const { status, headers, text: table } = await visit(site, link.replaceAll('&amp;', '&'));
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=UTF-8; header=present']);
    expect(table.trim().split('\r\n')).toHaveLength(3);
    expect((await visit(site, 'timeline.csv?field=colour')).status).toBe(400);
  });

  it('keeps itself up to date on request, with the filters in force', async () => {
    const still = await visit(site, '?field=title');
    expect(still.headers.get('refresh')).toBeNull();
    const [, link = ''] = /href="\.\/(\?[^"]*live=on)"/.exec(still.text) ?? [];
    expect(link).toContain('field=title');
    const live = await visit(site, link.replaceAll('&amp;', '&'));
    expect(live.headers.get('refresh')).toBe('15');
    expect(live.text).toContain('Renewed every 15 seconds');
  });
});

describe('the pages of an item', () => {
  it('say who wrote each sentence', async () => {
    const page = words(await text('things/entry-1/blame'));
    expect(page).toMatch(
      /author 2026-03-01 \d\d:00:00 .*It began\..*author 2026-03-01 \d\d:05:00 .*Hardly anybody read it\./,
    );
    expect(words(await text('things/entry-1/blame?position=7'))).not.toContain('Hardly');
    expect((await visit(site, 'things/entry-999/blame')).status).toBe(404);
    expect((await visit(site, 'things/entry-1/blame?field=slug')).status).toBe(404);
  });

  it('show all versions side by side', async () => {
    const page = await text('things/entry-1/versions');
    expect([...page.matchAll(/<th scope="col">/g)]).toHaveLength(3);
    expect(words(page)).toContain('Nobody read it.');
    expect((await visit(site, 'things/entry-999/versions')).status).toBe(404);
  });

  it('lead from change to change, and to the event as it is stored', async () => {
    const page = await text('things/entry-1/changes?to=2');
    const log = /href="\.\.\/\.\.\/(log\/\d+)"/.exec(await text('things/entry-1/changes?to=2'))?.[1] ?? '';
    expect(page).toContain('All versions');
    expect(await text(log)).toContain('&quot;sealed_digest&quot;');
    expect((await visit(site, 'log/999999')).status).toBe(404);
  });

  it('have no button that writes for programs, which use the interface', async () => {
    expect(await text('things/entry-1/changes?to=2')).not.toContain('<form class="restore"');
  });
});

describe('what was public', () => {
  it('is listed with the reasons', async () => {
    const page = words(await text('public?from=2026-03-01&to=2026-03-02&before=10'));
    expect(page).toMatch(
      /About page 4 2026-03-01 [\d:]+ written and published, by editor 2026-03-02 [\d:]+ moved to the trash, by editor/,
    );
    expect(words(await text('public?from=2026-03-01&to=2026-03-01'))).toMatch(/About page 4 .* still at the end/);
    expect(words(await text('public?entry=4711'))).toContain('Nothing was.');
    for (const query of ['from=soon', 'entry=no-such-title'])
      expect((await visit(site, `public?${query}`)).status).toBe(400);
  });
});

describe('the site at a moment', () => {
  it('shows each page as visitors saw it, with links to pages of the same moment', async () => {
    const { status, headers, text: front } = await visit(site, 'site/2026-03-01T20:00/');
    expect([status, headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual([200, 'no-store', 'noindex']);
    expect(headers.get('content-security-policy')).toContain("script-src 'none'");
    expect(front).toContain('This is the past: the site as it stood on 2026-03-01 at 20:00.');
    expect(front).toContain('Uploaded files are those of today.');
    expect(front).not.toContain('Note 54');
    const links = [...front.matchAll(/<(?:a|form)\b[^>]*?(?:href|action)="([^"#]+)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(3);
    const inside = 'http://site.example/cms-audit/site/2026-03-01T20:00/';
    expect(
      links.filter((link) => !link.startsWith(inside) && !link.startsWith('http://site.example/cms-json/')),
    ).toEqual([]);
    const about = await visit(site, 'site/2026-03-01T20:00/about/');
    expect([about.status, about.text.includes('A place')]).toEqual([200, true]);
    expect((await visit(site, 'site/2026-03-05T20:00/about/')).status).toBe(404);
    expect((await visit(site, 'site/2026-03-01T20:00/author/author/')).text).toContain('First words');
    expect((await visit(site, 'site/2026-03-01T20:00/first-words/')).text).not.toContain('revised');
  });

  it('is for administrators, and explains what is wrong with a moment', async () => {
    expect((await visit(site, 'site/2026-03-01T20:00/', 'anonymous')).status).toBe(401);
    expect((await visit(site, 'site/2026-03-01T20:00/', 'editor')).status).toBe(403);
    for (const moment of ['soon', '2026-02-30T12:00', '999999', 'x%00']) {
      expect((await visit(site, `site/${moment}/`)).status).toBe(400);
    }
    const chosen = await visit(site, 'visit?at=2026-03-01T20%3A00');
    expect(chosen.headers.get('location')).toBe('site/2026-03-01T20:00/');
  });
});

describe('forms that write', () => {
  type Sent = Readonly<Record<string, string>>;
  const post = (path: string, form: Sent, headers: Sent) =>
    fetch(`http://127.0.0.1:${site.port}/cms-audit/${path}`, {
      ...{ method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(form) },
    });

  async function loggedIn(): Promise<string> {
    const page = await visit(site, 'login', 'anonymous');
    const token = /name="token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const [formCookie = ''] = page.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    const [, password = ''] = Buffer.from(site.authorization('administrator').slice(6), 'base64').toString().split(':');
    const answer = await post('login', { token, to: '', login: 'administrator', password }, { cookie: formCookie });
    return answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0] ?? '')
      .join('; ');
  }

  async function form(cookie: string, path: string) {
    const page = await visit(site, path, 'anonymous', { headers: { cookie } });
    const [, token = '', revision = ''] =
      /name="token" value="([^"]*)"><input type="hidden" name="revision" value="(\d+)"/.exec(page.text) ?? [];
    const [own = ''] = page.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    return { token, revision, cookie: `${cookie}; ${own}` };
  }

  it('show what an undo would do, and do it', async () => {
    const session = await loggedIn();
    const headers = { cookie: session };
    await site.call('editor', 'PATCH /posts/1', { title: 'Not this' });
    const commit = site.position();
    const timeline = await visit(site, '?user=editor', 'anonymous', { headers });
    expect(timeline.text).toContain(`href="undo?commits=${commit}"`);
    expect(timeline.text).toContain('href="undo?user=editor"');
    const page = await visit(site, `undo?commits=${commit}`, 'anonymous', { headers });
    expect(page.text).toContain('<ins>');
    expect(page.text).toContain('Not this');
    const token = /name="token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const [own = ''] = page.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    const cookie = `${session}; ${own}`;
    const sent = { commits: String(commit), conflicts: 'refuse' };
    expect((await post('undo', sent, { cookie })).status).toBe(403);
    expect((await post('undo', { ...sent, token }, { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post('undo', { ...sent, token }, { cookie })).status).toBe(303);
    expect((await site.call('editor', 'GET /posts/1')).body.title.rendered).not.toBe('Not this');
    const [{ user, summary }] = (await site.call('administrator', 'GET /audit?type=CommitsUndone')).body;
    expect([user.name, summary]).toEqual(['administrator', `undid the commit at position ${commit}`]);
    expect((await post('undo', { ...sent, token }, { cookie })).status).toBe(409);
    expect((await visit(site, 'undo?commits=999999', 'anonymous', { headers: { cookie } })).status).toBe(404);
  });

  it('restore a version, in the name of whoever is logged in', async () => {
    const session = await loggedIn();
    const { token, revision, cookie } = await form(session, 'things/entry-1/changes?to=2');
    const answer = await post('things/entry-1/restore', { token, revision }, { cookie });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '../entry-1']);
    const { body } = await site.call('editor', 'GET /posts/1?context=edit');
    expect(body.content.raw).toContain('Nobody read it.');
    const [restored] = (await site.call('administrator', 'GET /audit?entry=1&field=content')).body;
    expect(restored.user.name).toBe('administrator');
  });

  it('are refused without the token of the form, from another site, and without a session', async () => {
    const session = await loggedIn();
    const { token, revision, cookie } = await form(session, 'things/entry-1/changes?to=2');
    const before = site.position();
    const statuses = await Promise.all([
      post('things/entry-1/restore', { revision }, { cookie }),
      post('things/entry-1/restore', { token, revision }, { cookie, 'sec-fetch-site': 'cross-site' }),
      post('things/entry-1/restore', { token, revision }, { cookie: cookie.split('; ').slice(1).join('; ') }),
      post('things/entry-1/restore', { token, revision: '999' }, { cookie }),
      post('things/entry-1/restore', { token, revision: 'x' }, { cookie }),
      post('things/term-1/restore', { token, revision: '1' }, { cookie }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 401, 404, 404, 404]);
    expect(site.position()).toBe(before);
  });
});

describe('log-ins', () => {
  it('are counted by day and account, also those in vain', async () => {
    const basic = (login: string) => ({ authorization: `Basic ${Buffer.from(`${login}:wrong`).toString('base64')}` });
    for (const login of ['editor', 'nobody-here', 'nobody-else'])
      await visit(site, '', 'anonymous', { headers: basic(login) });
    const { body } = await site.call('administrator', 'GET /audit/logins');
    const counts = body.map((one: { user: { name: string }; succeeded: number; failed: number }) => [
      ...[one.user.name, one.succeeded > 0, one.failed],
    ]);
    expect(counts).toEqual(
      expect.arrayContaining([
        ['administrator', true, 0],
        ['editor', false, 1],
        ['', false, 2],
      ]),
    );
    const page = words(await text('logins'));
    expect(page).toContain('no account of that name 0 2');
    expect(page).not.toContain('nobody-here');
    expect((await site.call('editor', 'GET /audit/logins')).status).toBe(403);
  });
});

it('shows hostile texts as texts on every page', async () => {
  for (const path of [
    'things/entry-3/blame',
    'things/entry-3/blame?field=title',
    'things/entry-3/versions',
    'public',
    '?text=alert',
  ]) {
    const page = await text(path);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img');
  }
});
