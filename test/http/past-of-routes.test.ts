import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { sourceOf } from '#http/feed/source.ts';
import { routeTemplate } from '#http/openapi/place.ts';
import { allRoutes } from '#http/tables/all.ts';
import { manyActs, perform } from '../support/acts.ts';
import { admin } from '../support/node.ts';
import { type Site, startSite } from '../support/site.ts';

/** Items have ids up to this. */
const highest = 16;

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly total: string | null;
}

interface Moment {
  readonly position: number;
  readonly answers: ReadonlyMap<string, Answer>;
}

/** Paths of all routes that show the past by `as_of`, as they are in the table of routes. */
function paths({ node: { store } }: Site): readonly string[] {
  const routes = allRoutes({ clock: () => 0, source: sourceOf(store), uploads: store.uploads });
  const shown = routes.filter(({ endpoints }) =>
    endpoints.some(
      (endpoint) => 'query' in endpoint && endpoint.past !== undefined && endpoint.past.parameter === undefined,
    ),
  );
  return shown.flatMap((route) => {
    const { path, names } = routeTemplate(route);
    if (names.length === 0) return [path];
    const [name = ''] = names;
    return Array.from({ length: highest }, (_, i) => path.replace(`{${name}}`, String(i + 1)));
  });
}

async function answersOf(site: Site, all: readonly string[], more = ''): Promise<ReadonlyMap<string, Answer>> {
  const answers = new Map<string, Answer>();
  for (const path of all) {
    const { status, body, headers } = await site.call('administrator', `GET /cms-json${path}?context=edit${more}`);
    answers.set(path, { status, body, total: headers.get('x-cms-total') });
  }
  return answers;
}

it('every route that shows the past answers as it did at that position, also after a rebuild', async () => {
  await fc.assert(
    fc.asyncProperty(manyActs, fc.array(fc.nat(39), { minLength: 2, maxLength: 3 }), async (sequence, steps) => {
      const site = await startSite();
      try {
        const all = paths(site);
        expect(all.length).toBeGreaterThan(10 * highest);
        const moments: Moment[] = [];
        for (const [i, act] of sequence.entries()) {
          site.clock.now += 700;
          await site.node.store.submit(admin, (session) => {
            session.attempt(() => {
              const value = perform(session, act);
              return isRefusal(value) ? value : null;
            });
          });
          if (steps.includes(i)) moments.push({ position: site.position(), answers: await answersOf(site, all) });
        }
        // What they may see of the past, they may by what they are now.
        const { body: me } = await site.call('administrator', 'GET /users/me?context=edit');
        fc.pre(me?.roles?.includes('administrator') === true);
        const now = await answersOf(site, all);
        const allowed = all.filter((path) => now.get(path)?.status !== 403);
        const compare = async () => {
          for (const { position, answers } of moments) {
            const then = await answersOf(site, allowed, `&as_of=${position}`);
            for (const path of allowed) expect([path, then.get(path)]).toEqual([path, answers.get(path)]);
          }
        };
        await compare();
        await site.rebuild();
        await compare();
      } finally {
        await site.close();
      }
    }),
    { numRuns: 8 },
  );
});
