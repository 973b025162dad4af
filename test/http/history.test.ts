import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { historyOn, refusal } from '../support/history.ts';
import { type As, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const { get, all, contents, saved } = historyOn(() => site);

describe('restoring a revision', () => {
  it('makes its texts current by one event, which adds a revision', async () => {
    const path = await saved('author', '/posts', 'Version 1', 'Version 2');
    const [, oldest] = await all(path);
    site.clock.now += 60_000;
    const before = site.position();
    const { status, body } = await site.call('author', `POST ${path}/revisions/${oldest?.id}/restore`);
    expect([status, body.content.raw, body.modified_gmt]).toEqual([
      200,
      'Version 1',
      new Date(site.clock.now).toISOString().slice(0, 19),
    ]);
    expect(site.position()).toBe(before + 1);
    expect(await contents(path)).toEqual(['Version 1', 'Version 2', 'Version 1']);
  });

  it('appends nothing when the texts are already current', async () => {
    const path = await saved('author', '/posts', 'Version 1');
    const [only] = await all(path);
    const before = site.position();
    expect((await site.call('author', `POST ${path}/revisions/${only?.id}/restore`)).status).toBe(200);
    expect(site.position()).toBe(before);
  });

  it('is limited to users who may edit the item, and to its own revisions', async () => {
    const [path, other] = [await saved('author', '/posts', 'Mine'), await saved('editor', '/posts', 'Yours')];
    const [[mine], [yours]] = [await all(path), await all(other)];
    const restore = async (as: As, id: number | undefined) =>
      refusal(await site.call(as, `POST ${path}/revisions/${id}/restore`));
    expect(await restore('anonymous', mine?.id)).toEqual([401, 'rest_cannot_edit']);
    expect(await restore('contributor', mine?.id)).toEqual([403, 'rest_cannot_edit']);
    expect(await restore('author', yours?.id)).toEqual([404, 'rest_revision_parent_id_mismatch']);
    expect(await restore('author', 987654321)).toEqual([404, 'rest_post_invalid_id']);
    expect(refusal(await site.call('author', 'POST /posts/987654321/revisions/1/restore'))).toEqual([
      404,
      'rest_post_invalid_parent',
    ]);
  });

  it('filters markup that the restoring user may not write', async () => {
    const path = await saved('author', '/posts', 'Plain');
    await site.call('editor', `PUT ${path}`, { content: '<b>Bold</b><script>evil()</script>' });
    await site.call('author', `PUT ${path}`, { content: 'Clean' });
    const [, marked] = await all(path);
    const restored = async (as: As) => (await site.call(as, `POST ${path}/revisions/${marked?.id}/restore`)).body;
    expect((await restored('author')).content.raw).toBe('<b>Bold</b>evil()');
    expect((await restored('editor')).content.raw).toBe('<b>Bold</b><script>evil()</script>');
  });

  it('is refused when If-Match is out of date', async () => {
    const path = await saved('author', '/posts', 'Version 1', 'Version 2');
    const [, oldest] = await all(path);
    const headers = { 'if-match': (await site.call('author', `GET ${path}`)).headers.get('etag') ?? '' };
    await site.call('author', `PUT ${path}`, { content: 'Version 3' });
    const stale = await site.call('author', `POST ${path}/revisions/${oldest?.id}/restore`, undefined, { headers });
    expect(refusal(stale)).toEqual([412, 'rest_precondition_failed']);
  });

  it('is refused when it would leave a post empty', async () => {
    const path = await saved('author', '/posts', 'Version 1');
    const { body } = await site.call('author', `POST ${path}/autosaves`, {});
    expect(refusal(await site.call('author', `POST ${path}/revisions/${body.id}/restore`))).toEqual([
      400,
      'empty_content',
    ]);
  });

  it('is not listed in the index, and neither is the comparison', async () => {
    const { routes } = await get('anonymous', '/cms-json/');
    expect(Object.keys(routes).filter((route) => /\/(restore|diff)$/.test(route))).toEqual([]);
  });
});

describe('the difference between two revisions', () => {
  it('is returned per text, from the previous revision or from a given one', async () => {
    const path = await saved('author', '/posts', 'One small word', 'One big word', 'Two big words');
    await site.call('author', `PUT ${path}`, { title: 'New title', excerpt: 'Short', meta: { footnotes: '[]' } });
    const [d, c, b, a] = (await all(path)).map(({ id }) => id);
    const parent = Number(path.split('/')[2]);
    expect(await get('author', `${path}/revisions/${b}/diff`)).toEqual({
      parent,
      from: a,
      to: b,
      title: [{ op: 'equal', text: 'Title' }],
      content: [
        { op: 'equal', text: 'One ' },
        { op: 'delete', text: 'small' },
        { op: 'insert', text: 'big' },
        { op: 'equal', text: ' word' },
      ],
      excerpt: [],
      meta: { footnotes: [] },
    });
    expect(await get('author', `${path}/revisions/${d}/diff?from=${a}`)).toMatchObject({
      from: a,
      title: [
        { op: 'delete', text: 'Title' },
        { op: 'insert', text: 'New title' },
      ],
      excerpt: [{ op: 'insert', text: 'Short' }],
      meta: { footnotes: [{ op: 'insert', text: '[]' }] },
    });
    expect((await get('author', `${path}/revisions/${a}/diff?from=${c}&_fields=from,content`)).from).toBe(c);
  });

  it('is everything for the oldest revision', async () => {
    const path = await saved('author', '/posts', 'First');
    const [only] = await all(path);
    expect(await get('author', `${path}/revisions/${only?.id}/diff`)).toMatchObject({
      from: null,
      title: [{ op: 'insert', text: 'Title' }],
      content: [{ op: 'insert', text: 'First' }],
    });
  });

  it('is limited to users who may read both', async () => {
    const [path, other] = [await saved('author', '/posts', 'Mine'), await saved('editor', '/posts', 'Yours')];
    const [[mine], [yours]] = [await all(path), await all(other)];
    const diff = (as: As, from: unknown) => site.call(as, `GET ${path}/revisions/${mine?.id}/diff?from=${from}`);
    expect(refusal(await diff('contributor', mine?.id))).toEqual([403, 'rest_cannot_read']);
    expect(refusal(await diff('author', yours?.id))).toEqual([404, 'rest_revision_parent_id_mismatch']);
    expect(refusal(await diff('author', 987654321))).toEqual([404, 'rest_post_invalid_id']);
    expect(refusal(await diff('author', 'x'))).toEqual([400, 'rest_invalid_param']);
  });
});
