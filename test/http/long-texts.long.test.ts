import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { filterMarkup } from '#blocks/filter.ts';
import { escapeHtml } from '#text/escape-html.ts';
import { textJobs } from '#text/jobs.ts';
import { xmlCharacters } from '#text/xml.ts';
import { eventually } from '../support/patience.ts';
import { rebuilt } from '../support/rebuilding.ts';
import { type Site, startSite } from '../support/site.ts';

const kinds = {
  'paragraphs that are never closed': '<p>',
  'blocks that are never closed': '<!-- wp:a -->',
  'quotation marks': `"' `,
  'words and markup': '<p onclick="x">Some “words” &amp; <b>more</b></p>\n\n',
};
const long = (text: string) => text.repeat(Math.ceil(40_000 / text.length));

describe('long texts', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
    return () => site.close();
  });

  it.each(Object.entries(kinds))('of %s are filtered, rendered and shown like short ones', async (_, kind) => {
    const content = long(kind);
    const id = await site.make('contributor', '/posts', { title: 'Long', content });
    const { body } = await site.call('contributor', `GET /posts/${id}?context=edit`);
    const stored = textJobs.filterAndNormalise(content);
    expect(body.content.raw).toBe(stored);
    expect(body.content.rendered).toBe(JSON.parse(textJobs.content(stored, '')));
    expect(body.excerpt.rendered).toBe(JSON.parse(textJobs.excerpt('', stored)));
    const { body: shown } = await site.call('contributor', `GET /posts/${id}?context=edit&excerpt_length=3`);
    expect(shown.content).toEqual(body.content);
  });

  it('are stored once, together with the other fields of the request', async () => {
    const before = site.position();
    const body = { title: 'Both', content: long('<p>a'), excerpt: long('<i>b'), meta: { footnotes: '' } };
    const id = await site.make('contributor', '/posts', body);
    const created = [...site.node.log.read({ from: before + 1 })].filter(({ type }) => type === 'EntryCreated');
    expect(created.map(({ stream }) => stream)).toEqual([`entry-${id}`]);
    const { body: shown } = await site.call('contributor', `GET /posts/${id}?context=edit`);
    expect(shown.excerpt.raw).toBe(filterMarkup(body.excerpt));
  });

  it('can be saved, compared, restored and written in a batch', async () => {
    const [one, two] = [long('<p>one '), long('<p>two ')];
    const id = await site.make('editor', '/posts', { title: 'T', content: one, status: 'publish' });
    for (const content of [two, one, two])
      expect((await site.call('editor', `PATCH /posts/${id}`, { content })).status).toBe(200);
    const { body: revisions } = await site.call('editor', `GET /posts/${id}/revisions?context=edit`);
    expect(revisions.map(({ content }: { content: { raw: string } }) => content.raw === one)).toEqual([
      false,
      true,
      false,
    ]);
    const diff = await site.call('editor', `GET /posts/${id}/revisions/${revisions[0].id}/diff`);
    expect(diff.status).toBe(200);
    const restored = await site.call('editor', `POST /posts/${id}/revisions/${revisions[1].id}/restore`);
    expect([restored.status, restored.body.content?.raw === one]).toEqual([200, true]);
    const requests = [one, two].map((content) => ({ path: `/cms/v2/posts/${id}`, method: 'PATCH', body: { content } }));
    const batch = await site.call('editor', 'POST /cms-json/batch/v1', { requests });
    expect(batch.body.responses.map(({ status }: { status: number }) => status)).toEqual([200, 200]);
    const { body: shown } = await site.call('anonymous', `GET /posts/${id}`);
    expect(shown.content.rendered === JSON.parse(textJobs.content(two, ''))).toBe(true);
  });

  it('are shown like short ones on pages, in feeds and in revisions', async () => {
    const content = long('<p>Some “words” & "more"\u0001</p>\n\n');
    const body = { title: 'Shown', content, excerpt: long('An <i>excerpt</i> '), status: 'publish' };
    const made = await site.call('editor', 'POST /posts', body);
    const rendered = JSON.parse(textJobs.content(content, '')) as string;
    const [page, feed, atom] = await Promise.all(
      [new URL(made.body.link).pathname, '/feed/', '/feed/atom/'].map((path) => visit(site, path)),
    );
    expect(page?.includes(rendered)).toBe(true);
    expect(page).toContain(`<meta name="description" content="${'An excerpt '.repeat(2)}`);
    for (const one of [feed, atom]) expect(one?.includes(`>${xmlCharacters(escapeHtml(rendered))}<`)).toBe(true);
    await site.call('editor', `PATCH /posts/${made.body.id}`, { title: 'Changed' });
    const { body: revisions } = await site.call('editor', `GET /posts/${made.body.id}/revisions?context=edit`);
    const whole = { raw: content, rendered };
    expect(revisions.map((one: Shown) => JSON.stringify(one.content) === JSON.stringify(whole))).toEqual([true]);
  });

  it('are returned when their post is deleted, in whole or by _fields', async () => {
    const body = { title: 'Gone', content: '<p>"some" words</p>\n'.repeat(15_000), status: 'publish' };
    const [whole, some] = await Promise.all([1, 2].map(() => site.make('editor', '/posts', body)));
    const { body: before } = await site.call('editor', `GET /posts/${whole}?context=edit`);
    const { body: gone } = await site.call('editor', `DELETE /posts/${whole}?force=true`);
    const { _links: _, ...previous } = before;
    expect(gone).toEqual({ deleted: true, previous });
    const { body: part } = await site.call('editor', `DELETE /posts/${some}?force=true&_fields=previous,content`);
    expect(part).toEqual({ previous: { id: some, content: previous.content } });
  });

  it('leave no trace when the write is refused', async () => {
    const before = site.position();
    const body = { title: 'T', content: long('<p>'), author: 9999 };
    const { status } = await site.call('editor', 'POST /posts', body);
    expect([status, site.position()]).toEqual([400, before]);
  });

  it('are the same after a rebuild', async () => {
    const id = await site.make('contributor', '/posts', { title: 'Again', content: long('<p>x') });
    const shown = async () => (await site.call('contributor', `GET /posts/${id}?context=edit`)).text;
    const before = await shown();
    await site.rebuild();
    expect(await shown()).toBe(before);
  });
});

async function visit({ port }: Site, path: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  expect(answer.status).toBe(200);
  return answer.text();
}

describe('a content of nearly a mebibyte', () => {
  const content = `Ünd ${'üüüüüüüüü '.repeat(50_000)}the end`;
  const rendered = JSON.parse(textJobs.content(content, '')) as string;
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
    return () => site.close();
  });
  const shown = async (id: number, query = '') =>
    (await site.call('editor', `GET /posts/${id}?context=edit${query}`)).body as Shown;
  const isWhole = ({ content: found }: Shown) => found.raw === content && found.rendered === rendered;

  it('is returned whole when it is created, read, and kept in an update of the title', async () => {
    const made = await site.call('editor', 'POST /posts', { title: 'Huge', content, status: 'publish' });
    const { id } = made.body;
    const saved = await site.call('editor', `PATCH /posts/${id}`, { title: 'Another' });
    expect([isWhole(made.body), isWhole(saved.body), isWhole(await shown(id))]).toEqual([true, true, true]);
    const { body: listed } = await site.call('anonymous', `GET /posts?include=${id}`);
    expect(listed[0].content.rendered === made.body.content.rendered).toBe(true);
  });

  it('survives a rolled-back batch, and updates of other fields in the same batch', async () => {
    const id = await site.make('editor', '/posts', { title: 'Huge', content, status: 'publish' });
    const path = `/cms/v2/posts/${id}`;
    const batch = (...bodies: readonly unknown[]) => {
      const requests = bodies.map((body) => ({ path, method: 'PATCH', body }));
      return site.call('editor', 'POST /cms-json/batch/v1', { validation: 'require-all-validate', requests });
    };
    const other = content.replace('Ünd', 'Und');
    const { body: refused } = await batch({ content: other }, { author: 9999 });
    expect([refused.failed, isWhole(await shown(id))]).toEqual(['validation', true]);
    const before = site.position();
    await batch({ content: other }, { title: 'T' }, { excerpt: 'E' });
    const now = await shown(id);
    expect([now.content.raw === other, now.content.rendered.slice(0, 7), now.title?.raw]).toEqual([
      true,
      '<p>Und ',
      'T',
    ]);
    expect(isWhole(await shown(id, `&as_of=${before}`))).toBe(true);
  });

  it('is that of the last request of a batch that was not refused', async () => {
    const id = await site.make('editor', '/posts', { title: 'Huge', content: 'Short', status: 'publish' });
    const path = `/cms/v2/posts/${id}`;
    const requests = [
      { path, method: 'PATCH', body: { content } },
      { path, method: 'PATCH', body: { content: `${content}!`, parent: 1, author: 9999 } },
      { path: `${path}/autosaves`, method: 'POST', body: { content: 'Autosaved' } },
      { path, method: 'PATCH', body: { title: 'Kept' } },
      { path: '/cms/v2/posts', method: 'POST', body: { content: `${content}?` } },
    ];
    const { body } = await site.call('editor', 'POST /cms-json/batch/v1', { requests });
    const statuses = body.responses.map(({ status }: { status: number }) => status);
    const now = await shown(id);
    const other = await shown(body.responses.at(-1).body.id);
    expect([statuses[0], statuses[1], isWhole(now), now.title?.raw]).toEqual([200, 400, true, 'Kept']);
    expect(other.content.raw === `${content}?`).toBe(true);
    await site.restart();
    expect(isWhole(await shown(id))).toBe(true);
    expect(await rebuilt(site.node.store.rebuilding, { check: true })).toMatchObject({ differences: [] });
  });

  it('survives a restart and a rebuild, and is removed when it is replaced or deleted', async () => {
    const id = await site.make('editor', '/posts', { title: 'Huge', content, status: 'publish' });
    await site.restart();
    expect(isWhole(await shown(id))).toBe(true);
    await site.rebuild();
    expect(isWhole(await shown(id))).toBe(true);
    await site.call('editor', `PATCH /posts/${id}`, { content: 'Short' });
    expect((await shown(id)).content).toMatchObject({ raw: 'Short', rendered: '<p>Short</p>\n' });
    await site.call('editor', `PATCH /posts/${id}`, { content });
    await site.call('editor', `DELETE /posts/${id}?force=true`);
    expect((await site.call('editor', `GET /posts/${id}`)).status).toBe(404);
    expect(await rebuilt(site.node.store.rebuilding, { check: true })).toMatchObject({ differences: [] });
  });
});

describe('a damaged row of a long content', () => {
  it.each([
    "UPDATE entries SET content_json = replace(content_json, 'the end', 'the and')",
    "UPDATE entries SET content_json = ''",
    "UPDATE texts SET content = replace(content, 'the end', 'the and')",
    "UPDATE texts SET content = ''",
  ])('is repaired from the log (%s), even if another field of the entry is saved', async (sql) => {
    const site = await startSite();
    onTestFinished(() => site.close());
    const content = `${'Words and '.repeat(30_000)}the end`;
    const id = await site.make('editor', '/posts', { content, status: 'publish' });
    await site.restart(() => {
      const projections = join(site.directory, 'projections.db');
      rmSync(`${projections}-sum`, { force: true });
      rmSync(join(site.directory, 'views'), { recursive: true, force: true });
      const db = new DatabaseSync(projections);
      db.exec(sql);
      db.close();
    });
    await site.call('editor', `PATCH /posts/${id}`, { title: 'Beside it' });
    await eventually(async () => {
      site.node.work();
      const { body } = await site.call('editor', `GET /posts/${id}?context=edit`);
      expect([body.content?.raw === content, body.content?.rendered.slice(-12)]).toEqual([true, 'the end</p>\n']);
    });
    expect(site.node.integrity.found.rows).toBe(1);
  });
});

interface Shown {
  readonly title?: { readonly raw: string };
  readonly content: { readonly raw: string; readonly rendered: string };
}

describe('a request with a long text', () => {
  it('does not block others while it is saved', async () => {
    const site = await startSite({ readers: {} });
    onTestFinished(() => site.close());
    site.readers?.wake();
    await eventually(() => expect(site.readers?.isReady).toBe(true));
    let answered = 0;
    let isSaved = false;
    const save = site.make('contributor', '/posts', { title: 'Long', content: '<p>'.repeat(300_000) }).then(() => {
      isSaved = true;
    });
    while (!isSaved) {
      await site.call('anonymous', 'GET /categories/1');
      if (!isSaved) answered++;
    }
    await save;
    expect(answered).toBeGreaterThan(0);
  });

  it('is shown by the audit with its history and its changes', async () => {
    const site = await startSite();
    onTestFinished(() => site.close());
    const content = `First ${'“line” of <b>text</b>\n'.repeat(30_000)}`;
    const id = await site.make('editor', '/posts', { title: 'Long', content });
    for (const letter of 'abc') await site.call('editor', `PATCH /posts/${id}`, { content: `${content}${letter}` });
    const visited = async (path: string) => {
      const headers = { authorization: site.authorization('administrator') };
      return (await fetch(`http://127.0.0.1:${site.port}/cms-audit/${path}`, { headers })).text();
    };
    const compared = await visited(`things/entry-${id}/changes?to=4`);
    expect(compared).toContain(`lines without a change`);
    expect(compared).toContain('<ins>c</ins>');
    const past = await visited(`things/entry-${id}/at?position=${site.position()}`);
    expect(past.includes(`<pre>${escapeHtml(`${content}c`)}</pre>`)).toBe(true);
    const history = await visited(`things/entry-${id}`);
    expect(history).toContain('<h1 dir="auto">Long</h1>');
    expect(history.length).toBeLessThan(50_000);
  });

  it('is shown with Content-Length and a matching entity tag', async () => {
    const site = await startSite();
    onTestFinished(() => site.close());
    const content = `<p>“${`Words & words `.repeat(70_000)}”</p>`;
    const { body } = await site.call('editor', 'POST /posts', { title: 'Long', content, status: 'publish' });
    for (const path of [`/cms-json/cms/v2/posts/${body.id}`, new URL(body.link).pathname, '/feed/']) {
      const headers = { 'accept-encoding': 'identity' };
      const answer = await fetch(`http://127.0.0.1:${site.port}${path}`, { headers });
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect([path, answer.headers.get('content-length')]).toEqual([path, `${bytes.length}`]);
      const known = { ...headers, 'if-none-match': answer.headers.get('etag') ?? '' };
      expect([path, (await fetch(`http://127.0.0.1:${site.port}${path}`, { headers: known })).status]).toEqual([
        path,
        304,
      ]);
    }
  });
});

describe('a text that is longer than the setting allows', () => {
  const limit = 2 ** 20;
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
    return () => site.close();
  });

  it.each([
    ['content', { content: 'x'.repeat(limit + 1) }],
    ['content.raw', { content: { raw: 'x'.repeat(limit + 1) } }],
    ['excerpt', { excerpt: 'ü'.repeat(limit / 2 + 1) }],
    ['meta.footnotes', { meta: { footnotes: 'x'.repeat(limit + 1) } }],
    ['meta', { meta: { ['x'.repeat(limit + 1)]: 1 } }],
    ['requests', { requests: 'x'.repeat(limit + 1) }],
  ])('is refused with 413 that names the field: %s', async (field, body) => {
    const before = site.position();
    const { status, body: answer } = await site.call('editor', 'POST /posts', { title: 'Long', ...body });
    expect([status, answer.code, site.position()]).toEqual([413, 'rest_text_too_long', before]);
    expect(answer.data).toMatchObject({ field, limit });
    expect(answer.data.bytes).toBeGreaterThan(limit);
  });

  it('is stored up to that length', async () => {
    const content = 'x'.repeat(limit);
    const { status, body } = await site.call('editor', 'POST /posts', { content });
    expect([status, body.content.raw === content]).toEqual([201, true]);
  });

  it('fails only its own request of a batch, or all where all have to be valid', async () => {
    const requests = ['One', 'Two'].map((title) => ({ path: '/cms/v2/posts', body: { title } }));
    const all = [...requests, { path: '/cms/v2/posts', body: { content: 'x'.repeat(limit + 1) } }];
    const each = await site.call('editor', 'POST /cms-json/batch/v1', { requests: all });
    expect(each.body.responses.map(({ status }: { status: number }) => status)).toEqual([201, 201, 413]);
    const before = site.position();
    const validation = 'require-all-validate';
    const none = await site.call('editor', 'POST /cms-json/batch/v1', { validation, requests: all });
    expect([none.body.failed, site.position()]).toEqual(['validation', before]);
  });

  it('may be longer where the setting says so', async () => {
    const own = await startSite({ env: { TEXT_LIMIT: '3000000' } });
    onTestFinished(() => own.close());
    const content = 'x'.repeat(3_000_000);
    expect((await own.call('editor', 'POST /posts', { content })).status).toBe(201);
    const { body } = await own.call('editor', 'POST /posts', { content: `${content}y` });
    expect([body.code, body.data.limit]).toEqual(['rest_text_too_long', 3_000_000]);
  });
});
