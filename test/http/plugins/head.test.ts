import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { As, Site } from '../../support/site.ts';
import { libraryCases } from './cases/builder-library.ts';
import { hostCases } from './cases/host.ts';
import { onboardingCases } from './cases/onboarding.ts';

let site: Site;
beforeAll(async () => {
  site = await startPluginSite('B');
});
afterAll(() => site.close());

const reset = '/builder/v2/design_library/reset';
/** Every GET of a plugin that may write. */
const paths = [...onboardingCases, ...hostCases, ...libraryCases]
  .map(({ route, request = route }) => request.split(' '))
  .flatMap(([method, path = '']) => (method === 'GET' ? path : []))
  .concat(reset);
/** Routes that write at the first GET, or at every GET. */
const writing = [
  ...['/host-easy-onboarding/v1/get-steps', '/host-analytics/v1/host-analytics-experiments'],
  ...['/host-tools-plugin/v1/get-settings', '/host-tools-plugin/v1/regenerate-bypass-code', reset],
];

const call = (request: string) => callPlugin(site, 'administrator', request);

describe('HEAD of a plugin route that may write', () => {
  it.each(paths)('answers 200 without writing: %s', async (path) => {
    const before = site.position();
    for (const request of [`HEAD ${path}`, `GET ${path}?_method=HEAD`]) {
      const { status, headers } = await call(request);
      expect([request, status, headers.get('x-cms-position')]).toEqual([request, 200, null]);
    }
    expect(site.position()).toBe(before);
  });

  it('changes no state', async () => {
    const code = async () => (await call('GET /host-tools-plugin/v1/get-settings')).body.data.bypass_code;
    const before = await code();
    await call('HEAD /host-tools-plugin/v1/regenerate-bypass-code');
    expect(await code()).toBe(before);
  });
});

describe('a GET that writes', () => {
  it.each(writing)('returns the position of its write: %s', async (path) => {
    const fresh = await startPluginSite('B');
    const before = fresh.position();
    const { headers } = await callPlugin(fresh, 'administrator', `GET ${path}`);
    expect(headers.get('x-cms-position')).toBe(String(before + 1));
    expect(fresh.position()).toBe(before + 1);
    await fresh.close();
  });

  it('is a read when there is nothing to write, also while the log is unavailable', async () => {
    let fails = false;
    const openLog = (path: string): EventStore => {
      const log = openSqliteStore({ path });
      const append: EventStore['append'] = async (...given) => {
        if (fails) throw new LogUnavailable('the disk is full');
        return log.append(...given);
      };
      return { ...log, append };
    };
    const faulty = await startPluginSite('A', {}, { openLog });
    const ask = (as: As, path: string) => callPlugin(faulty, as, `GET ${path}`);
    const settled = writing.slice(0, 3);
    const before = await Promise.all(settled.map(async (path) => (await ask('administrator', path)).text));
    fails = true;
    for (const [i, path] of settled.entries()) {
      const { status, text } = await ask('administrator', path);
      expect([path, status, text]).toEqual([path, 200, before[i]]);
      expect([(await ask('anonymous', path)).status, (await ask('editor', path)).status]).toEqual([401, 403]);
    }
    expect((await ask('administrator', '/host-tools-plugin/v1/regenerate-bypass-code')).status).toBe(503);
    await faulty.close();
  });

  it('returns no position when it did not write', async () => {
    await call('GET /host-tools-plugin/v1/get-settings');
    const { headers } = await call('GET /host-tools-plugin/v1/get-settings');
    expect(headers.get('x-cms-position')).toBeNull();
  });
});
