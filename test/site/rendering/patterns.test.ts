import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const block = (name: string, attributes: object, inner?: string): string => {
  const head = `wp:${name} ${JSON.stringify(attributes)}`;
  return inner === undefined ? `<!-- ${head} /-->` : `<!-- ${head} -->${inner}<!-- /wp:${name} -->`;
};
const source = { source: 'core/pattern-overrides' };
const bound = (name: string, bindings: object = { __default: source }) => ({ metadata: { name, bindings } });

async function shown(pattern: string, content?: object): Promise<string> {
  const ref = await site.make('editor', '/blocks', { title: 'Pattern', content: pattern, status: 'publish' });
  const use = block('block', { ref, ...(content === undefined ? {} : { content }) });
  const id = await site.make('editor', '/posts', { title: 'Uses it', content: use, status: 'publish' });
  return (await site.call('anonymous', `GET /posts/${id}`)).body.content.rendered;
}

const button = (attributes: object) =>
  block(
    'button',
    attributes,
    '<div class="wp-block-button"><a class="wp-block-button__link" href="/old">Old</a></div>',
  );
const picture = (attributes: object) =>
  block(
    'image',
    attributes,
    '<figure class="wp-block-image"><img src="old.png" alt=""/><figcaption>Old</figcaption></figure>',
  );

describe('pattern overrides of a post', () => {
  it('replace texts, without disallowed markup', async () => {
    const pattern =
      block('paragraph', bound('Intro'), '<p class="k">Old <em>words</em></p>') +
      block('heading', bound('Head', { content: source }), '<h2>Old</h2>');
    const content = { Intro: { content: 'New <strong>words</strong><script>x</script>' }, Head: { content: 'A & B' } };
    expect(await shown(pattern, content)).toBe(
      '<p class="k wp-block-paragraph">New <strong>words</strong>x</p><h2 class="wp-block-heading">A &amp; B</h2>',
    );
    expect(await shown(pattern)).toContain('Old <em>words</em>');
  });

  it('apply only to bound blocks for which the post has content', async () => {
    const pattern =
      block('paragraph', bound('Free'), '<p>Free</p>') +
      block('paragraph', { metadata: { name: 'Fixed' } }, '<p>Fixed</p>') +
      block('paragraph', bound('Meta', { content: { source: 'core/post-meta' } }), '<p>Meta</p>');
    const content = { Fixed: { content: 'x' }, Meta: { content: 'x' }, Other: { content: 'x' }, Free: { url: 'x' } };
    const text = (word: string) => `<p class="wp-block-paragraph">${word}</p>`;
    expect(await shown(pattern, content)).toBe(text('Free') + text('Fixed') + text('Meta'));
  });

  it('replace URLs, alternative texts and captions', async () => {
    const content = {
      Button: { text: 'Go <i>on</i>', url: 'https://e.example/?a=1&b=2', rel: 'me', linkTarget: '_blank' },
      Picture: { url: 'https://e.example/new.png', alt: 'A "new" one', title: 'T', caption: 'New <em>one</em>', id: 7 },
      Bad: { url: 'javascript:alert(1)' },
    };
    const html = await shown(button(bound('Button')) + picture(bound('Picture')) + button(bound('Bad')), content);
    expect(html).toMatch(/<a [^>]*href="https:\/\/e\.example\/\?a=1&#038;b=2">Go <i>on<\/i><\/a>/);
    expect(html).toMatch(/<a [^>]*rel="me"/);
    expect(html).toMatch(/<a [^>]*target="_blank"/);
    expect(html).toMatch(/<img [^>]*src="https:\/\/e\.example\/new\.png"/);
    expect(html).toMatch(/<img [^>]*alt="A &quot;new&quot; one"/);
    expect(html).toContain('<figcaption>New <em>one</em></figcaption>');
    expect(html).not.toContain('javascript');
  });

  it('are separate for each use of a pattern', async () => {
    const pattern = block('paragraph', bound('A'), '<p>Old</p>');
    const ref = await site.make('editor', '/blocks', { title: 'Twice', content: pattern, status: 'publish' });
    const use = (word: string) => block('block', { ref, content: { A: { content: word } } });
    const content = use('One') + use('Two') + block('block', { ref });
    const id = await site.make('author', '/posts', { title: 'Twice', content, status: 'publish' });
    const { body } = await site.call('anonymous', `GET /posts/${id}`);
    expect(body.content.rendered.match(/>(\w+)<\/p>/g)).toEqual(['>One</p>', '>Two</p>', '>Old</p>']);
  });
});
