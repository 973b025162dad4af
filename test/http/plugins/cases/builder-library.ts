import { expect } from 'vitest';
import { callPlugin } from '../../../support/plugins.ts';
import type { Site } from '../../../support/site.ts';
import { type Case, invalid, pageAt } from './case.ts';

const root = '/builder/v2';
const call = (site: Site, request: string, body?: unknown) => callPlugin(site, 'contributor', request, body);
const library = async (site: Site) => (await call(site, `GET ${root}/design_library`)).body;
const optional = { required: false };

/** Routes of builder/v2. */
export const libraryCases: readonly Case[] = [
  {
    route: `GET ${root}/design_library(?:/(?P<reset>reset))?`,
    request: `GET ${root}/design_library`,
    lowest: 'contributor',
    stores: true,
    args: { reset: optional },
    wrong: { body: { 'reset[]': 'reset' }, answer: invalid },
    async effect(site) {
      const { v3, revision } = await library(site);
      expect(v3['hero-1']).toEqual({
        ...{ designId: 'hero-1', label: 'Hero', description: expect.any(String), category: 'Hero', image: '' },
        plan: 'free',
        template: `http://site.example/cms-json${root}/design/v3/hero-1`,
      });
      expect((await call(site, `GET ${root}/design_library/reset`)).body.revision).toBe(revision + 1);
      expect((await call(site, `GET ${root}/design_library?reset=0`)).body.revision).toBe(revision + 1);
      expect(await library(site)).toMatchObject({ revision: revision + 1 });
    },
    async seen(site) {
      const { text } = await pageAt(site, '/cms-audit/?what=DesignLibraryReset');
      expect(text).toContain('<code>DesignLibraryReset</code>');
    },
  },
  {
    route: `GET ${root}/design/(?P<version>[\\w\\d-]*)/(?P<design>[\\w\\d-]+)`,
    request: `GET ${root}/design//hero-1`,
    lowest: 'contributor',
    stores: false,
    async effect(site) {
      const { body } = await call(site, `GET ${root}/design/v3/hero-1`);
      expect(body.content).toContain('<!-- wp:heading');
      expect((await call(site, `GET ${root}/design//hero-1`)).body).toEqual(body);
      const unknown = await call(site, `GET ${root}/design/v3/__proto__`);
      expect([unknown.status, unknown.body.code]).toEqual([404, 'builder_design_not_found']);
    },
  },
  {
    route: `POST ${root}/design_library_dev_mode`,
    lowest: 'contributor',
    stores: true,
    args: { devmode: optional },
    body: {},
    wrong: { body: { devmode: 'true' }, answer: invalid },
    async effect(site) {
      const page = (title: string, more: object = {}) =>
        site.make('editor', '/pages', { title, content: 'Words', status: 'publish', ...more });
      const parent = await page('Landing');
      const child = await page('Start', { parent });
      const hidden = await page('Hidden', { password: 'p' });
      expect((await call(site, `POST ${root}/design_library_dev_mode`, { devmode: true })).body).toBe(true);
      const { v3 } = await library(site);
      expect([v3[`page-${parent}`].category, v3[`page-${child}`].category]).toEqual(['Pages', 'Landing']);
      expect(v3[`page-${hidden}`]).toBeUndefined();
      expect((await call(site, `GET ${root}/design/v3/page-${child}`)).body.content).toBe('Words');
      expect((await call(site, `GET ${root}/design/v3/page-${hidden}`)).status).toBe(404);
      await call(site, `POST ${root}/design_library_dev_mode`, { devmode: false });
      expect((await library(site)).v3['hero-1']).toBeDefined();
    },
    async seen(site) {
      await call(site, `POST ${root}/design_library_dev_mode`, { devmode: true });
      expect(Object.keys((await library(site)).v3)[0]).toMatch(/^page-/);
      await call(site, `POST ${root}/design_library_dev_mode`, { devmode: false });
    },
  },
  {
    route: `POST ${root}/update_block_style`,
    lowest: 'contributor',
    stores: true,
    args: { block: optional, slug: optional, name: optional, data: optional, save: optional },
    body: { block: 'builder/text' },
    missing: { body: {}, answer: invalid },
    wrong: { body: { block: 'builder/text', data: {} }, answer: invalid },
    async effect(site) {
      const save = (body: object) => call(site, `POST ${root}/update_block_style`, body);
      const styles = async () =>
        (await library(site)).block_styles.find(({ block }: { block: string }) => block === 'builder/heading')?.styles;
      expect((await save({ block: 'builder/heading', slug: 'wide', name: 'Wide', data: '{}' })).body).toBe(true);
      await save({ block: 'builder/heading', name: 'Usual' });
      await save({ block: 'builder/heading', slug: 'wide', name: 'Wider', data: '{}', save: 's' });
      const position = site.position();
      await save({ block: 'builder/heading', slug: 'wide', name: 'Wider', data: '{}', save: 's' });
      expect(site.position()).toBe(position);
      expect(await styles()).toEqual([
        { slug: 'wide', name: 'Wider', data: '{}', save: 's' },
        { slug: 'default', name: 'Usual', data: '', save: '' },
      ]);
      const long = await save({ block: 'builder/heading', data: 'x'.repeat(256 * 1024 + 1) });
      expect(long.body.data.details.data.code).toBe('invalid_param');
    },
    async seen(site) {
      expect(JSON.stringify((await library(site)).block_styles)).toContain('Wider');
    },
  },
  {
    route: `POST ${root}/delete_block_style`,
    lowest: 'contributor',
    stores: true,
    args: { block: optional, slug: optional },
    body: { block: 'builder/text' },
    missing: { body: { slug: 'x' }, answer: invalid },
    wrong: { body: { block: 7 }, answer: invalid },
    async effect(site) {
      await call(site, `POST ${root}/update_block_style`, { block: 'builder/row', slug: 'a' });
      const remove = () => call(site, `POST ${root}/delete_block_style`, { block: 'builder/row', slug: 'a' });
      expect((await remove()).body).toBe(true);
      expect((await library(site)).block_styles.map(({ block }: { block: string }) => block)).not.toContain(
        'builder/row',
      );
      const position = site.position();
      expect((await remove()).body).toBe(true);
      expect(site.position()).toBe(position);
    },
    async seen(site) {
      expect(JSON.stringify((await library(site)).block_styles)).not.toContain('builder/row');
    },
  },
];
