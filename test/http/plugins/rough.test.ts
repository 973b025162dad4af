import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { plugin } from '../../../examples/guestbook/plugin.ts';
import { pluginShape } from '../../../src/plugin/contract.ts';
import { refusal } from '../../support/history.ts';
import { type Site, startSite } from '../../support/site.ts';

vi.hoisted(() => {
  process.env['PLUGINS'] = './test/support/rough-plugin.ts';
});

const root = '/cms-json/rough/v1';
let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

it('a command that returns a promise stores nothing, and a plugin with an async one is refused', async () => {
  const position = site.position();
  expect(refusal(await site.call('author', `POST ${root}/later`))).toEqual([500, 'internal_server_error']);
  expect(site.position()).toBe(position);
  const [namespace] = plugin.namespaces;
  const [, route] = namespace?.routes ?? [];
  const namespaces = [{ ...namespace, routes: [{ ...route, command: async () => ({}) }] }];
  const { error } = pluginShape([]).safeParse({ ...plugin, namespaces });
  expect(error?.issues.map(({ message }) => message)).toEqual(['has a command that is async']);
});

it.each([1e6, 40e6, 300e6])('an event of %i bytes is stored, or answered with 413', async (bytes) => {
  const position = site.position();
  const answer = await site.call('author', `POST ${root}/huge`, { bytes });
  if (bytes < 2e6) expect([answer.status, site.position()]).toEqual([200, position + 1]);
  else expect([refusal(answer), site.position()]).toEqual([[413, 'rest_request_too_large'], position]);
});

it('a query that never answers is given up', async () => {
  const real = globalThis.setTimeout;
  const soon = (work: () => void, ms: number) => real(work, ms === 30_000 ? 10 : ms);
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(soon as never);
  const answer = await site.call('author', `GET ${root}/silent`);
  spy.mockRestore();
  expect(refusal(answer)).toEqual([503, 'rest_plugin_too_slow']);
});
