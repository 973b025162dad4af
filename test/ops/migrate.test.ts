import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLogReader } from '#eventstore/sqlite/log-reader.ts';
import { otherNames } from '../conformance/renamed.ts';
import { fillSite } from '../support/filled-site.ts';
import { emptyTarget, listenFor, liveSource, type ReachedSite, startReached } from '../support/moved-sites.ts';
import { allAnswers, differing, namesAndTimes } from '../support/site-answers.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { pngOf, uploadBody } from '../support/uploads.ts';
import { typeVerb } from '../support/verbs.ts';

/** What no form of a site says, or what is another at each site. */
const unsaid = [
  '/users registered_date',
  // Given at each start here.
  '/settings 0 timezone',
  ...['author', 'author_text', 'date', 'modified', 'original_source'].flatMap((field) => [
    `/template-parts ${field}`,
    `/templates ${field}`,
  ]),
];
/** What an export of the family has no place for; `export` counts it. */
const notInExports = [
  ...['capabilities', 'description', 'extra_capabilities', 'roles', 'url'].map((field) => `/users ${field}`),
  ...['default_category', 'page_on_front', 'posts_per_page', 'show_on_front', 'start_of_week'].map(
    (field) => `/settings 0 ${field}`,
  ),
  '/comments author_user_agent',
  // There the page is the front page.
  ...['/pages 3 link', '/menu-items 31 url', '/navigation 2 content'],
];
const notRevisions = (differences: readonly string[]) =>
  differences.filter((one) => !/\/revisions \d+ less$/.test(one));

/** The account that was at the target before stays as it is there. */
const ownAccount = ['/users avatar_urls', '/users email', '/comments author_avatar_urls'];
const without = (differences: readonly string[], ...known: readonly (readonly string[])[]) =>
  differences.filter((one) => !known.flat().includes(one));

async function filled(names = {}): Promise<{ source: ReachedSite; ids: Readonly<Record<string, number>> }> {
  const source = await startReached({ names });
  return { source, ids: await fillSite(source) };
}

/** A picture that stood in a text is a file now. */
const picture = (ids: Readonly<Record<string, number>>) => ['/media 33 more', `/posts ${ids['inline']} content`];

type Row = Readonly<Record<string, unknown>> & { readonly id?: number };

const clean = { status: 0, out: expect.stringContaining(', 0 differences') };

describe('a live site', () => {
  it('comes whole from under other names of its interface, and from there again', async () => {
    const { source, ids } = await filled(otherNames);
    const first = await emptyTarget();
    const { args } = liveSource(source);
    expect(await first.type('migrate', 'run', ...args)).toMatchObject({ status: 0, err: '' });
    expect(await first.type('migrate', 'verify', ...args)).toMatchObject(clean);
    const moved = await startReached(first);
    const [before, after] = [await allAnswers(source), await allAnswers(moved)];
    expect(without(differing(before, after), unsaid, ownAccount)).toEqual(picture(ids));
    expect(namesAndTimes(moved)).toEqual(namesAndTimes(source));
    const second = await emptyTarget();
    const from = liveSource(moved).args;
    expect(await second.type('migrate', 'run', ...from, '--html', join(second.directory, 'report.html'))).toMatchObject(
      { status: 0, err: '' },
    );
    expect(await second.type('migrate', 'verify', ...from)).toMatchObject(clean);
    const again = await startReached({ ...second, names: otherNames });
    expect(without(differing(after, await allAnswers(again)), unsaid, ownAccount)).toEqual([]);
  });

  it('brings anonymously what is public, as it is shown', async () => {
    const { source } = await filled();
    const target = await emptyTarget();
    expect(await target.type('migrate', 'run', source.address)).toMatchObject({ status: 0, err: '' });
    expect(await target.type('migrate', 'verify', source.address)).toMatchObject(clean);
    const moved = await startReached(target);
    const seen = async ({ site }: ReachedSite, list: string) => {
      const { body } = await site.call('anonymous', `GET ${list}`);
      return body
        .filter(({ slug }: Row) => !String(slug).startsWith('picture-'))
        .map(({ id, slug, status, date, date_gmt, title, parent, categories, tags, author_name, post }: Row) => ({
          id,
          slug,
          status,
          date,
          date_gmt,
          title,
          parent,
          categories,
          tags,
          author_name,
          post,
        }));
    };
    for (const list of ['/posts', '/pages', '/media', '/comments', '/categories', '/tags']) {
      expect([list, await seen(moved, list)]).toEqual([list, await seen(source, list)]);
    }
  });
});

describe('files of a site', () => {
  it('come whole from the parts of an export with a folder of media', async () => {
    const { source, ids } = await filled();
    const folder = temporaryDirectory();
    const media = join(folder, 'media');
    const file = join(folder, 'site.xml');
    const out = await typeVerb(source.site.directory, [
      'export',
      '--wxr',
      file,
      '--media',
      media,
      '--part',
      '1',
      '--json',
    ]);
    expect(out).toMatchObject({ status: 0, err: '' });
    const target = await emptyTarget();
    const args = [file, '--media', media];
    expect(await target.type('migrate', 'run', ...args)).toMatchObject({ status: 0, err: '' });
    expect(await target.type('migrate', 'verify', ...args)).toMatchObject(clean);
    await expectNoNews(target, args);
    const moved = await startReached(target);
    const differences = differing(await allAnswers(source), await allAnswers(moved));
    expect(without(notRevisions(differences), unsaid, ownAccount, notInExports)).toEqual(picture(ids));
  });

  it.each(['markdown', 'html', 'json'])('come whole from a folder with texts as %s', async (texts) => {
    const { source, ids } = await filled();
    const folder = join(temporaryDirectory(), 'site');
    const out = await typeVerb(source.site.directory, ['export', '--folder', folder, '--texts', texts]);
    expect(out).toMatchObject({ status: 0, err: '' });
    const target = await emptyTarget();
    expect(await target.type('migrate', 'run', folder)).toMatchObject({ status: 0, err: '' });
    expect(await target.type('migrate', 'verify', folder)).toMatchObject(clean);
    await expectNoNews(target, [folder]);
    const moved = await startReached(target);
    expect(without(differing(await allAnswers(source), await allAnswers(moved)), unsaid, ownAccount)).toEqual(
      picture(ids),
    );
  });
});

/** Asserts that another run writes nothing. */
async function expectNoNews({ directory, type }: Awaited<ReturnType<typeof emptyTarget>>, args: readonly string[]) {
  const top = () => {
    const log = openLogReader(join(directory, 'log.db'));
    try {
      return log.top;
    } finally {
      log.close();
    }
  };
  const before = top();
  expect(await type('migrate', 'run', ...args)).toMatchObject({ status: 0, err: '' });
  expect(top()).toBe(before);
}

describe('a target that is in use', () => {
  it('keeps what it has, and every reference leads to what it meant', async () => {
    const { source } = await filled();
    const target = await usedSite();
    const own = await allAnswers(target);
    const { args } = liveSource(source);
    const here = (...more: readonly string[]) => typeVerb(target.site.directory, more);
    const plan = await here('migrate', 'plan', ...args);
    expect(plan.out).toContain('because what they had is taken here');
    expect(await here('migrate', 'run', ...args)).toMatchObject({ status: 0, err: '' });
    expect(await here('migrate', 'verify', ...args)).toMatchObject(clean);
    const after = await allAnswers(target);
    const changed = differing(own, after).filter((one) => !/ more$/.test(one));
    // It had no styles of its own. Terms count what has them, and the page list of a navigation has all pages.
    expect(changed.filter((one) => !/ (?:count|content)$/.test(one))).toEqual(['/global-styles/1 1 styles']);
    const found = byTitle(after);
    const is = (title: string) => found(title).id as number;
    const first = found('First "one" & <em>only</em>');
    const leaf = is('leaf');
    expect(leaf).not.toBe(5);
    expect(first).toMatchObject({ featured_media: leaf, author: idOf(after, '/users', 'author') });
    expect(raw(first)).toContain(`wp-image-${leaf}"`);
    expect(raw(first)).toContain(`{"id":${leaf}}`);
    const file = new URL(String(found('leaf')['source_url'])).pathname;
    expect(raw(first)).toContain(`http://site.example${file}"`);
    const gallery = raw(found('Gallery'));
    expect(gallery).toContain(`[gallery ids="${leaf},${is('Grün')}"]`);
    expect(gallery).toContain(`wp-image-${is('Grün')}"`);
    expect(gallery).toContain(
      `"url":"http://site.example${file}","id":${leaf},"alt":"a \\u003cb\\u003e \\u0026 \\u002d\\u002d c"}`,
    );
    expect(gallery).toContain(`[slider src="http:\\/\\/site.example${file.replaceAll('/', '\\/')}"]`);
    expect(gallery).toContain(`<a href="/?p=${first['id']}">plain`);
    expect(gallery).toContain('https://elsewhere.example/?p=8"');
    const child = found('Child', 2);
    expect(child).toMatchObject({ parent: found('Parent', 2).id });
    expect(gallery).toContain(`href="${child['link']}">whole`);
    expect(gallery).toContain(`<a href="${new URL(String(found('Parent', 2)['link'])).pathname}">relative`);
    expect(raw(found('Uses'))).toContain(`{"ref":${is('Pattern')}}`);
    expect(raw(found('Refers'))).toContain(`{"ref":${navigationOf(after)}}`);
    const menus = after['/menu-items?status=any,trash'] as readonly Row[];
    const [root, second, third] = menus;
    expect(second).toMatchObject({ parent: root?.['id'], object_id: found('Parent', 2).id, menus: root?.['menus'] });
    expect(third).toMatchObject({ parent: second?.['id'], object_id: idOf(after, '/categories', 'under') });
    const all = (after['/comments?status=all'] ?? []) as readonly Row[];
    const said = (text: string) => all.find(({ content }) => (content as { raw: string }).raw === text) as Row;
    expect(said('Again')).toMatchObject({ parent: said('Answer\r\nin two lines')['id'], post: first.id });
    expect(said('Answer\r\nin two lines')).toMatchObject({ parent: said('Thread')['id'] });
    await expectNotes(target);
    expect(await here('migrate', 'run', ...args, '--settings')).toMatchObject({ status: 0, err: '' });
    expect((await allAnswers(target))['/settings']).toMatchObject([
      { title: 'Old &amp; &lt;good&gt;', page_on_front: found('Parent', 2).id },
    ]);
    expect(said('Mine')).toMatchObject({ parent: 0, post: found('Mine').id });
  });

  it('takes later changes alone, and writes nothing if there are none', async () => {
    const { source, ids } = await filled();
    const target = await usedSite();
    const { args } = liveSource(source);
    const runIt = async () => {
      const ended = await typeVerb(target.site.directory, ['migrate', 'run', ...args, '--json']);
      expect(ended).toMatchObject({ status: 0, err: '' });
      return JSON.parse(ended.out).counts;
    };
    await runIt();
    const position = target.site.position();
    const kinds = Object.values(await runIt()) as Record<string, number>[];
    expect(kinds.flatMap((row) => Object.keys(row)).filter((did) => !['same', 'matched'].includes(did))).toEqual([]);
    expect(target.site.position()).toBe(position);
    source.site.clock.now += 60_000;
    await source.site.call('author', `POST /posts/${ids['first']}`, { content: 'Anew' });
    await source.site.make('administrator', '/comments', { post: ids['gallery'], content: 'Late' });
    await source.site.call('administrator', `DELETE /posts/${ids['draft']}`);
    const counts = await runIt();
    expect(counts).toMatchObject({
      post: { changed: 2 },
      // The one of the edit, and the one that trashing a draft keeps.
      revision: { made: 2 },
      comment: { made: 1, same: 7 },
      page: { same: 4 },
      attachment: { same: 3 },
    });
    const found = byTitle(await allAnswers(target));
    expect(raw(found('First "one" & <em>only</em>'))).toBe('Anew');
    expect(found('Draft')).toMatchObject({ status: 'trash' });
    expect(await typeVerb(target.site.directory, ['migrate', 'verify', ...args])).toMatchObject(clean);
  });

  it('is as it was before after an undo, and takes everything again', async () => {
    const { source } = await filled();
    const target = await usedSite();
    const before = await allAnswers(target);
    const { args } = liveSource(source);
    const here = (...more: readonly string[]) => typeVerb(target.site.directory, more);
    await here('migrate', 'run', ...args);
    const position = target.site.position();
    expect(await here('migrate', 'undo', source.address)).toMatchObject({ status: 0, err: '' });
    expect(target.site.position()).toBe(position);
    const undone = await here('migrate', 'undo', source.address, '--yes', '--as', 'administrator');
    expect(undone).toMatchObject({ status: 0, err: '', out: expect.stringContaining('Undone: ') });
    const accounts = /^\/users more$/;
    expect(differing(before, await allAnswers(target)).filter((one) => !accounts.test(one))).toEqual([]);
    expect(await here('migrate', 'run', ...args)).toMatchObject({ status: 0, err: '' });
    expect(await here('migrate', 'verify', ...args)).toMatchObject(clean);
  });
});

/** Asserts that each commit of an import says what it imported. */
async function expectNotes({ site: { node } }: ReachedSite): Promise<void> {
  const all = [...node.log.read({})];
  const begun = all.findIndex(({ type }) => type === 'MigrationBegan');
  const imports = Map.groupBy(all.slice(begun + 1), ({ position, commit }) => position - commit.i);
  const types = [...imports.values()].map((commit) => commit.map(({ type }) => type));
  expect(types.length).toBeGreaterThan(3);
  const isNoted = (one: readonly string[]) => one.includes('ItemsImported') || one.includes('MigrationCompared');
  expect(types.filter((one) => !isNoted(one))).toEqual([]);
}

/** A site with things whose ids and slugs the source has as well, which verbs reach as a server. */
async function usedSite(): Promise<ReachedSite> {
  const target = await startReached();
  const { site } = target;
  const make = (path: string, body: object) => site.make('administrator', path, { status: 'publish', ...body });
  const parent = await make('/pages', { title: 'Parent', content: 'Mine' });
  await make('/pages', { title: 'Child', content: 'Mine', parent });
  const post = await make('/posts', { title: 'Mine' });
  for (const title of ['Lines', 'Gallery of mine', 'Own leaf'])
    await make('/posts', { title, slug: title.split(' ')[0] });
  await uploadBody(
    site,
    'administrator',
    { name: 'leaf.png', type: 'image/png', bytes: pngOf(30, 40) },
    { query: 'title=own' },
  );
  for (let i = 0; i < 8; i++) await make('/posts', { title: `Own ${i}` });
  await site.make('administrator', '/categories', { name: 'Own' });
  await site.make('administrator', '/tags', { name: 'Other' });
  await site.make('administrator', '/comments', { post, content: 'Mine' });
  await listenFor(site);
  return target;
}

type Answers = Awaited<ReturnType<typeof allAnswers>>;

/** The item of a title; `which`: the how many-th. */
function byTitle(answers: Answers) {
  const all = Object.entries(answers).flatMap(([path, items]) =>
    path.includes('revisions') ? [] : (items as readonly Row[]),
  );
  return (title: string, which = 1): Row => {
    const found = all.filter((one) => (one['title'] as { raw?: string } | undefined)?.raw === title)[which - 1];
    if (found === undefined) throw new Error(`there is no ${title}`);
    return found;
  };
}

const raw = ({ content }: Row) => (content as { readonly raw: string }).raw;
const idOf = (answers: Answers, list: string, slug: string) =>
  ((answers[list] ?? []) as readonly Row[]).find((one) => one['slug'] === slug)?.['id'];
const navigationOf = (answers: Answers) =>
  ((answers['/navigation?status=any,trash'] ?? []) as readonly Row[]).find((one) =>
    raw(one).includes('navigation-link'),
  )?.['id'];
