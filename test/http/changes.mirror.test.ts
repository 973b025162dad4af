import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { manyActs, perform } from '../support/acts.ts';
import { admin } from '../support/node.ts';
import { type As, type Site, startSite } from '../support/site.ts';

/** What a mirror keeps: the records of all that somebody may read, by resource and id. */
type Records = Map<string, string>;

const resources = ['posts', 'pages', 'media', 'comments', 'categories', 'tags'];

/** Counts of terms change with each post; links count revisions and autosaves, of which readers are not told. */
function kept({ count: _, _links, ...fields }: Record<string, unknown>): string {
  return JSON.stringify(fields);
}

async function all(site: Site, as: As): Promise<Records> {
  const found: Records = new Map();
  for (const resource of resources) {
    const status = as === 'editor' && /posts|pages/.test(resource) ? '&status=any,trash' : '';
    const { body } = await site.call(as, `GET /${resource}?per_page=100&orderby=id&order=asc${status}`);
    for (const record of body as { id: number }[]) found.set(`${resource}/${record.id}`, kept(record));
  }
  return found;
}

/** Names in the feed since a position, and the position reached. */
async function named(site: Site, as: As, since: number): Promise<Set<string>> {
  const found = new Set<string>();
  for (let at = since; ; ) {
    const { body } = await site.call(as, `GET /changes?limit=100&since=${at}`);
    for (const { changes } of body.commits) for (const { resource, id } of changes) found.add(`${resource}/${id}`);
    if (body.position === at) return found;
    at = body.position;
  }
}

it('a mirror that reads what the feed names is equal to the site, for the public and for an editor', async () => {
  await fc.assert(
    fc.asyncProperty(manyActs, async (acts) => {
      const site = await startSite();
      try {
        for (const act of acts) {
          const viewers = ['anonymous', 'editor'] as const;
          const before = await Promise.all(viewers.map((as) => all(site, as)));
          const since = site.position();
          site.clock.now += 700;
          await site.node.store.submit(admin, (session) => {
            session.attempt(() => {
              const value = perform(session, act);
              return isRefusal(value) ? value : null;
            });
          });
          for (const [i, as] of viewers.entries()) {
            const [was, is, names] = [before[i] ?? new Map(), await all(site, as), await named(site, as, since)];
            const changed = [...new Set([...was.keys(), ...is.keys()])].filter((one) => was.get(one) !== is.get(one));
            const untold = changed.filter((one) => !names.has(one));
            expect([as, act.do, untold.map((one) => [one, was.get(one), is.get(one)])]).toEqual([as, act.do, []]);
          }
        }
      } finally {
        await site.close();
      }
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

it('names the comments that go with a protected post, to those who need no password for it', async () => {
  const site = await startSite();
  try {
    const post = await site.make('editor', '/posts', { title: 'Locked', status: 'publish' });
    const { body } = await site.call('administrator', 'POST /comments', { post, content: 'Words' });
    await site.call('editor', `POST /posts/${post}`, { password: 'secret' });
    const since = site.position();
    await site.call('editor', `DELETE /posts/${post}?force=true`);
    expect([...(await named(site, 'editor', since))]).toContain(`comments/${body.id}`);
    expect([...(await named(site, 'anonymous', since))]).not.toContain(`comments/${body.id}`);
  } finally {
    await site.close();
  }
});
