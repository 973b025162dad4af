import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, SITE, type Site, startSite } from '../../support/site.ts';
import { pngOf } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { SITE_NAME: 'Fish & Chips' } });
});
afterAll(() => site.close());

const block = (name: string, attributes: object = {}): string => `<!-- wp:${name} ${JSON.stringify(attributes)} /-->`;

async function shown(content: string, as: As = 'anonymous'): Promise<string> {
  const id = await site.make('editor', '/posts', { title: 'Shows blocks', content, status: 'publish' });
  const { rendered } = (await site.call(as, `GET /posts/${id}`)).body.content;
  await site.call('editor', `DELETE /posts/${id}?force=true`);
  return rendered;
}

describe('site blocks', () => {
  it('show a date that a block has itself as it is stored, in UTC without a zone', async () => {
    await site.call('administrator', 'POST /settings', { timezone: 'Europe/Berlin' });
    const format = 'H:i';
    expect(await shown(block('post-date', { datetime: '2021-01-02T05:05:06', format }))).toContain(
      '<time datetime="2021-01-02T05:05:06">06:05</time>',
    );
    expect(await shown(block('post-date', { datetime: '2021-01-02T05:05:06+02:00', format }))).toContain(
      '<time datetime="2021-01-02T05:05:06+02:00">04:05</time>',
    );
  });

  it('show nothing of patterns and parts of templates that are not known', async () => {
    for (const name of ['pattern', 'template-part']) {
      const inner = `<!-- wp:${name} {"slug":"none"} --><p>Inside</p><!-- /wp:${name} -->`;
      expect([name, await shown(inner), await shown(block(name, { slug: 'none' }))]).toEqual([name, '', '']);
    }
  });

  it('count weeks from any day that the settings name', async () => {
    const id = await site.make('editor', '/posts', { title: 'Dated', status: 'publish' });
    const weeks = block('calendar') + block('archives', { type: 'weekly' });
    const from = async (day: number) => {
      await site.call('administrator', 'POST /settings', { start_of_week: day });
      return (await shown(weeks)).replaceAll(/\?m=[^']*|wp-[a-z-]*[0-9a-f]+/g, '');
    };
    expect(await from(100)).toBe(await from(2));
    await site.call('administrator', 'POST /settings', { start_of_week: 1 });
    await site.call('editor', `DELETE /posts/${id}?force=true`);
  });

  it('list as many posts as the site shows on a page, all if it says so', async () => {
    await site.call('administrator', 'POST /settings', { posts_per_page: -1 });
    const template = '<!-- wp:post-template --><!-- wp:post-title /--><!-- /wp:post-template -->';
    const list = `<!-- wp:query {"query":{"postType":"post"}} --><div>${template}</div><!-- /wp:query -->`;
    const id = await site.make('editor', '/posts', { title: 'Listed', status: 'publish' });
    expect(await shown(list)).toContain('Listed');
    await site.call('editor', `DELETE /posts/${id}?force=true`);
    await site.call('administrator', 'POST /settings', { posts_per_page: 10 });
  });

  it('show icons, with a label or as decoration', async () => {
    const star = await shown(block('icon', { icon: 'core/star-filled', style: { dimensions: { width: '2em' } } }));
    expect(star).toMatch(
      /^<div class="wp-block-icon"><svg style="width:2em;" aria-hidden="true" focusable="false" xmlns="[^"]+" viewBox="0 0 24 24"><path fill="currentColor" d="M12 [^"]+"\/><\/svg><\/div>$/,
    );
    expect(await shown(block('icon', { icon: 'core/check', ariaLabel: 'Done "so"' }))).toContain(
      '<svg role="img" aria-label="Done &quot;so&quot;" ',
    );
    expect([await shown(block('icon', { icon: 'core/none' })), await shown(block('icon'))]).toEqual(['', '']);
  });

  it('show name and tagline of the site, and link home', async () => {
    const admin = (body: object) => site.call('administrator', 'POST /settings', body);
    await admin({ description: 'About it' });
    expect(await shown(block('site-title', { level: 2, textAlign: 'center' }))).toBe(
      `<h2 class="has-text-align-center wp-block-site-title"><a href="${SITE}" target="_self" rel="home">Fish &amp; Chips</a></h2>`,
    );
    expect(await shown(block('site-tagline', { level: 3 }))).toBe('<h3 class="wp-block-site-tagline">About it</h3>');
    await admin({ description: '' });
    expect(await shown(block('site-tagline'))).toBe('');
  });

  it('are up to date in cached answers', async () => {
    const id = await site.make('editor', '/posts', { title: 'T', content: block('site-tagline'), status: 'publish' });
    const read = async () => (await site.call('anonymous', `GET /posts/${id}`)).body.content.rendered;
    await site.call('administrator', 'POST /settings', { description: 'First' });
    expect(await read()).toContain('First');
    await site.call('administrator', 'POST /settings', { description: 'Second' });
    expect(await read()).toContain('Second');
  });

  it('show the logo in the requested width, once there is one', async () => {
    expect(await shown(block('site-logo'))).toBe('');
    const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="logo.png"' };
    const { id, source_url } = (await site.call('editor', 'POST /media', pngOf(40, 20), { headers })).body;
    await site.call('administrator', 'POST /settings', { site_logo: id });
    expect(await shown(block('site-logo', { width: 20 }))).toContain(
      `<div class="wp-block-site-logo"><a href="${SITE}/" class="custom-logo-link" rel="home"><img`,
    );
    const plain = await shown(block('site-logo', { isLink: false }));
    expect(plain).toContain('<div class="is-default-size wp-block-site-logo"><img');
    expect(plain).toContain(`width="40" height="20" src="${source_url}" class="custom-logo" alt="Fish &amp; Chips"`);
  });
});

describe('the search block', () => {
  it('puts styles on the parts they belong to', async () => {
    const html = await shown(
      block('search', {
        label: '',
        width: 75,
        widthUnit: '%',
        buttonPosition: 'button-inside',
        borderColor: 'base',
        backgroundColor: 'contrast',
        fontSize: 'large',
        style: { border: { radius: '2px', width: '1px' }, typography: { textDecoration: 'underline' } },
      }),
    );
    expect(html).toContain('<label class="wp-block-search__label screen-reader-text" for="wp-block-search__input-1"');
    expect(html).toContain('class="wp-block-search__inside-wrapper has-border-color has-base-border-color"');
    expect(html).toContain('style="width: 75%;border-width: 1px;border-radius: calc(2px + 4px)"');
    expect(html).toContain(
      'class="wp-block-search__button has-background has-contrast-background-color has-large-font-size',
    );
    expect(html).toContain('style="border-radius: 2px;text-decoration: underline">Search</button>');
  });

  it('hides its field behind the button in button-only mode', async () => {
    const html = await shown(block('search', { buttonPosition: 'button-only', buttonUseIcon: true }));
    expect(html).toContain('data-wp-interactive="core/search"');
    expect(html).toContain('<input aria-hidden="true" class="wp-block-search__input"');
    expect(html).toContain('aria-label="Expand search field"');
  });

  it('escapes its texts', async () => {
    const text = '<img src=x onerror=alert(1)>';
    const html = await shown(block('search', { label: text, buttonText: text, placeholder: '"><script>' }));
    expect(html).not.toMatch(/onerror|<script/);
  });
});

describe('social links', () => {
  const link = (attributes: object, of: object = {}) =>
    shown(
      `<!-- wp:social-links ${JSON.stringify(of)} --><ul>${block('social-link', attributes)}</ul><!-- /wp:social-links -->`,
    );

  it.each([
    ['example.org/me', 'https://example.org/me'],
    ['//example.org', '//example.org'],
    ['#here', '#here'],
    ['me@example.org', 'mailto:me@example.org'],
    ['javascript:alert(1)', ''],
  ])('to %s lead to %j', async (url, address) => {
    expect(await link({ url, service: 'feed' })).toContain(`<a href="${address}" class="wp-block-social-link-anchor">`);
  });

  it('show icon and name of the service, and may open a new tab', async () => {
    const html = await link(
      { url: 'https://example.org/', service: 'github' },
      { openInNewTab: true, showLabels: true },
    );
    expect(html).toContain('<a rel="noopener nofollow" target="_blank" href=');
    expect(html).toContain('<span class="wp-block-social-link-label">GitHub</span>');
    expect(html).toMatch(/<path d="[^"]{50,}">/);
  });
});

describe('the login block', () => {
  it('links to the login for visitors, and to the logout for users', async () => {
    expect(await shown(block('loginout'))).toMatch(/^<div class="logged-out wp-block-loginout"><a [^>]*>Log in<\/a>/);
    expect(await shown(block('loginout'), 'editor')).toMatch(
      /^<div class="logged-in wp-block-loginout"><a [^>]*>Log out/,
    );
  });
});

describe('the avatar block', () => {
  it('shows the author, or the given user', async () => {
    const html = await shown(block('avatar', { size: 30, isLink: true, linkTarget: '_blank' }));
    expect(html).toContain(
      `<a href="${SITE}/author/editor/" target="_blank" aria-label="(editor author archive, opens in a new tab)"`,
    );
    expect(html).toContain("class='avatar avatar-30 photo wp-block-avatar__image' height='30' width='30'");
    expect(await shown(block('avatar', { userId: 3 }))).toContain("alt='author Avatar'");
    expect(await shown(block('avatar', { userId: 999 }))).toBe('');
  });
});

describe('the calendar block', () => {
  it('shows the month of the latest post, with links to days with posts and to the previous month', async () => {
    await site.make('editor', '/posts', { title: 'Old', content: 'x', status: 'publish', date: '2025-11-20T10:00:00' });
    const html = await shown(block('calendar'));
    expect(html).toContain('<caption>March 2026</caption>');
    expect(html).toContain(`<a href="${SITE}/2026/03/01/" aria-label="Posts published on March 1, 2026">1</a>`);
    expect(html).toContain('<td colspan="6" class="pad">&nbsp;</td>');
    expect(html).toContain(`<a href="${SITE}/2025/11/">&laquo; Nov</a>`);
    expect(html.match(/<td>/g)).toHaveLength(31);
  });
});
