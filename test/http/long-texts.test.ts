import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { filterMarkup } from '#text/filter.ts';
import { textJobs } from '#text/jobs.ts';
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

  it.each(Object.entries(kinds))('of %s are filtered, rendered and shown as short ones are', async (_, kind) => {
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

  it('are stored once, whole, with everything that is sent beside them', async () => {
    const before = site.position();
    const body = { title: 'Both', content: long('<p>a'), excerpt: long('<i>b'), meta: { footnotes: '' } };
    const id = await site.make('contributor', '/posts', body);
    const created = [...site.node.log.read({ from: before + 1 })].filter(({ type }) => type === 'EntryCreated');
    expect(created.map(({ stream }) => stream)).toEqual([`entry-${id}`]);
    const { body: shown } = await site.call('contributor', `GET /posts/${id}?context=edit`);
    expect(shown.excerpt.raw).toBe(filterMarkup(body.excerpt));
  });

  it('can be saved, compared, restored and stored by a batch', async () => {
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

  it('leave no trace where the write is refused after them', async () => {
    const before = site.position();
    const body = { title: 'T', content: long('<p>'), author: 9999 };
    const { status } = await site.call('editor', 'POST /posts', body);
    expect([status, site.position()]).toEqual([400, before]);
  });

  it('are projected to the same rows when the site is rebuilt', async () => {
    const id = await site.make('contributor', '/posts', { title: 'Again', content: long('<p>x') });
    const shown = async () => (await site.call('contributor', `GET /posts/${id}?context=edit`)).text;
    const before = await shown();
    await site.node.rebuild();
    expect(await shown()).toBe(before);
  });
});

describe('a request with a long text', () => {
  it('does not hold up others while it is worked on', async () => {
    const site = await startSite();
    onTestFinished(() => site.close());
    let answered = 0;
    let isSaved = false;
    const save = site.make('contributor', '/posts', { title: 'Long', content: '<p>'.repeat(300_000) }).then(() => {
      isSaved = true;
    });
    while (!isSaved) {
      await site.call('anonymous', 'GET /categories/1');
      answered++;
    }
    await save;
    expect(answered).toBeGreaterThan(5);
  });
});
