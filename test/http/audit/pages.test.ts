import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../../support/site.ts';
import { hostileTitle, siteWithHistory, visit } from './history.ts';

let site: Site;

beforeAll(async () => {
  site = await siteWithHistory();
});

afterAll(() => site.close());

const text = async (path: string) => (await visit(site, path)).text;
const positions = (page: string) =>
  [...page.matchAll(/position (?:<a [^>]*>)?(\d+)(?:–(\d+))?/g)].flatMap(([, from, to]) => {
    const [low, high] = [Number(from), Number(to ?? from)];
    return Array.from({ length: high - low + 1 }, (_, i) => high - i);
  });
const acts = (page: string) => page.split('<li class="act">').slice(1);
const paths = ['', 'day', 'health', 'things/entry-1', 'things/entry-1/changes?to=2', 'things/entry-1/at?position=20'];

describe('the audit pages', () => {
  it.each(paths)('/%s answers 401 with a login form and no content to an anonymous request', async (path) => {
    const { status, headers, text: page } = await visit(site, path, 'anonymous');
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Cookie realm="Audit"/)]);
    expect(page).toContain('<form class="login"');
    // The form keeps the requested address.
    expect(page.replace(`value="${path}"`, '')).not.toMatch(/First words|entry-1|editor/);
  });

  it.each(['subscriber', 'contributor', 'author', 'editor'] as As[])('answer 403 to a %s', async (as) => {
    const { status, headers, text: page } = await visit(site, '', as);
    expect([status, headers.get('www-authenticate')]).toEqual([403, null]);
    expect(page).not.toContain('First words');
  });

  it('answer 401 to a wrong password', async () => {
    const authorization = `Basic ${Buffer.from('administrator:wrong').toString('base64')}`;
    const { status, headers } = await visit(site, '', 'anonymous', { headers: { authorization } });
    expect([status, headers.get('x-cms-auth')]).toEqual([401, 'failed']);
    expect(headers.get('www-authenticate')).toBe('Basic realm="Audit", charset="UTF-8", error="invalid_credentials"');
  });

  it('never trigger the login dialog of a browser', async () => {
    const authorization = `Basic ${Buffer.from('administrator:wrong').toString('base64')}`;
    for (const browser of [{ 'sec-fetch-site': 'none' }, { accept: 'text/html,*/*' }]) {
      for (const more of [{}, { authorization }]) {
        const { headers } = await visit(site, '', 'anonymous', { headers: { ...browser, ...more } });
        expect(headers.get('www-authenticate')).not.toMatch(/basic/i);
      }
    }
  });

  it.each(paths)('/%s runs no scripts, sends nothing to other origins and is not cached', async (path) => {
    const { status, headers, text: page } = await visit(site, path);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(page).not.toMatch(/<script|<link|<img|https?:\/\/|\sstyle="|\son\w+="/);
  });

  it('accept GET and HEAD only', async () => {
    const { status, headers } = await visit(site, '', 'administrator', {
      method: 'POST',
      headers: { authorization: site.authorization('administrator') },
    });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await visit(site, '', 'administrator', {
      method: 'HEAD',
      headers: { authorization: site.authorization('administrator') },
    });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it.each([
    'nothing',
    'things',
    'things/',
    'things/entry-999',
    'things/entry-1/more',
    'things/entry-1/changes?to=99',
    'things/entry-1/changes',
    'things/entry-1/at?position=1',
    'things/term-1/at?position=9',
    '%zz',
    '../x',
  ])('answer 404 for %s', async (path) => {
    expect((await visit(site, path)).status).toBe(404);
  });

  it.each(['', '?user=editor'])(
    'redirect to the address with a slash before asking for a login (%j)',
    async (query) => {
      for (const as of ['anonymous', 'administrator'] as As[]) {
        const authorization = site.authorization(as);
        const response = await fetch(`http://127.0.0.1:${site.port}/cms-audit${query}`, {
          ...{ headers: authorization === '' ? {} : { authorization }, redirect: 'manual' },
        });
        const { headers, status } = response;
        expect([status, headers.get('location'), headers.get('www-authenticate')]).toEqual([
          301,
          `cms-audit/${query}`,
          null,
        ]);
      }
    },
  );
});

describe('the timeline', () => {
  it('shows every event once across its pages, newest first', async () => {
    const seen: number[] = [];
    for (let path: string | undefined = ''; path !== undefined; ) {
      const page = await text(path);
      seen.push(...positions(page));
      path = /rel="next" href="\.\/([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
    }
    const head = site.position();
    expect(seen).toEqual(Array.from({ length: head }, (_, i) => head - i));
  });

  it('groups what one request did to one item', async () => {
    const [step = '', publishing = '', ...others] = acts(await text('?correlation=the-publishing'));
    expect(others).toEqual([]);
    // The first published post completes a step of setting the site up.
    expect(step).toContain('add_post');
    expect(publishing).toContain('>editor</a>');
    expect(publishing).toContain('<strong dir="auto">First words, revised</strong>');
    expect(publishing.indexOf('published')).toBeLessThan(publishing.indexOf('gave the slug “first-words”'));
  });

  it('is filtered by user, type, date and entry, and by all of these together', async () => {
    const found = async (query: string) => acts(await text(query)).length;
    expect(await found('?user=editor&type=EntryTrashed')).toBe(1);
    expect(await found('?user=author&type=EntryTrashed')).toBe(0);
    expect(await found('?entry=1')).toBe(4);
    expect(await found('?entry=1&from=2026-03-02')).toBe(1);
    expect(await found('?from=2026-03-01&to=2026-03-01&type=entries&user=administrator')).toBe(1);
    expect(await found('?user=(system)&type=accounts')).toBe(5);
  });

  it('finds an entry by its slug, address or title, and asks if several fit', async () => {
    for (const entry of ['first-words', 'http://site.example/first-words/', 'first%20revised'])
      expect([entry, acts(await text(`?entry=${entry}`)).length]).toEqual([entry, 4]);
    const page = await text('?entry=note&user=author');
    expect(page).toContain('Which one do you mean?');
    expect(page).toMatch(/href="\.\/\?user=author&amp;entry=\d+">Note \d+ <span class="kind">post \d+, published</);
  });

  it('folds away what only programs need', async () => {
    const [first = ''] = acts(await text(''));
    expect(first.replace(/<details>.*?<\/details>/s, '')).not.toMatch(/position|request \w|Entry[A-Z]/);
    expect(first).toMatch(/<details><summary>Details<\/summary>position <a href="log\/\d+">\d+/);
  });

  it('keeps the filter in the form and on further pages', async () => {
    const page = await text('?user=author&type=EntryCreated&from=2026-03-02');
    expect(page).toContain('<option value="EntryCreated" selected>');
    expect(page).toContain('value="author"');
    expect(page).toMatch(
      /rel="next" href="\.\/\?user=author&amp;type=EntryCreated&amp;from=2026-03-02&amp;before=\d+"/,
    );
  });

  it.each([
    ['?user=nobody', 'There is no user &quot;nobody&quot;'],
    ['?type=EntryEaten', 'There is no event type'],
    ['?from=soon', 'names no day or time'],
    ['?to=2026-02-30', 'names no day or time'],
    ['?entry=nowhere-to-be-found', 'No post or page has the title'],
  ])('explains what is wrong with %s', async (query, message) => {
    const { status, text: page } = await visit(site, query);
    expect(status).toBe(400);
    expect(page).toContain('role="alert"');
    expect(page).toContain(message);
  });
});

describe('the history of an item', () => {
  it('lists every change to it', async () => {
    const page = await text('things/entry-1');
    expect(page).toContain('<h1 dir="auto">First words, revised</h1>');
    expect(acts(page).map((act) => /<ul><li>([^<]*?) ?</.exec(act)?.[1])).toEqual([
      'edited title',
      'set the date to 2026-03-01 12:10:00',
      'edited content',
      'wrote it as a draft',
    ]);
  });

  it('exists for deleted items', async () => {
    const gone = acts(await text('?type=EntryDeleted'))[0] ?? '';
    const [, path = ''] = /href="(things\/entry-\d+)"/.exec(gone) ?? [];
    expect(await text(path)).toContain('<h1 dir="auto">Gone</h1>');
  });

  it('exists for categories, accounts and the site', async () => {
    expect(await text('things/term-1')).toContain('<h1 dir="auto">Uncategorized</h1>');
    expect(await text('things/user-3')).toContain('made the account, with the role author');
    expect(await text('things/site')).toContain('<h1 dir="auto">Palimpsest</h1>');
  });

  it('shows the changes of a revision side by side', async () => {
    const page = await text('things/entry-1/changes?to=2');
    expect(page).toMatch(
      /<td dir="auto" class="removed"><del>Nobody<\/del>.*?read it\.<\/td><td dir="auto" class="added">.*<ins>Hardly<\/ins>/s,
    );
    expect(page).toContain('Unchanged: title, excerpt, footnotes.');
    expect(page).not.toContain('id="text-title"');
  });

  it('compares any two versions, in either order', async () => {
    const versions = [...(await text('things/entry-1')).matchAll(/<option value="(\d+)"/g)].map(
      ([, revision]) => revision,
    );
    const [last, first] = [versions[0], versions.at(-1)];
    const page = await text(`things/entry-1/changes?from=${first}&to=${last}`);
    expect(page).toContain('id="text-title"');
    expect(page).toContain('id="text-content"');
    expect(await text(`things/entry-1/changes?from=${last}&to=${first}`)).toBe(page);
  });

  it('shows a change as people read it, and its source without the comments of blocks unless they are wanted', async () => {
    const block = (words: string) => `<!-- wp:paragraph -->\n<p>${words} <em>there</em></p>\n<!-- /wp:paragraph -->`;
    const id = await site.make('editor', '/pages', { title: 'Blocks', content: block('Once'), status: 'publish' });
    await site.call('editor', `PUT /pages/${id}`, { content: block('Twice') });
    const events = await text(`things/entry-${id}`);
    const [, to = ''] = /changes\?to=(\d+)/.exec(events) ?? [];
    const page = await text(`things/entry-${id}/changes?to=${to}`);
    expect(page).toContain('content, as read');
    expect(page).toMatch(/<del>Once<\/del> there/);
    expect(page).not.toContain('wp:paragraph');
    const [, query = ''] = /href="changes(\?[^"]*blocks=shown)"/.exec(page) ?? [];
    expect(await text(`things/entry-${id}/changes${query.replaceAll('&amp;', '&')}`)).toContain('wp:paragraph');
  });

  it('shows an entry as of a position', async () => {
    const [draft] = positions(acts(await text('things/entry-1')).at(-1) ?? '');
    const page = await text(`things/entry-1/at?position=${draft}`);
    expect(page).toContain('<h1 dir="auto">First words</h1>');
    expect(page).toContain('<dd>draft</dd>');
    expect(page).toContain('Nobody read it.');
  });
});

describe('entries of a deleted user', () => {
  it('are shown in the trash from the day of the deletion, not before', async () => {
    const sent = { username: 'leaving', email: 'leaving@example.org', password: 'x', roles: ['author'] };
    const author = await site.make('administrator', '/users', sent);
    const id = await site.make('editor', '/pages', { title: 'Left behind', status: 'publish', author });
    const before = site.position();
    site.clock.now += 24 * 3_600_000;
    await site.call('administrator', `DELETE /users/${author}?force=true&reassign=false`);
    const day = new Date(site.clock.now).toISOString().slice(0, 10);
    expect(await text(`day?date=${day}&kind=page&status=trash`)).toContain('Left behind');
    expect(await text(`day?date=${day}&kind=page&status=publish`)).not.toContain('Left behind');
    expect(await text(`things/entry-${id}/at?position=${before}`)).toContain('<dd>published</dd>');
    const now = await text(`things/entry-${id}/at?position=${site.position()}`);
    expect(now).toContain('<dd>in the trash</dd>');
    expect(now).toContain('left-behind__trashed');
    expect(await text(`things/user-${author}`)).toContain('posts and pages went to the trash');
  });
});

describe('the site on a day', () => {
  it('shows the entries as of the end of the day, and what happened on it', async () => {
    const page = await text('day?date=2026-03-01');
    const rows = page.split('<tbody>')[1]?.split('</tr>').slice(0, -1) ?? [];
    expect(rows.map((row) => [/">([^<]*)<\/a>/.exec(row)?.[1], /badge (\w+)/.exec(row)?.[1]])).toEqual([
      ['Gone', 'publish'],
      ['Navigation', 'publish'],
      ['About', 'publish'],
      ['&amp;', 'publish'],
      ['First words', 'publish'],
    ]);
    expect(page).toMatch(/<a class="who" href="\.\/\?user=editor">editor<\/a> \(\d+\)/);
    expect(page).toContain('Texts changed <b>1</b>');
  });

  it('is filtered by kind and status, and continues after fifty entries', async () => {
    const trashed = await text('day?date=2026-03-02&kind=page&status=trash');
    expect(trashed).toContain('>About</a>');
    expect(trashed).not.toMatch(/>Gone<|>Note/);
    const first = await text('day?date=2026-03-02&status=publish');
    const [, next = ''] = /rel="next" href="(day\?[^"]*before=\d+)"/.exec(first) ?? [];
    const second = await text(next.replaceAll('&amp;', '&'));
    const titles = [first, second].flatMap((page) => [...page.matchAll(/>(Note \d+)</g)].map(([, title]) => title));
    expect(new Set(titles).size).toBe(55);
    expect(titles).toHaveLength(55);
  });

  it('is empty before the first event', async () => {
    const page = await text('day?date=2020-01-01');
    expect(page).toContain('Nothing was written on that day.');
    expect(page).toContain('<p class="notice">None.</p>');
  });

  it.each(['2026-02-30', 'monday', '2026-03-01T12:00:00'])('refuses the date %s', async (date) => {
    expect((await visit(site, `day?date=${date}`)).status).toBe(400);
  });
});

describe('the health of log and projections', () => {
  it('shows position and hash of the end of the log, and that the projections are up to date', async () => {
    const page = await text('health');
    const { position, hash } = site.node.log.head();
    expect(page).toContain(`<dd>${position}</dd>`);
    // In the form that `verify --head` takes.
    expect(page.split(`>${position}:${hash}<`)).toHaveLength(3);
    expect(page).toContain('They are at the end of the log.');
  });
});

describe('hostile texts', () => {
  it('are escaped wherever they are shown', async () => {
    const everywhere = ['?entry=3', 'things/entry-3', 'things/entry-3/changes?to=1', 'day?date=2026-03-01'];
    for (const path of [...everywhere, `?user=${encodeURIComponent(hostileTitle)}`]) {
      const page = await text(path);
      expect(page).not.toMatch(/<script|<img/);
    }
    expect(await text('things/entry-3/changes?to=1')).toContain('&lt;script&gt;alert(&quot;title&quot;)');
  });
});

it('shows the last change of a scheduled post, never in the future', async () => {
  const own = await startSite();
  const fields = { title: 'Later', status: 'future', date: '2027-01-05T09:00:00' };
  const id = await own.make('editor', '/posts', fields);
  for (const path of ['day?date=2026-03-01', `things/entry-${id}/at?position=${own.position()}`]) {
    const page = (await visit(own, path)).text;
    expect(page).toContain('Last changed');
    expect(page).toContain('2026-03-01 12:00:00');
    expect(page.match(/2027-01-05 09:00:00/g)).toHaveLength(1);
  }
  await own.close();
});
