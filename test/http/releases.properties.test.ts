import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

const fields = fc.record(
  {
    content: fc.constantFrom(
      'Words',
      '<p>Other <b>words</b></p>',
      '<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->',
    ),
    excerpt: fc.constantFrom('', 'Short'),
    status: fc.constantFrom('publish', 'draft', 'pending', 'private'),
    sticky: fc.boolean(),
    comment_status: fc.constantFrom('open', 'closed'),
    format: fc.constantFrom('standard', 'aside'),
    slug: fc.constantFrom('one', 'two', 'feed'),
    date: fc.constantFrom('2019-05-06T07:08:09', '2036-01-02T03:04:05'),
    categories: fc.subarray([1, 2]),
  },
  { requiredKeys: [] },
);
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;

/** A write of the release, or of somebody else in between; `at`: which of the posts that are there. */
type Step =
  | { readonly does: 'create' | 'change' | 'trash'; readonly at: number; readonly fields: Fields }
  | { readonly does: 'other'; readonly at: number; readonly fields: Fields };

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('create' as const, 'change' as const, 'change' as const, 'trash' as const, 'other' as const),
  at: fc.nat(2),
  fields,
});

const SHOWN = 'title,content,excerpt,status,sticky,comment_status,format,slug,date,date_gmt,categories,author';

/** Posts by their titles, but for what depends on when they were made. */
async function posts(site: Site) {
  const { body } = await site.call(
    'administrator',
    `GET /posts?status=any,trash&per_page=100&orderby=id&context=edit&_fields=${SHOWN}`,
  );
  const shown = body.map((post: Record<string, unknown>) => {
    const isDated = ['2019', '2036'].some((year) => String(post['date']).startsWith(year));
    return isDated ? post : { ...post, date: null, date_gmt: null };
  });
  return shown.sort((a: { title: { raw: string } }, b: { title: { raw: string } }) =>
    a.title.raw.localeCompare(b.title.raw),
  );
}

describe('a release', () => {
  let [waiting, direct]: (Site | undefined)[] = [];
  beforeAll(async () => {
    [waiting, direct] = [await startSite(), await startSite()];
    for (const site of [waiting, direct]) await site.call('administrator', 'POST /categories', { name: 'First' });
  });
  afterAll(async () => {
    await waiting?.close();
    await direct?.close();
  });

  it('leaves the site as its writes would have left it at the moment of publishing, whatever others wrote in between', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        round += 1;
        const sites = [waiting as Site, direct as Site] as const;
        const [own, others] = [new Map<Site, number[]>(), new Map<Site, number[]>()];
        for (const site of sites) {
          const make = (title: string) => site.make('editor', '/posts', { title, status: 'publish' });
          own.set(site, [await make(`${round} a`), await make(`${round} b`), await make(`${round} c`)]);
          others.set(site, [await make(`${round} x`), await make(`${round} y`), await make(`${round} z`)]);
        }
        const requestOf = (site: Site, { does, at, fields: body }: Step, i: number): [string, object?] => {
          const id = (does === 'other' ? others : own).get(site)?.[at];
          if (does === 'create') return ['POST /posts', { ...body, title: `${round} new ${i}` }];
          return does === 'trash' ? [`DELETE /posts/${id}`] : [`POST /posts/${id}`, body];
        };
        const [first, second] = sites;
        const release = (await first.call('editor', 'POST /releases', { name: `Round ${round}` })).body.id;
        const statuses: number[] = [];
        for (const [i, one] of steps.entries()) {
          const [request, body] = requestOf(first, one, i);
          if (one.does === 'other') await first.call('administrator', request, body);
          else statuses.push((await first.call('editor', `${request}?release=${release}`, body)).status);
        }
        const published = await first.call('editor', `POST /releases/${release}/publish`);
        for (const [i, one] of steps.entries()) {
          if (one.does === 'other') await second.call('administrator', ...requestOf(second, one, i));
        }
        const straight: number[] = [];
        for (const [i, one] of steps.entries()) {
          if (one.does !== 'other') straight.push((await second.call('editor', ...requestOf(second, one, i))).status);
        }
        expect(statuses).toEqual(straight);
        expect([200, 409]).toContain(published.status);
        if (published.status === 409) expect(published.body.code).toBe('rest_release_empty');
        expect(await posts(first)).toEqual(await posts(second));
      }),
      { numRuns: 60 },
    );
  });
});
