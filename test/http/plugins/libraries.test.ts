import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostStyled } from '#domain/plugins/block-styles/area.ts';
import { iconLibrary, mostDrawn } from '#domain/plugins/icons/area.ts';
import { admin } from '../../support/node.ts';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startPluginSite('B');
});
afterAll(() => site.close());

const post = (path: string, body: unknown) => callPlugin(site, 'contributor', `POST /builder/${path}`, body);
const get = async (path: string, of: Site = site) =>
  (await callPlugin(of, 'contributor', `GET /builder/v2/${path}`)).body;

describe('a library that is sent as one', () => {
  it('takes icons until it is full, and then smaller ones and other places still', async () => {
    const icon = (text: string) => `<svg><title>${text}</title></svg>`;
    const big = icon('x'.repeat(60_000));
    const most = Math.floor(mostDrawn / (big.length + 6));
    await site.node.store.submit(admin, (session) => {
      const saved = Array.from({ length: most }, (_, n) => ({ key: `icon-${n}`.padEnd(7), name: '', icon: big }));
      session.stage(
        iconLibrary.stream,
        saved.map((data) => ({ type: 'IconSaved', data })),
      );
    });
    const save = async (key: string, drawing: string) =>
      (await post('v3/update_icon_library', { key, icon: drawing })).body;
    const answer = await save('one too many', big);
    expect(answer.data).toMatchObject({ status: 400, details: { icon: { code: 'invalid_param' } } });
    expect((await save('icon-0 ', icon('small')))[0].icon).toBe(icon('small'));
    expect(await save('another', big)).toHaveLength(most + 1);
    expect((await post('v3/sort_icon_library', { oldIndex: most })).body[0].key).toBe('another');
    expect((await post('v3/delete_from_icon_library', { key: 'another' })).body).toHaveLength(most);
  });

  it('takes styles until it is full', async () => {
    const save = async (slug: string, text: string) =>
      (await post('v2/update_block_style', { block: 'b', slug, data: text, name: text, save: text })).body;
    const [big, most] = ['x'.repeat(256 * 1024), Math.floor(mostStyled / (3 * 256 * 1024 + 4))];
    for (let n = 0; n < most; n++) expect(await save(`s-${n}`, big)).toBe(true);
    expect((await save('one too many', big)).data).toMatchObject({
      ...{ status: 400, details: { data: { code: 'invalid_param' } } },
    });
    expect((await get('design_library')).block_styles[0].styles).toHaveLength(most);
    expect(await save('s-0', '')).toBe(true);
    expect(await save('another', big)).toBe(true);
  });
});

describe('the library of designs', () => {
  const shown = { description: expect.any(String), category: expect.any(String), plan: 'free' };

  it('lists what each design is and where it is, which tells its content as well', async () => {
    const { v3 } = await get('design_library');
    expect(Object.keys(v3).length).toBeGreaterThan(3);
    for (const [designId, design] of Object.entries(v3)) {
      const template = `http://site.example/cms-json/builder/v2/design/v3/${designId}`;
      expect(design).toEqual({ ...shown, designId, label: expect.any(String), image: expect.any(String), template });
      expect(await get(`design/any-version/${designId}`)).toEqual({
        ...(design as object),
        content: expect.any(String),
      });
    }
  });

  it('is put together anew by whoever asks for that, in whichever way', async () => {
    const revision = async (query = '') => (await get(`design_library${query}`)).revision;
    const before = await revision();
    for (const query of ['/reset', '?reset=1', '?reset=reset', '?reset=true']) await revision(query);
    for (const query of ['/reset?reset=', '?reset=', '?reset=0', '?reset=false', '']) await revision(query);
    expect(await revision()).toBe(before + 4);
  });

  it('offers no pages where the operator does not want that', async () => {
    const own = await startPluginSite('B', { designDevMode: false });
    const page = await own.make('editor', '/pages', { title: 'Landing', content: 'c', status: 'publish' });
    const on = { devmode: true };
    const { body } = await callPlugin(own, 'contributor', 'POST /builder/v2/design_library_dev_mode', on);
    expect(body).toBe(true);
    expect(Object.keys((await get('design_library', own)).v3)).toContain('hero-1');
    expect((await get(`design/v3/page-${page}`, own)).code).toBe('builder_design_not_found');
    await own.close();
  });
});
