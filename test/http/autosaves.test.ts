import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codec } from '#catalogue/events.ts';
import { type As, BASE, SITE, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const [EDITOR, AUTHOR] = [2, 3];
const get = async (as: As, path: string) => (await site.call(as, `GET ${path}`)).body;
const post = (as: As, path: string, body: unknown) => site.call(as, `POST ${path}/autosaves`, body);
const code = (reply: { status: number; body: { code: string } }) => [reply.status, reply.body.code];
const texts = (record: Record<string, { raw: string }>) => [
  record['title']?.raw,
  record['content']?.raw,
  record['excerpt']?.raw,
];
const gmt = () => new Date(site.clock.now).toISOString().slice(0, 19);

async function published(as: As = 'author', collection = '/posts'): Promise<string> {
  const id = await site.make(as, collection, {
    title: 'Title',
    content: 'Stored',
    excerpt: 'Short',
    status: 'publish',
  });
  site.clock.now += 60_000;
  return `${collection}/${id}`;
}

async function draft(as: As = 'author', collection = '/posts', more: object = {}): Promise<string> {
  const id = await site.make(as, collection, { title: 'Title', content: 'Stored', ...more });
  site.clock.now += 60_000;
  return `${collection}/${id}`;
}

describe.each(['/posts', '/pages'])('an autosave of a published item in %s', (collection) => {
  it('returns what was sent and leaves the item and its entity tag unchanged', async () => {
    const path = await published('editor', collection);
    const before = await site.call('editor', `GET ${path}?context=edit`);
    const { status, body } = await post('editor', path, { content: 'Unsaved', status: 'draft', slug: 'other' });
    const parent = Number(path.split('/')[2]);
    expect([status, body]).toEqual([
      200,
      {
        author: EDITOR,
        date: expect.any(String),
        date_gmt: gmt(),
        id: expect.any(Number),
        modified: body.date,
        modified_gmt: gmt(),
        parent,
        slug: `${parent}-autosave-v1`,
        guid: { rendered: expect.any(String), raw: expect.any(String) },
        title: { raw: '', rendered: '' },
        content: { raw: 'Unsaved', rendered: '<p>Unsaved</p>\n' },
        excerpt: { raw: '', rendered: '' },
        meta: { footnotes: '' },
        preview_link: expect.stringMatching(
          new RegExp(`^${SITE}/title[-\\d]*/\\?preview_id=${parent}&preview_nonce=\\w+&preview=true$`),
        ),
        _links: { parent: [{ href: BASE + path }] },
      },
    ]);
    const { _links, ...after } = await get('editor', `${path}?context=edit`);
    const { _links: linksBefore, ...unchanged } = before.body;
    expect(after).toEqual(unchanged);
    expect(_links).toMatchObject({ 'version-history': [{ count: 1 }], 'predecessor-version': [{ id: body.id }] });
    const headers = { 'if-match': before.headers.get('etag') ?? '' };
    expect((await site.call('editor', `PUT ${path}`, { title: 'Saved' }, { headers })).status).toBe(200);
  });
});

describe('autosaves beside an item', () => {
  it('are one per user, and keep fields that are not sent again', async () => {
    const path = await published();
    const first = await post('author', path, { title: 'Mine', content: 'First' });
    const other = await post('editor', path, { content: 'Other' });
    site.clock.now += 60_000;
    const second = await post('author', path, { content: 'Second' });
    expect(second.body.id).toBe(first.body.id);
    expect(texts(second.body)).toEqual(['Mine', 'Second', '']);
    expect(second.body.date_gmt).toBe(gmt());
    const list = await get('author', `${path}/autosaves`);
    expect(list.map(({ id, author }: { id: number; author: number }) => [id, author])).toEqual([
      [first.body.id, AUTHOR],
      [other.body.id, EDITOR],
    ]);
    expect(list[0]).not.toHaveProperty('preview_link');
  });

  it('are all kept in the log, although only the last one is shown', async () => {
    const path = await published();
    const from = site.position() + 1;
    for (const content of ['One', 'Two', 'Three']) await post('author', path, { content });
    const [{ id }] = await get('author', `${path}/autosaves`);
    await site.call('author', `DELETE ${path}/revisions/${id}?force=true`);
    const written = [...site.node.log.read({ from })].map((stored) => codec.decode(stored));
    expect(written.map(({ type, data }) => [type, (data as { content?: string }).content])).toEqual([
      ['EntryAutosaved', 'One'],
      ['EntryAutosaved', 'Two'],
      ['EntryAutosaved', 'Three'],
      ['EntryRevisionDeleted', undefined],
    ]);
    expect(await get('author', `${path}/autosaves`)).toEqual([]);
    expect((await post('author', path, { content: 'Four' })).body.id).toBeGreaterThan(id);
  });

  it('are listed among the revisions, in the order of their last change', async () => {
    const path = await published();
    const { body: auto } = await post('author', path, { content: 'Unsaved' });
    await site.call('author', `PUT ${path}`, { content: 'Saved' });
    const ids = async () => (await get('author', `${path}/revisions`)).map(({ id }: { id: number }) => id);
    const [revision] = await ids();
    expect(await ids()).toEqual([revision, auto.id]);
    site.clock.now += 60_000;
    await post('author', path, { content: 'Later' });
    expect(await ids()).toEqual([auto.id, revision]);
    expect((await get('author', path))._links['predecessor-version'][0].id).toBe(auto.id);
    expect(await get('author', `${path}/revisions/${auto.id}`)).toMatchObject({
      content: { rendered: '<p>Later</p>\n' },
    });
  });

  it('ignore unchanged texts, except for the first autosave', async () => {
    const path = await published();
    const { body: made } = await post('author', path, { title: 'Title', content: 'Stored', excerpt: 'Short' });
    await post('author', path, { content: 'Unsaved' });
    const before = site.position();
    for (const body of [{}, { content: ' Stored' }, { title: { raw: 'Title' } }]) {
      const { body: same } = await post('author', path, body);
      expect([same.id, same.content.raw]).toEqual([made.id, 'Unsaved']);
    }
    expect(site.position()).toBe(before);
  });

  it('are refused for the same reasons as updates, and store nothing then', async () => {
    const path = await published();
    const before = site.position();
    expect(code(await post('author', path, { content: 'x', author: EDITOR }))).toEqual([
      403,
      'rest_cannot_edit_others',
    ]);
    expect(code(await post('editor', path, { content: 'x', author: 99 }))).toEqual([400, 'rest_invalid_author']);
    expect(code(await post('author', path, { content: 'x', status: 'bogus' }))).toEqual([400, 'rest_invalid_param']);
    expect(code(await post('author', path, { content: 'x', meta: { footnotes: 5 } }))).toEqual([
      400,
      'rest_invalid_type',
    ]);
    expect(code(await post('contributor', path, { content: 'x' }))).toEqual([403, 'rest_cannot_edit']);
    expect(code(await post('anonymous', path, { content: 'x' }))).toEqual([401, 'rest_cannot_edit']);
    expect(code(await post('author', '/posts/987654321', {}))).toEqual([404, 'rest_post_invalid_id']);
    expect(site.position()).toBe(before);
  });

  it('are filtered by the rights of the user who sends them', async () => {
    const path = await published();
    const { body } = await post('author', path, { content: 'Text<script>evil()</script>' });
    expect(body.content.raw).toBe('Textevil()');
  });

  it('are limited to users who may edit the item', async () => {
    const path = await published();
    await post('author', path, { content: 'Unsaved' });
    for (const place of ['/autosaves', '/autosaves/1']) {
      expect(code(await site.call('contributor', `GET ${path}${place}`))).toEqual([403, 'rest_cannot_read']);
      expect(code(await site.call('anonymous', `GET ${path}${place}`))).toEqual([401, 'rest_cannot_read']);
      expect(code(await site.call('author', `GET /pages/${path.split('/')[2]}${place}`))).toEqual([
        404,
        'rest_post_invalid_parent',
      ]);
    }
  });

  it('are addressed by any id, which returns the newest', async () => {
    const path = await published();
    expect(code(await site.call('author', `GET ${path}/autosaves/5`))).toEqual([404, 'rest_post_no_autosave']);
    await post('author', path, { content: 'Mine' });
    site.clock.now += 60_000;
    await post('editor', path, { content: 'Theirs' });
    expect((await get('author', `${path}/autosaves/987654321`)).content.rendered).toBe('<p>Theirs</p>\n');
  });

  it('remain when the item is saved, trashed and restored, and can be created in the trash', async () => {
    const path = await published();
    await post('author', path, { content: 'Unsaved' });
    await site.call('author', `PUT ${path}`, { content: 'Saved' });
    await site.call('author', `DELETE ${path}`);
    await post('editor', path, { content: 'In the trash' });
    await site.call('author', `PUT ${path}`, { status: 'publish' });
    expect(await get('author', `${path}/autosaves`)).toHaveLength(2);
  });

  it('survive a restart', async () => {
    const path = await published();
    await post('author', path, { content: 'Unsaved' });
    const before = await get('author', `${path}/autosaves?context=edit`);
    await site.restart();
    expect(await get('author', `${path}/autosaves?context=edit`)).toEqual(before);
  });

  it('are counted in the anonymous record of the item, also when it is a ready answer', async () => {
    const path = await published();
    while (site.node.work());
    const count = async () => (await get('anonymous', path))._links['version-history'][0].count;
    expect(await count()).toBe(0);
    await post('author', path, { content: 'Unsaved' });
    await site.restart();
    expect(await count()).toBe(1);
    while (site.node.work());
    await site.call(
      'author',
      `DELETE ${path}/revisions/${(await get('author', `${path}/autosaves`))[0].id}?force=true`,
    );
    await site.restart();
    expect(await count()).toBe(0);
  });

  it('have a preview link that follows the address of the item', async () => {
    const parent = await site.make('editor', '/pages', { title: 'Above', status: 'publish' });
    const path = `/pages/${await site.make('editor', '/pages', { title: 'Below', status: 'publish', parent })}`;
    await post('editor', path, { content: 'Unsaved' });
    const preview = async () => (await get('editor', `${path}/autosaves?context=edit`))[0].preview_link;
    expect(await preview()).toMatch(/\/above\/below\/\?preview_id=/);
    await site.call('editor', `PUT /pages/${parent}`, { slug: 'moved' });
    expect(await preview()).toMatch(/\/moved\/below\/\?preview_id=/);
  });
});

describe('an autosave of one’s own draft', () => {
  it('changes the draft itself and returns it in the shape of an autosave', async () => {
    const path = await draft();
    const { status, body } = await post('author', path, { title: 'Straight', slug: 'own', comment_status: 'closed' });
    expect([status, body]).toEqual([
      200,
      {
        author: AUTHOR,
        date: null,
        date_gmt: null,
        id: Number(path.split('/')[2]),
        modified: expect.any(String),
        modified_gmt: gmt(),
        parent: 0,
        slug: 'own',
        guid: { rendered: expect.any(String), raw: expect.any(String) },
        title: { raw: 'Straight', rendered: 'Straight' },
        content: { raw: 'Stored', rendered: '<p>Stored</p>\n' },
        excerpt: { raw: '', rendered: '' },
        meta: { footnotes: '' },
        preview_link: `${SITE}/?p=${body.id}&preview=true`,
      },
    ]);
    expect(await get('author', `${path}?context=edit`)).toMatchObject({
      title: { raw: 'Straight' },
      slug: 'own',
      comment_status: 'closed',
      status: 'draft',
      _links: { 'version-history': [{ count: 0 }] },
    });
    expect(await get('author', `${path}/autosaves`)).toEqual([]);
  });

  it('returns the dates and address of the item when it publishes', async () => {
    const path = await draft('editor', '/pages', { slug: 'soon' });
    const { body } = await post('editor', path, { status: 'publish' });
    expect([body.date_gmt, body.preview_link]).toEqual([gmt(), `${SITE}/soon/?preview=true`]);
  });

  it('returns the parent page', async () => {
    const parent = await site.make('editor', '/pages', { title: 'Above' });
    const path = await draft('editor', '/pages', { parent });
    const { body } = await post('editor', path, { content: 'In place' });
    expect([body.parent, body._links]).toEqual([parent, { parent: [{ href: `${BASE}/pages/${parent}` }] }]);
  });

  it('makes no revision; the next save makes it', async () => {
    const path = await draft();
    const contents = async () =>
      (await get('author', `${path}/revisions?context=edit`)).map(
        (one: { content: { raw: string } }) => one.content.raw,
      );
    await site.call('author', `PUT ${path}`, { content: 'One' });
    await post('author', path, { content: 'Two' });
    expect(await contents()).toEqual(['One']);
    await site.call('author', `PUT ${path}`, { content: 'One' });
    expect(await contents()).toEqual(['One']);
    await post('author', path, { content: 'Three' });
    site.clock.now += 60_000;
    await site.call('author', `PUT ${path}`, { comment_status: 'closed' });
    expect(await contents()).toEqual(['Three', 'One']);
  });

  it('is refused when the draft has changed since the version in If-Match', async () => {
    const path = await draft();
    const headers = { 'if-match': (await site.call('author', `GET ${path}`)).headers.get('etag') ?? '' };
    await site.call('editor', `PUT ${path}`, { content: 'By the editor' });
    const stale = await site.call('author', `POST ${path}/autosaves`, { content: 'Mine' }, { headers });
    expect(code(stale)).toEqual([412, 'rest_precondition_failed']);
  });

  it('is refused when it would leave the draft empty', async () => {
    const path = await draft();
    expect(code(await post('author', path, { title: '', content: '' }))).toEqual([400, 'empty_content']);
  });

  it('is stored beside the draft for every other user', async () => {
    const path = await draft();
    expect((await post('editor', path, { content: 'Beside' })).body.parent).toBe(Number(path.split('/')[2]));
    expect((await get('author', `${path}?context=edit`)).content.raw).toBe('Stored');
  });
});

describe('footnotes of an autosave that sends none', () => {
  it('are those of the post, then those of the autosave', async () => {
    const footnotes = '[{"id":"a","content":"b"}]';
    const id = await site.make('editor', '/posts', { title: 'Noted', status: 'publish', meta: { footnotes } });
    const saved = await site.call('editor', `POST /posts/${id}/autosaves`, { content: 'x' });
    expect(saved.body.meta.footnotes).toBe(footnotes);
    const unsaved = '[{"id":"c","content":"d"}]';
    await site.call('editor', `POST /posts/${id}/autosaves`, { meta: { footnotes: unsaved } });
    const { body } = await site.call('editor', `POST /posts/${id}/autosaves`, { content: 'Text alone' });
    expect([body.content.raw, body.meta.footnotes]).toEqual(['Text alone', unsaved]);
  });
});
