import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const block = (name: string, attributes: object = {}, inner?: string): string => {
  const head = `wp:${name} ${JSON.stringify(attributes)}`;
  return inner === undefined ? `<!-- ${head} /-->` : `<!-- ${head} -->${inner}<!-- /wp:${name} -->`;
};
const link = (label: string, more: object = {}): string =>
  block('navigation-link', { label, url: `/${label}`, ...more });

async function shown(content: string): Promise<string> {
  const id = await site.make('editor', '/posts', { title: 'Shows a menu', content, status: 'publish' });
  return (await site.call('anonymous', `GET /posts/${id}`)).body.content.rendered;
}

describe('the navigation block', () => {
  it('shows a published navigation under its name, numbered from the second time on', async () => {
    const menu = { title: 'Main', content: link('one'), status: 'publish' };
    const ref = await site.make('administrator', '/navigation', menu);
    const use = block('navigation', { ref, overlayMenu: 'never' });
    const html = await shown(use + use);
    expect(html).toContain('aria-label="Main"');
    expect(html).toContain('aria-label="Main 2"');
    expect(html).toContain('<span class="wp-block-navigation-item__label">one</span>');
    await site.call('administrator', `PUT /navigation/${ref}`, { status: 'draft' });
    expect(await shown(use)).toBe(
      '<nav class="wp-block-navigation is-layout-flex wp-block-navigation-is-layout-flex"></nav>',
    );
  });

  it('shows a page list as its own items', async () => {
    const top = await site.make('editor', '/pages', { title: 'Top', status: 'publish' });
    const parent = await site.make('editor', '/pages', { title: 'Over <b>it</b>', status: 'publish', parent: top });
    await site.make('editor', '/pages', { title: 'Under', status: 'publish', parent });
    const list = block('page-list', { parentPageID: top });
    const colours = { overlayMenu: 'never', overlayTextColor: 'accent', customOverlayBackgroundColor: '#111' };
    const html = await shown(block('navigation', colours, list));
    expect(html).toContain('<ul class="wp-block-page-list"><li');
    expect(html).toContain(
      'class="wp-block-pages-list__item has-child wp-block-navigation-item open-on-hover-click"><a class="wp-block-pages-list__item__link wp-block-navigation-item__content" href="http://site.example/top/over-it/">Over <b>it</b></a><button',
    );
    expect(html).toContain('aria-label="Over it submenu"');
    expect(html).toMatch(
      /<li class="wp-block-pages-list__item wp-block-navigation-item open-on-hover-click has-text-color has-accent-color has-background" style="background-color: #111;"><a[^>]*>Under</,
    );
    const onClick = await shown(block('navigation', { overlayMenu: 'never', openSubmenusOnClick: true }, list));
    expect(onClick).toContain('has-child wp-block-navigation-item open-on-click"');
    expect(onClick).toMatch(
      /<button [^>]*class=" wp-block-navigation-item__content wp-block-navigation-submenu__toggle"/,
    );
    for (const id of [parent, top]) await site.call('editor', `DELETE /pages/${id}?force=true`);
  });

  it('shows nothing when it contains itself', async () => {
    const ref = await site.make('administrator', '/navigation', { title: 'Loop', content: 'x', status: 'publish' });
    await site.call('administrator', `PUT /navigation/${ref}`, { content: block('navigation', { ref }) + link('a') });
    expect(await shown(block('navigation', { ref }))).toBe('');
    await site.call('administrator', `DELETE /navigation/${ref}?force=true`);
  });

  it('passes colours to its items, which have its font size already', async () => {
    const html = await shown(
      block(
        'navigation',
        {
          ...{ overlayMenu: 'never', textColor: 'base', fontSize: 'large', overlayBackgroundColor: 'contrast' },
          layout: { type: 'flex', justifyContent: 'right', flexWrap: 'nowrap' },
        },
        block('navigation-submenu', { label: 'More' }, link('below')) + block('home-link'),
      ),
    );
    expect(html).toContain('has-text-color has-base-color has-large-font-size items-justified-right no-wrap');
    expect(html).toContain('<li class="has-text-color has-base-color wp-block-navigation-item wp-block-home-link">');
    expect(html).toContain(
      'class="wp-block-navigation__submenu-container has-background has-contrast-background-color',
    );
  });

  it('has social links in an item of the list', async () => {
    const links = block('social-links', {}, '<ul class="wp-block-social-links"></ul>');
    expect(await shown(block('navigation', { overlayMenu: 'never' }, links))).toMatch(
      /<ul class="wp-block-navigation__container[^>]*><li class="wp-block-navigation-item"><ul class="wp-block-social-links[^>]*><\/ul><\/li><\/ul>/,
    );
  });

  it('opens submenus by a button when it is configured so', async () => {
    const submenu = block('navigation-submenu', { label: '<b>More</b>' }, link('below'));
    const html = await shown(block('navigation', { overlayMenu: 'never', openSubmenusOnClick: true }, submenu));
    expect(html).toContain('has-child open-on-click wp-block-navigation-submenu');
    expect(html).not.toContain('openMenuOnHover');
    expect(html).toMatch(
      /<button [^>]*aria-label="More submenu" class="wp-block-navigation-item__content wp-block-navigation-submenu__toggle" >/,
    );
    const still = await shown(block('navigation', { overlayMenu: 'never', showSubmenuIcon: false }, submenu));
    expect(still).not.toMatch(/data-wp-|<button/);
  });

  it('wraps some blocks in items, and puts others between its lists', async () => {
    const html = await shown(
      block('navigation', { overlayMenu: 'never' }, block('site-title') + block('search') + link('a')),
    );
    expect(html).toMatch(/<li class="wp-block-navigation-item"><h1[^>]*>.*<\/li><\/ul><form.*<\/form><ul [^>]*><li/);
  });

  it('has a numbered modal as overlay, with open and close buttons', async () => {
    const html = await shown(
      block('navigation', { overlayMenu: 'always', hasIcon: false, customOverlayTextColor: '#000' }, link('a')),
    );
    expect(html).toContain('class="wp-block-navigation__responsive-container hidden-by-default has-text-color"');
    expect(html).toContain('style="color: #000" id="modal-1"');
    expect(html).toContain('wp-block-navigation__responsive-container-open always-shown');
    expect(html).toContain('>Menu</button>');
  });
});
