import { expect, it } from 'vitest';
import { listenFor, startReached } from '../support/moved-sites.ts';
import { aComment, anItem, aRevision, aSite, folderOf } from '../support/source-records.ts';
import { typeVerb } from '../support/verbs.ts';

async function running() {
  const { site } = await startReached();
  await listenFor(site);
  return { site, type: (...args: readonly string[]) => typeVerb(site.directory, args) };
}

it('an item of 20 MB and a group of 4 MB come through a running server', async () => {
  const { site, type } = await running();
  const long = `<p>${'long “words” \\ '.repeat(1_400_000)}</p>`;
  const group = Array.from({ length: 99 }, (_, i) =>
    anItem({ id: i + 2, title: `Item ${i + 2}`, content: `<p>${`text ${i} `.repeat(6000)}</p>` }),
  );
  const source = await folderOf([aSite(), anItem({ id: 1, title: 'Long', content: long }), ...group]);
  const ran = await type('migrate', 'run', source);
  expect([ran.status, ran.err, ran.out]).toEqual([0, '', expect.stringContaining('0 not imported')]);
  const { body } = await site.call('administrator', 'GET /posts/1?context=edit');
  expect(body.content.raw.trim() === long).toBe(true);
  const last = await site.call('administrator', 'GET /posts/100?context=edit');
  expect(last.body.content.raw.length).toBeGreaterThan(40_000);
});

it('revisions that come behind the comments of their item are imported with it', async () => {
  const { site, type } = await running();
  const of = { of: 1 };
  const source = await folderOf([
    aSite(),
    anItem({ id: 1, title: 'Now' }),
    aComment({ id: 1, ...of }),
    aRevision({ id: 5, ...of, title: 'Before' }),
    anItem({ id: 2, title: 'Next' }),
  ]);
  const ran = await type('migrate', 'run', source, '--json');
  expect(JSON.parse(ran.out).counts).toMatchObject({ post: { made: 2 }, comment: { made: 1 }, revision: { made: 1 } });
  const { body } = await site.call('administrator', 'GET /posts/1/revisions');
  expect(body.map((one: { title: { rendered: string } }) => one.title.rendered)).toContain('Before');
});
