import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callback, callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { As, Site } from '../../support/site.ts';
import { type Case, commonCases } from './cases.ts';

/** Every route of plugins that a deployment has. */
const cases: Readonly<Record<'A' | 'B', readonly Case[]>> = { A: commonCases, B: commonCases };
const content = ['/oembed/', '/cms/', '/batch/', '/cms-site-health/', '/cms-block-editor/'];
const roles: readonly As[] = ['anonymous', 'subscriber', 'contributor', 'author', 'editor', 'administrator'];

function send(site: Site, as: As, { route, lowest }: Case, body: Case['body']) {
  if (lowest === 'signed') return callback(site, route.replace('POST ', ''), body);
  return callPlugin(site, as, route, route.startsWith('GET') ? undefined : (body ?? {}));
}

/** Status and code of a refusal, in whichever envelope it comes. */
function refused({ status, body }: { status: number; body: { code?: string; _msg?: string } }) {
  return [status, body.code ?? body._msg];
}

describe.each(['A', 'B'] as const)('deployment %s', (deployment) => {
  let site: Site;
  beforeAll(async () => {
    site = await startPluginSite(deployment);
  });
  afterAll(() => site.close());

  it('lists in its index every route that is walked through, and no other of plugins', async () => {
    const { routes } = (await callPlugin(site, 'anonymous', 'GET /')).body;
    const listed = Object.entries(routes as Record<string, { namespace: string; methods: string[] }>)
      .filter(([path, { namespace }]) => path !== '/' && path !== `/${namespace}`)
      .filter(([path]) => !content.some((start) => path.startsWith(start)))
      .map(([path, { methods }]) => `${methods.join()} ${path}`);
    expect(listed.sort()).toEqual(cases[deployment].map(({ route }) => route).sort());
  });

  describe.each(cases[deployment])('$route', (one) => {
    it('is there for those who may, and for nobody below them', async () => {
      const { lowest } = one;
      for (const as of roles) {
        const may = lowest !== 'signed' && roles.indexOf(as) >= roles.indexOf(lowest);
        if (may && as !== lowest) continue;
        const { status, body } = await callPlugin(
          site,
          as,
          one.route,
          one.route.startsWith('GET') ? undefined : one.body,
        );
        if (may) expect([as, status]).toEqual([as, 200]);
        else {
          const denied = as === 'anonymous' || lowest === 'signed' ? 401 : 403;
          expect([as, status, body.code]).toEqual([as, denied, 'rest_forbidden']);
        }
      }
    });

    const { missing, wrong } = one;
    if (missing !== undefined) {
      it('says what is missing', async () => {
        expect(refused(await send(site, 'administrator', one, missing.body))).toEqual(missing.answer);
      });
    }

    if (wrong !== undefined) {
      it('says what is of the wrong type', async () => {
        // A report that makes no sense is followed by a pause.
        site.clock.now += 4000;
        expect(refused(await send(site, 'administrator', one, wrong.body))).toEqual(wrong.answer);
      });
    }

    it('does what another call can see', () => one.effect(site));
  });

  it('answers HEAD as GET, and no other method', async () => {
    for (const { route } of cases[deployment]) {
      const [method, path] = route.split(' ');
      const other = method === 'GET' ? 'POST' : 'GET';
      expect((await callPlugin(site, 'administrator', `${other} ${path}`)).body.code).toBe('rest_no_route');
    }
    expect((await callPlugin(site, 'administrator', 'HEAD /host-easy-onboarding/v1/get-steps')).status).toBe(200);
  });
});
