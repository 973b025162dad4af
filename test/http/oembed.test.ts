import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITE, type Site, startSite } from '../support/site.ts';

const EMBED = '/cms-json/oembed/1.0/embed';
const query = (params: Record<string, string | number>) =>
  new URLSearchParams(
    Object.entries(params).map(([name, value]) => [name, String(value)] as [string, string]),
  ).toString();

describe('the oEmbed description of an own URL', () => {
  let site: Site;
  let id: number;
  beforeAll(async () => {
    site = await startSite();
    const post = { title: 'Em & <em>bed</em>', content: 'Body', status: 'publish', slug: 'über' };
    id = await site.make('editor', '/posts', post);
  });
  afterAll(() => site.close());

  const describeIt = (params: Record<string, string | number>) =>
    site.call('anonymous', `GET ${EMBED}?${query(params)}`);

  it('contains provider, author, title and a frame', async () => {
    const { status, body } = await describeIt({ url: `${SITE}/uber/` });
    const { html, ...rest } = body;
    expect([status, rest]).toEqual([
      200,
      {
        version: '1.0',
        provider_name: 'Palimpsest',
        provider_url: SITE,
        author_name: 'editor',
        author_url: `${SITE}/author/editor/`,
        title: 'Em &#038; <em>bed</em>',
        type: 'rich',
        width: 600,
        height: 338,
      },
    ]);
    const secret = /data-secret="(\w{10})"/.exec(html)?.[1];
    expect(html).toContain(
      `<blockquote class="wp-embedded-content" data-secret="${secret}"><a href="${SITE}/uber/">Em &amp; bed</a></blockquote>` +
        `<iframe sandbox="allow-scripts" security="restricted" src="${SITE}/uber/embed/#?secret=${secret}"` +
        ' width="600" height="338" title="&#8220;Em &amp; bed&#8221; &#8212; Palimpsest"' +
        ` data-secret="${secret}" frameborder="0" marginwidth="0" marginheight="0" scrolling="no" class="wp-embedded-content"></iframe><script>`,
    );
  });

  it('is found by every form of the URL', async () => {
    for (const url of [
      ...[`${SITE}/uber`, `${SITE}/UBER/?x=1#y`, `https://www.site.example/uber/`, `${SITE}/uber/embed/`],
      ...[`${SITE}/?p=${id}`, `${SITE}?page_id=${id}`, ` ${SITE}/uber/ `],
    ]) {
      expect([url, (await describeIt({ url })).status]).toEqual([url, 200]);
    }
  });

  it.each([
    [1, 200, 200],
    [355, 355, 200],
    [356, 356, 201],
    [600, 600, 338],
    [5000, 600, 338],
    ['-400', 400, 225],
    ['300px', 300, 200],
    ['wide', 200, 200],
    ['', 200, 200],
  ])('for a width of %s is %d wide and %d high', async (maxwidth, width, height) => {
    const { body } = await describeIt({ url: `${SITE}/uber/`, maxwidth });
    expect(body).toMatchObject({ width, height });
  });

  it('is deterministic, and answers 304 to a matching entity tag', async () => {
    const path = `${EMBED}?${query({ url: `${SITE}/uber/` })}`;
    const { headers } = await site.call('anonymous', `GET ${path}`);
    const again = await site.call('anonymous', `GET ${path}`, undefined, {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('is up to date', async () => {
    const changed = await site.make('editor', '/posts', { title: 'Before', content: 'c', status: 'publish' });
    const url = `${SITE}/before/`;
    await describeIt({ url });
    await site.call('editor', `PUT /posts/${changed}`, { title: 'After' });
    expect((await describeIt({ url })).body.title).toBe('After');
    await site.call('editor', `DELETE /posts/${changed}`);
    expect((await describeIt({ url })).status).toBe(404);
  });

  it('of a protected entry reveals the title alone', async () => {
    const entry = { title: 'Shut', content: 'Hidden', excerpt: 'Hidden', status: 'publish', password: 'pw' };
    await site.make('editor', '/posts', entry);
    const { body } = await describeIt({ url: `${SITE}/shut/` });
    expect([body.title, JSON.stringify(body).includes('Hidden')]).toEqual(['Protected: Shut', false]);
  });

  it('exists only for public entries, even for editors', async () => {
    const date = '2040-01-01T00:00:00';
    for (const [n, more] of [
      { status: 'draft' },
      { status: 'pending' },
      { status: 'private' },
      { status: 'future', date },
    ].entries()) {
      const hidden = await site.make('editor', '/posts', {
        title: 'Hidden',
        slug: `hidden-${n}`,
        content: 'c',
        ...more,
      });
      for (const url of [`${SITE}/hidden-${n}/`, `${SITE}/?p=${hidden}`]) {
        const { body } = await site.call('editor', `GET ${EMBED}?${query({ url })}`);
        expect([url, body.code]).toEqual([url, 'oembed_invalid_url']);
      }
    }
  });

  it.each(['json', 'XML', 'html', '', 'xml '])('is JSON for the format "%s"', async (format) => {
    expect((await describeIt({ url: `${SITE}/uber/`, format })).body.type).toBe('rich');
  });

  it('has one XML element per member for the format xml', async () => {
    const response = await fetch(
      `http://127.0.0.1:${site.port}${EMBED}?${query({ url: `${SITE}/uber/`, format: 'xml' })}`,
    );
    expect(response.headers.get('content-type')).toBe('text/xml; charset=UTF-8');
    const text = await response.text();
    expect(text).toMatch(/^<\?xml version="1\.0"\?><oembed><version>1\.0<\/version>/);
    expect(text).toContain('<title>Em &amp; &lt;em&gt;bed&lt;/em&gt;</title>');
    expect(text).toContain('<width>600</width><height>338</height><html>&lt;blockquote');
  });

  it('has an XML error for the format xml', async () => {
    const response = await fetch(
      `http://127.0.0.1:${site.port}${EMBED}?${query({ url: `${SITE}/none/`, format: 'xml' })}`,
    );
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      404,
      'text/xml; charset=UTF-8',
      '<?xml version="1.0"?><oembed><code>oembed_invalid_url</code><message>Not Found</message><data><status>404</status></data></oembed>',
    ]);
  });

  it.each([
    ...[
      'http://site.example:81/uber/',
      'ftp://site.example/uber/',
      'http://other.example/uber/',
      'uber',
      '/uber/',
      '  ',
    ],
    ...[SITE, `${SITE}/`, `${SITE}/?p=0`, `${SITE}/?p=x`, `${SITE}/author/editor/`, 'http://[', `${SITE}/\ud800/`],
  ])('is refused for %s', async (url) => {
    expect((await describeIt({ url })).body).toEqual({
      code: 'oembed_invalid_url',
      message: 'Not Found',
      data: { status: 404 },
    });
  });
});
