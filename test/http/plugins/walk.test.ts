import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pluginEvents } from '#catalogue/events.ts';
import { contact } from '#domain/contact/area.ts';
import { legalHolds } from '#domain/hold/area.ts';
import { hooks } from '#domain/hooks/area.ts';
import { migrations } from '#domain/migration/area.ts';
import { previews } from '#domain/preview/area.ts';
import { releases } from '#domain/release/area.ts';
import { siteStyles } from '#domain/site-styles/area.ts';
import { templates } from '#domain/templates/area.ts';
import { summaryOf } from '#projections/audit/event-summaries.ts';
import { callback, callPlugin, pluginArgs, startPluginSite } from '../../support/plugins.ts';
import type { As, Site } from '../../support/site.ts';
import { builderCases, dynamicCases } from './cases/builder.ts';
import { libraryCases } from './cases/builder-library.ts';
import { cacheCases } from './cases/cache.ts';
import type { Case } from './cases/case.ts';
import { hostCases } from './cases/host.ts';
import { onboardingCases } from './cases/onboarding.ts';
import { themeBlocksCases } from './cases/theme-blocks.ts';

const common: readonly Case[] = [...onboardingCases, ...cacheCases, ...hostCases];
/** Every plugin route of a deployment. */
const cases: Readonly<Record<'A' | 'B', readonly Case[]>> = {
  A: [...common, ...themeBlocksCases],
  B: [...common, ...builderCases, ...dynamicCases, ...libraryCases],
};
const shared = [
  ...['host-easy-onboarding/v1', 'cache/v1', 'cache/v3'],
  ...['host-ai-assistant/v1', 'host-analytics/v1', 'host-tools-plugin/v1'],
];
const plugins = { A: [...shared, 'theme-blocks/v1'], B: [...shared, 'builder/v3', 'builder/v2'] };
const content = ['/oembed/', '/cms/', '/batch/', '/cms-site-health/', '/cms-block-editor/'];
/** Event types written by plugin routes, in either deployment. */
const written = new Set<string>();
const roles: readonly As[] = ['anonymous', 'subscriber', 'contributor', 'author', 'editor', 'administrator'];

interface Listed {
  readonly namespace: string;
}

function send(site: Site, as: As, { route, request = route, lowest }: Case, body: Case['body']) {
  if (lowest === 'signed') return callback(site, route.replace('POST ', ''), body);
  if (!request.startsWith('GET')) return callPlugin(site, as, request, body ?? {});
  const query = new URLSearchParams(body as Record<string, string>).toString();
  return callPlugin(site, as, query === '' ? request : `${request}?${query}`);
}

/** Wraps a site so that its requests are recorded. */
function watched(site: Site): {
  readonly site: Site;
  readonly asked: readonly string[];
  /** Requests after which plugins had stored something. */
  readonly stored: ReadonlySet<string>;
} {
  const asked: string[] = [];
  const stored = new Set<string>();
  const call: Site['call'] = async (as, request, ...rest) => {
    const short = request.replace(' /cms-json', ' ');
    asked.push(short);
    const from = site.position() + 1;
    const answer = await site.call(as, request, ...rest);
    const own = [...site.node.log.read({ from })].filter(({ stream }) => stream.startsWith('plugin-'));
    if (own.length > 0) stored.add(short);
    return answer;
  };
  return {
    site: new Proxy(site, { get: (from, name) => (name === 'call' ? call : Reflect.get(from, name)) }),
    asked,
    stored,
  };
}

/** Whether a request matches a route. */
function isOf(request: string, route: string): boolean {
  const [method = '', pattern = ''] = route.split(' ');
  const path = request.replace(/\?.*/, '').slice(method.length + 1);
  return request.startsWith(`${method} `) && new RegExp(`^${pattern.replaceAll('(?P<', '(?<')}$`).test(path);
}

/** Status and code of a refusal, in either format. */
function refused({ status, body }: { status: number; body: { code?: string; _msg?: string } }) {
  return [status, body.code ?? body._msg];
}

describe.each(['A', 'B'] as const)('deployment %s', (deployment) => {
  let site: Site;
  beforeAll(async () => {
    site = await startPluginSite(deployment);
  });
  afterAll(() => site.close());

  it('lists exactly the tested plugin routes in its index', async () => {
    const { routes } = (await callPlugin(site, 'anonymous', 'GET /')).body;
    const listed = Object.entries(routes as Record<string, { namespace: string; methods: string[] }>)
      .filter(([path, { namespace }]) => path !== '/' && path !== `/${namespace}`)
      .filter(([path]) => !content.some((start) => path.startsWith(start)))
      .map(([path, { methods }]) => `${methods.join()} ${path}`);
    expect(listed.sort()).toEqual(cases[deployment].map(({ route }) => route).sort());
  });

  it('lists its namespaces in order, each with its own index', async () => {
    const { namespaces } = (await callPlugin(site, 'anonymous', 'GET /')).body;
    expect(namespaces).toEqual([
      'oembed/1.0',
      ...plugins[deployment],
      'cms/v2',
      'cms-site-health/v1',
      'cms-block-editor/v1',
    ]);
    for (const name of namespaces) {
      const { status, body } = await callPlugin(site, 'anonymous', `GET /${name}`);
      expect([status, body.namespace, Object.keys(body.routes)[0]]).toEqual([200, name, `/${name}`]);
      const args = { namespace: { default: name, required: false }, context: { default: 'view', required: false } };
      expect(body.routes[`/${name}`].endpoints).toEqual([{ methods: ['GET'], args }]);
    }
  });

  it('lists all other routes, and the same ones in the index of each namespace', async () => {
    const { routes, namespaces: names } = (await callPlugin(site, 'anonymous', 'GET /')).body;
    const below = (name: string) => Object.entries(routes).filter(([, one]) => (one as Listed).namespace === name);
    const paths = (name: string) => below(name).map(([path]) => path);
    expect(paths('')).toEqual(['/', '/batch/v1']);
    expect(paths('oembed/1.0')).toEqual(['/oembed/1.0', '/oembed/1.0/embed', '/oembed/1.0/proxy']);
    for (const name of names) {
      const { body } = await callPlugin(site, 'anonymous', `GET /${name}`);
      expect(body).toEqual({
        namespace: name,
        routes: Object.fromEntries(below(name)),
        _links: { up: [{ href: 'http://site.example/cms-json/' }] },
      });
    }
  });

  it('has a test case for missing and wrong parameters of every route', () => {
    const table = pluginArgs(deployment);
    for (const { route, missing, wrong } of cases[deployment]) {
      const [, path = ''] = route.split(' ');
      const args = Object.values(table.get(path) ?? {});
      const [takes, needs] = [args.some(({ unchecked }) => unchecked !== true), args.some((one) => one.required)];
      if (takes) expect([route, wrong]).toEqual([route, expect.anything()]);
      if (needs) expect([route, missing]).toEqual([route, expect.anything()]);
    }
  });

  it('describes exactly the declared parameters', async () => {
    const { routes } = (await callPlugin(site, 'anonymous', 'GET /')).body;
    for (const { route, args = [] } of cases[deployment]) {
      const [method, path = ''] = route.split(' ');
      expect([path, routes[path].endpoints]).toEqual([path, [{ methods: [method], args }]]);
    }
  });

  describe.each(cases[deployment])('$route', (one) => {
    /** Whether a request to the route stored something; some do so only once. */
    let stores = false;
    const note = (stored: ReadonlySet<string>) => {
      stores ||= [...stored].some((request) => isOf(request, one.route));
    };

    it('is allowed from its lowest role on', async () => {
      const { lowest } = one;
      const { site: asked, stored } = watched(site);
      for (const as of roles) {
        const may = lowest !== 'signed' && roles.indexOf(as) >= roles.indexOf(lowest);
        if (may && as !== lowest) continue;
        const { status, body } = await send(asked, as, { ...one, lowest: as }, one.body);
        note(stored);
        if (may) expect([as, status]).toEqual([as, 200]);
        else {
          const denied = as === 'anonymous' || lowest === 'signed' ? 401 : 403;
          expect([as, status, body.code]).toEqual([as, denied, 'rest_forbidden']);
        }
      }
    });

    const { missing, wrong, args = {} } = one;
    const required = Object.keys(args).filter((name) => (args[name] as { required: boolean }).required);
    if (missing !== undefined) {
      it('reports missing parameters before permissions', async () => {
        expect(refused(await send(site, 'administrator', one, missing.body))).toEqual(missing.answer);
        if (one.lowest === 'signed') return;
        const isDeclared = missing.answer[1] === 'rest_missing_callback_param';
        expect(refused(await send(site, 'anonymous', one, missing.body))).toEqual(
          isDeclared ? missing.answer : [401, 'rest_forbidden'],
        );
        for (const name of required) {
          const { body } = await send(site, 'administrator', one, { ...one.body, [name]: null });
          expect([body.code, body.data.params]).toEqual(['rest_missing_callback_param', [name]]);
        }
      });
    }

    if (wrong !== undefined) {
      it('reports parameters of the wrong type before permissions', async () => {
        // A senseless report is followed by a pause.
        site.clock.now += 4000;
        expect(refused(await send(site, 'administrator', one, wrong.body))).toEqual(wrong.answer);
        if (one.lowest === 'signed') return;
        const isChecked = wrong.answer[1] === 'rest_invalid_param';
        expect(refused(await send(site, 'anonymous', one, wrong.body))).toEqual(
          isChecked ? wrong.answer : [401, 'rest_forbidden'],
        );
      });
    }

    it('has an effect that another call can see; what it stores is visible elsewhere', async () => {
      const { site: seen, asked, stored } = watched(site);
      await one.effect(seen);
      expect(asked.filter((request) => isOf(request, one.route))).not.toEqual([]);
      note(stored);
      expect([one.route, stores]).toEqual([one.route, one.stores]);
      if (one.stores) await one.seen(seen);
    });
  });

  it('refuses plugin routes in batches', async () => {
    const writes = cases[deployment].filter(({ route }) => route.startsWith('POST'));
    for (let from = 0; from < writes.length; from += 25) {
      const requests = writes.slice(from, from + 25).map(({ route, body }) => ({ path: route.split(' ')[1], body }));
      const { body } = await callPlugin(site, 'administrator', 'POST /batch/v1', { requests });
      const codes = body.responses.map((answer: { body: { code: string } }) => answer.body.code);
      expect(new Set(codes)).toEqual(new Set(['rest_batch_not_allowed']));
    }
  });

  it('answers HEAD like GET, and no other methods', async () => {
    for (const { route, request = route } of cases[deployment]) {
      const [method, path] = request.split(' ');
      const other = method === 'GET' ? 'POST' : 'GET';
      expect((await callPlugin(site, 'administrator', `${other} ${path}`)).body.code).toBe('rest_no_route');
    }
    for (const { route, request = route } of cases[deployment].filter((one) => one.route.startsWith('GET'))) {
      const path = request.replace('GET ', '');
      const [head, get] = [
        await callPlugin(site, 'administrator', `HEAD ${path}`),
        await callPlugin(site, 'administrator', `GET ${path}`),
      ];
      const told = ({ status, headers }: typeof get) => [status, headers.get('cache-control'), headers.get('allow')];
      expect([path, head.text, ...told(head)]).toEqual([path, '', ...told(get)]);
    }
  });

  it('shows each event it wrote on the audit pages', async () => {
    const headers = { authorization: site.authorization('administrator') };
    const types = [...site.node.log.read({})].flatMap(({ type, stream }) => (stream.startsWith('plugin-') ? type : []));
    for (const type of new Set(types)) {
      written.add(type);
      const page = await fetch(`http://127.0.0.1:${site.port}/cms-audit/?type=${type}`, { headers });
      const text = await page.text();
      expect([type, page.status, text]).toEqual([type, 200, expect.stringContaining(`<code>${type}</code>`)]);
      expect(text).toContain(summaryOf(type).describe({}, {} as never));
    }
  });
});

/** Rows of the table in docs/plugins.md: names of the first column, tests of the last. */
function documented(): readonly { readonly names: readonly string[]; readonly tests: readonly string[] }[] {
  const text = readFileSync(new URL('../../../docs/plugins.md', import.meta.url), 'utf8');
  const [, section = ''] = /### Where stored data appears\n(.*?)\n### /s.exec(text) ?? [];
  const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => {
    const cells = row.split(' | ');
    return { names: quoted(cells[0]), tests: quoted(cells.at(-1)) };
  });
}

describe('both deployments', () => {
  it('document every storing route, with existing tests', () => {
    const rows = documented();
    const all = [...cases.A, ...cases.B];
    const nameOf = ({ route }: Case) => /\/([\w-]+)(?:\(.*)?$/.exec(route)?.[1] ?? route;
    const names = new Set(rows.flatMap(({ names: own }) => own));
    const missing = all.filter((one) => one.stores && !names.has(nameOf(one))).map(({ route }) => route);
    expect(missing).toEqual([]);
    for (const { names: own, tests } of rows) expect([own, tests.length > 0]).toEqual([own, true]);
    const files = new Set(rows.flatMap(({ tests }) => tests));
    expect([...files].filter((file) => !existsSync(new URL(`../../../${file}`, import.meta.url)))).toEqual([]);
  });

  it('write every event of plugins', () => {
    // Other routes write the events of styles, templates, contact messages, webhooks, releases, previews, holds and migrations.
    // Optimised images are fetched later.
    const others = new Set([
      ...[siteStyles, templates, contact, hooks, releases, previews, legalHolds, migrations].flatMap(({ events }) =>
        events.map(({ type }) => type as string),
      ),
      ...['ImageOptimised', 'ImageFormRefused'],
    ]);
    const types = pluginEvents.map(({ type }) => type as string).filter((type) => !others.has(type));
    expect([...written].sort()).toEqual(types.sort());
  });
});
