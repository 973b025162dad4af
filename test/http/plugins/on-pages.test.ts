import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callback, callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { As, Site } from '../../support/site.ts';

let site: Site;
beforeEach(async () => {
  site = await startPluginSite('A');
});
afterEach(() => site.close());

const page = async (path: string) => (await fetch(`http://127.0.0.1:${site.port}${path}`)).text();
const style = (key: string, color: string) => ({ key, values: [{ selector: `.${key}`, styles: { color } }] });
const save = async (as: As, page_id: unknown, options: readonly object[]) =>
  (await callPlugin(site, as, 'POST /theme-blocks/v1/update-styles', { page_id, options })).body.status;

describe('styles of blocks', () => {
  it('count on the page that they were saved for, as long as it has the block', async () => {
    const content = '<p class="one">x</p>';
    const id = await site.make('author', '/posts', { title: 'Styled', content, status: 'publish' });
    await site.make('author', '/posts', { title: 'Other', content, status: 'publish' });
    expect(await save('author', id, [style('one', 'teal'), style('gone', 'navy')])).toBe('success');
    expect(await page('/styled/')).toContain('.content .one { color: teal; }');
    expect(await page('/styled/')).not.toContain('navy');
    expect(await page('/other/')).not.toContain('teal');
  });

  it('of templates count on every page of an item', async () => {
    await site.make('author', '/posts', { title: 'Any', status: 'publish' });
    expect(await save('administrator', 'template', [style('x', 'olive')])).toBe('success');
    expect(await page('/any/')).toContain('.content .x { color: olive; }');
  });

  it('are changed by those who may edit what they belong to', async () => {
    const own = await site.make('contributor', '/posts', { title: 'Mine' });
    const others = await site.make('administrator', '/pages', { title: 'Theirs', status: 'publish' });
    const tries = [own, others, 'template'].map((place) => save('contributor', place, [style('x', 'red')]));
    expect(await Promise.all(tries)).toEqual(['success', 'error', 'error']);
    expect(await save('editor', others, [style('x', 'red')])).toBe('success');
  });
});

describe('what a service made for a page', () => {
  const send = async (kind: 'ccss' | 'vpi', link: string, data: unknown) => {
    const items = [{ request_url: link, queue_k: `desktop ${link}`, [`data_${kind}`]: data }];
    return (await callback(site, `/cache/v1/notify_${kind}`, { data: items })).body.count;
  };

  it('is on it until the page changes: styles by the width that they are for', async () => {
    const id = await site.make('editor', '/posts', { title: 'Fast', content: 'x', status: 'publish' });
    await send('ccss', 'http://site.example/fast/', 'h1{color:plum}');
    expect(await page('/fast/')).toContain('@media (width >= 48rem) { h1{color:plum} }');
    await site.call('editor', `PUT /posts/${id}`, { content: 'y' });
    expect(await page('/fast/')).not.toContain('plum');
  });

  it('does nothing else than styles can do', async () => {
    await site.make('editor', '/posts', { title: 'Fast', content: 'x', status: 'publish' });
    for (const css of ['a{}</style><b>', 'a{', '} b{}', '/* none */', '@import "x";']) {
      await site.call('editor', 'PUT /posts/1', { content: css.length.toString() });
      expect(await send('ccss', 'http://site.example/fast/', css)).toBe(1);
      expect((await page('/fast/')).match(/<style>/g)).toHaveLength(1);
    }
  });

  it('lets images that are seen first be loaded first', async () => {
    const content = '<img src="http://a.example/1.png?a=1&amp;b=2" loading="lazy"><img src="http://a.example/2.png">';
    await site.make('editor', '/posts', { title: 'Pictures', content, status: 'publish' });
    await send('vpi', 'http://site.example/pictures/', [encodeURIComponent('http://a.example/1.png?a=1&b=2')]);
    const images = (await page('/pictures/')).match(/<img [^>]*a\.example[^>]*>/g) ?? [];
    expect(images.map((image) => [image.includes('fetchpriority="high"'), image.includes('lazy')])).toEqual([
      [true, false],
      [false, expect.anything()],
    ]);
  });
});

describe('a theme', () => {
  it('that is chosen is what the pages look like', async () => {
    const choose = (theme_slug: string) =>
      callPlugin(site, 'administrator', 'POST /host-easy-onboarding/v1/activate-theme', { theme_slug });
    expect(await page('/')).toContain('--width: 42rem');
    await choose('wide');
    expect(await page('/')).toContain('--width: 60rem');
    await callPlugin(site, 'administrator', 'POST /host-easy-onboarding/v1/install-ai-theme');
    await choose('host-ai-theme');
    expect(await page('/')).toContain('--font: Lora, Georgia, serif');
  });
});

describe('the network of the cache', () => {
  it('is on only while one is set up', async () => {
    const cdn = async () => (await callPlugin(site, 'administrator', 'GET /cache/v1/cloud')).body.cdn;
    const seen: boolean[] = [];
    for (const cloud_activated of ['cdn', 'linked', 'cdn', 'deleted']) {
      await callback(site, '/cache/v3/cdn_status', { cloud_activated });
      seen.push(await cdn());
    }
    expect(seen).toEqual([true, false, true, false]);
  });
});
