import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listenFor, startReached } from '../support/moved-sites.ts';
import { anItem, aSite, folderOf } from '../support/source-records.ts';
import { temporaryDirectory } from '../support/temporary.ts';
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

const element = (name: string, text: string | number) => `<wp:${name}>${text}</wp:${name}>`;
const exported = (id: number, type: string, more = '') =>
  `<item><title>${type} ${id}</title>${element('post_id', id)}${element('post_type', type)}${more}</item>`;

it('revisions that come behind the comments of their item are imported with it', async () => {
  const { site, type } = await running();
  const comment = `<wp:comment>${element('comment_id', 1)}${element('comment_approved', 1)}</wp:comment>`;
  const dated = element('post_date', '2020-01-01 10:00:00') + element('status', 'publish');
  const items = [
    exported(1, 'post', dated + comment),
    exported(5, 'revision', element('post_parent', 1)),
    exported(2, 'post', dated),
  ];
  const file = join(temporaryDirectory(), 'export.xml');
  const names = 'xmlns:wp="http://wordpress.org/export/1.2/"';
  writeFileSync(file, `<rss ${names}><channel><link>https://old.example</link>\n${items.join('\n')}\n</channel></rss>`);
  const ran = await type('migrate', 'run', file, '--json');
  expect(JSON.parse(ran.out).counts).toMatchObject({ post: { made: 2 }, comment: { made: 1 }, revision: { made: 1 } });
  const { body } = await site.call('administrator', 'GET /posts/1/revisions');
  expect(body.map((one: { title: { rendered: string } }) => one.title.rendered)).toContain('revision 5');
});
