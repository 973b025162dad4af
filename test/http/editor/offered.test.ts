import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blockTypes } from '#blocks/block-types/all.ts';
import { cleanIcon } from '#text/svg.ts';
import { refusal } from '../../support/history.ts';
import { openShop } from '../../support/shop.ts';
import { type As, BASE, type Site, startSite } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const get = async (path: string, as: As = 'administrator') => (await site.call(as, `GET ${path}`)).body;
const refused = async (as: As, request: string) => refusal(await site.call(as, request));

describe('types of blocks', () => {
  it('are listed, all or by namespace', async () => {
    const all = await get('/block-types', 'contributor');
    expect(all.map(({ name }: { name: string }) => name)).toEqual([...blockTypes.keys()]);
    expect(await get('/block-types/core')).toHaveLength(all.length);
    expect(await get('/block-types?namespace=other')).toEqual([]);
    expect(await get('/block-types/other')).toEqual([]);
    expect(await refused('subscriber', 'GET /block-types')).toEqual([403, 'rest_block_type_cannot_view']);
  });

  it('describe the attributes, nesting and styles of blocks', async () => {
    expect(await get('/block-types/core/list-item')).toMatchObject({
      ...{ name: 'core/list-item', title: 'List Item', category: 'text', api_version: 3, is_dynamic: false },
      ...{ parent: ['core/list'], ancestor: null, icon: null, keywords: [] },
      attributes: { content: { type: 'rich-text' }, lock: { type: 'object' }, className: { type: 'string' } },
      _links: {
        self: [{ href: `${BASE}/block-types/core/list-item` }],
        up: [{ href: `${BASE}/block-types/core` }],
        collection: [{ href: `${BASE}/block-types` }],
      },
    });
    const archives = await get('/block-types/core/archives');
    expect(archives).toMatchObject({
      ...{ is_dynamic: true, category: 'widgets', supports: { html: false } },
      attributes: { type: { type: 'string', default: 'monthly' }, showPostCounts: { type: 'boolean', default: false } },
    });
    expect((await get('/block-types/core/image')).styles).toEqual([
      { name: 'default', label: 'Default', isDefault: true },
      { name: 'rounded', label: 'Rounded' },
    ]);
  });

  it('are case-sensitive, and refused to anonymous requests before they are looked up', async () => {
    expect(await refused('contributor', 'GET /block-types/core/Archives')).toEqual([404, 'rest_block_type_invalid']);
    expect(await refused('anonymous', 'GET /block-types/core/none')).toEqual([401, 'rest_block_type_cannot_view']);
  });
});

describe('icons', () => {
  it('are listed, found and shown by name', async () => {
    const all: { name: string; content: string }[] = await get('/icons', 'contributor');
    const names = all.map(({ name }) => name);
    for (const name of ['star-filled', 'star-empty', 'arrow-right', 'check', 'close', 'menu', 'search', 'home']) {
      expect(names).toContain(`core/${name}`);
    }
    expect(all.every(({ content }) => cleanIcon(content) === content)).toBe(true);
    expect(await get('/icons/core')).toEqual(all);
    expect(((await get('/icons?search=Star')) as { label: string }[]).map(({ label }) => label)).toEqual([
      ...['Star Empty', 'Star Filled', 'Star Half'],
    ]);
    expect(await get('/icons/core/heart')).toEqual({
      ...{ name: 'core/heart', label: 'Heart', collection: 'core' },
      content: expect.stringMatching(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 24 24">.*<\/svg>$/),
    });
    expect(await get('/icon-collections')).toEqual([await get('/icon-collections/core')]);
  });

  it('are for writers, and unknown ones are not found', async () => {
    for (const path of ['/icons', '/icons/core', '/icons/core/heart', '/icon-collections', '/icon-collections/core']) {
      expect([path, await refused('anonymous', `GET ${path}`)]).toEqual([path, [401, 'rest_cannot_view']]);
    }
    expect(await refused('editor', 'GET /icons/core/none')).toEqual([404, 'rest_icon_not_found']);
    for (const path of ['/icons/none', '/icon-collections/none']) {
      expect(await refused('editor', `GET ${path}`)).toEqual([404, 'rest_icon_collection_not_found']);
    }
  });
});

describe('features that the server does not have', () => {
  it.each(['/block-patterns/patterns', '/block-patterns/categories', '/pattern-directory/patterns?search=x'])(
    'are empty lists for contributors: %s',
    async (path) => {
      expect(await get(path, 'contributor')).toEqual([]);
      expect((await site.call('subscriber', `GET ${path}`)).status).toBe(403);
    },
  );

  it.each([
    ['/sidebars', 'rest_cannot_manage_widgets', '/sidebars/side', 'rest_sidebar_not_found'],
    ['/widgets', 'rest_cannot_manage_widgets', '/widgets/text-2', 'rest_widget_not_found'],
    ['/widget-types', 'rest_cannot_manage_widgets', '/widget-types/text', 'rest_widget_type_invalid'],
    ['/font-families', 'rest_cannot_read', '/font-families/9', 'rest_post_invalid_id'],
    ['/font-collections', 'rest_cannot_read', '/font-collections/any', 'rest_font_collection_not_found'],
  ])('are empty lists for administrators: %s', async (list, denied, item, missing) => {
    expect(await get(list)).toEqual([]);
    expect(await refused('editor', `GET ${list}`)).toEqual([403, denied]);
    expect(await refused('anonymous', `GET ${item}`)).toEqual([401, denied]);
    expect(await refused('administrator', `GET ${item}`)).toEqual([404, missing]);
  });

  it.each(['/widget-types/any', '/font-families/9', '/plugins/none'])('allow nothing: %s', async (path) => {
    const { status, headers } = await site.call('administrator', `GET ${path}`);
    expect([status, headers.get('allow')]).toEqual([404, null]);
  });

  it('cannot be created', async () => {
    expect(await refused('administrator', 'POST /font-families')).toEqual([403, 'rest_cannot_create']);
    expect(await refused('administrator', 'POST /widgets')).toEqual([400, 'rest_invalid_widget']);
    expect(await refused('administrator', 'POST /plugins?slug=x')).toEqual([403, 'rest_cannot_install_plugin']);
    const { headers } = await site.call('administrator', 'OPTIONS /font-families');
    expect(headers.get('allow')).toBe('GET');
  });
});

describe('plugins', () => {
  it('are listed with whether they are active', async () => {
    const shop = '/plugins/shop/shop';
    expect(await get(shop)).toMatchObject({ plugin: 'shop/shop', status: 'inactive', network_only: false });
    expect(await get('/plugins?status=inactive')).toHaveLength(1);
    await openShop(site);
    expect(await get(shop)).toMatchObject({ status: 'active' });
    expect(await get('/plugins?search=ONBOARD')).toMatchObject([{ name: 'Onboarding' }]);
    expect(await refused('administrator', 'GET /plugins/none')).toEqual([404, 'rest_plugin_not_found']);
    expect(await refused('editor', 'GET /plugins')).toEqual([403, 'rest_cannot_view_plugins']);
  });
});
