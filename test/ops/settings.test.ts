import { describe, expect, it, onTestFinished } from 'vitest';
import { openNode } from '#ops/open-node.ts';
import { readConfig } from '../../src/config.ts';
import { typed } from '../node/erasure/support.ts';
import { serverProcess } from '../support/server-process.ts';
import { startSite } from '../support/site.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const given = {
  SITE_URL: 'https://vellum.example',
  SITE_NAME: 'The Daily Vellum',
  SITE_DESCRIPTION: 'Skin deep',
  SITE_TIMEZONE: 'Asia/Kathmandu',
  PAGE_TEMPLATES: 'wide',
  MENU_LOCATIONS: 'header=The head',
};

/** Starts on a data directory with only these settings. Returns the site, its events and the changed settings. */
async function started(directory: string, env: Record<string, string>) {
  const node = await openNode(readConfig({ ...env, DATA_DIR: directory }));
  const { configuredUrl: _, ...site } = node.store.reader.site();
  const types = [...node.log.read()].map(({ type }) => type);
  const changed = node.changedSettings;
  await node.close();
  return { site, types, changed };
}

describe('settings of the site', () => {
  it('keep the log’s values when a start does not set them, and such a start writes nothing', async () => {
    const directory = temporaryDirectory();
    const first = await started(directory, given);
    expect(first.site).toMatchObject({ url: 'https://vellum.example', name: 'The Daily Vellum', templates: ['wide'] });
    expect(await started(directory, {})).toEqual({ ...first, changed: [] });
  });

  it('default to the name Palimpsest and UTC', async () => {
    const { site } = await started(temporaryDirectory(), {});
    expect(site).toMatchObject({ name: 'Palimpsest', description: '', timezone: 'UTC', templates: ['page-no-title'] });
  });

  it('change individually, and each change is reported with the previous value', async () => {
    const directory = temporaryDirectory();
    const { site } = await started(directory, given);
    const { site: then, changed } = await started(directory, { SITE_TIMEZONE: 'UTC', SITE_DESCRIPTION: ' ' });
    expect(then).toEqual({ ...site, timezone: 'UTC', description: '' });
    expect(changed).toEqual([
      { name: 'description', was: 'Skin deep', is: '' },
      { name: 'timezone', was: 'Asia/Kathmandu', is: 'UTC' },
    ]);
  });

  it('keep an address switched to https when only the name changes', async () => {
    const env: Record<string, string> = { SITE_URL: 'http://vellum.example', SITE_NAME: 'One' };
    const site = await startSite({ env });
    await typed(site.node, 'tools set', { tool: 'force_https', state: 'on' });
    env['SITE_NAME'] = 'Two';
    await site.restart();
    expect(site.node.store.reader.site()).toMatchObject({ url: 'https://vellum.example', name: 'Two' });
    await site.close();
  });

  it('derive the address from host and port again if it was derived before', async () => {
    const directory = temporaryDirectory();
    await started(directory, { PORT: '8080' });
    const { site, changed } = await started(directory, { PORT: '9000' });
    expect(site.url).toBe('http://localhost:9000');
    expect(changed).toEqual([{ name: 'url', was: 'http://localhost:8080', is: 'http://localhost:9000' }]);
  });

  it('that differ are printed at the start, one line each', async () => {
    const directory = temporaryDirectory();
    await started(directory, given);
    const server = await serverProcess(directory, { SITE_NAME: 'Parchment Weekly' });
    onTestFinished(() => server.stop());
    await server.start();
    await expect.poll(server.output).toContain('SITE_NAME: was The Daily Vellum, is Parchment Weekly\n');
    expect(server.output()).toContain('https://vellum.example/cms-json/');
    expect(server.output().match(/: was /g)).toHaveLength(1);
  });
});
