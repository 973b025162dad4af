import { expect, it, onTestFinished } from 'vitest';
import { beginMigration, importItems } from '#commands/migration.ts';
import { bySystem } from '#commands/session.ts';
import { type Site, startSite } from '../support/site.ts';

const none = { item: 0, term: 0, user: 0, comment: 0 };

/** A post of 2019 that was imported now, with the texts that it had at its source. */
async function importedPost(site: Site): Promise<number> {
  const revision = (saved: string, content: string) => ({
    ...{ id: 0, isAutosave: false, author: 1, saved, savedGmt: saved, title: `Of ${saved.slice(0, 4)}`, content },
    ...{ excerpt: '', footnotes: '' },
  });
  const state = {
    ...{ id: 70, kind: 'post', status: 'publish', slug: 'old', author: 1, title: 'Of 2021', content: 'third' },
    ...{ date: '2019-01-01T10:00:00', dateGmt: '2019-01-01T10:00:00' },
    ...{
      modified: '2021-01-01T10:00:00',
      modifiedGmt: '2021-01-01T10:00:00',
      excerpt: '',
      footnotes: '',
      password: '',
    },
    ...{ commentStatus: 'open', pingStatus: 'open', format: 'standard', template: '', menuOrder: 0, featuredMedia: 0 },
    ...{
      emptiedFootnotes: false,
      sticky: false,
      parent: 0,
      categories: [],
      tags: [],
      otherTerms: {},
      part: null,
      trashed: null,
    },
  };
  const revisions = [revision('2019-01-01T10:00:00', 'first'), revision('2020-06-01T10:00:00', 'second')];
  const about = {
    source: 'old',
    origin: 'old.example',
    form: 'site',
    by: 'ada',
    highest: { ...none, item: 70 },
    extra: none,
  };
  await site.node.store.submit(bySystem, (session) => {
    const { run } = beginMigration(session, about);
    const item = { key: 'item 70', area: 'entry', id: 70, digest: 'd', state, revisions } as const;
    importItems(session, { items: [item], unread: [] }, { run, overwrites: false, log: site.node.log });
  });
  return 70;
}

it('shows an imported post by the times of its source, and by those of the log', async () => {
  const site = await startSite();
  onTestFinished(() => site.close());
  const id = await importedPost(site);
  const at = async (query: string) => {
    const { status, body } = await site.call('editor', `GET /posts/${id}?_fields=title,content,modified&${query}`);
    const { title, content, modified } = body as Record<string, { rendered: string } & string>;
    return status === 200 ? [title?.rendered, content?.rendered.trim(), modified] : status;
  };
  expect(await at('as_of=2019-05-03&by=source')).toEqual(['Of 2019', '<p>first</p>', '2019-01-01T10:00:00']);
  expect(await at('as_of=2020-06-01&by=source')).toEqual(['Of 2020', '<p>second</p>', '2020-06-01T10:00:00']);
  expect(await at('as_of=2024-01-01&by=source')).toEqual(['Of 2021', '<p>third</p>', '2021-01-01T10:00:00']);
  expect(await at('as_of=2018-12-31&by=source')).toBe(404);
  expect(await at('as_of=2019-05-03')).toBe(404);
  expect(await at('by=source')).toEqual(['Of 2021', '<p>third</p>', '2021-01-01T10:00:00']);
  for (const path of [`/posts/${id}?as_of=3&by=source`, `/posts/${id}?as_of=3&by=sorce`, '/posts?as_of=3&by=source']) {
    const { status, body } = await site.call('editor', `GET ${path}`);
    expect([path, status, (body as { code: string }).code]).toEqual([path, 400, 'rest_invalid_as_of']);
  }
});

it('is for those alone who may edit the post', async () => {
  const site = await startSite();
  onTestFinished(() => site.close());
  const id = await importedPost(site);
  expect((await site.call('anonymous', `GET /posts/${id}?as_of=2019-05-03&by=source`)).status).toBe(401);
});
