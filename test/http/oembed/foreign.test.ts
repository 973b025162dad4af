import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Outside, PUBLIC, startOutside } from '../../outgoing/support.ts';
import { patience } from '../../support/patience.ts';
import { SITE, type Site, startSite } from '../../support/site.ts';

const PROXY = '/cms-json/oembed/1.0/proxy';
const DAY = 24 * 60 * 60 * 1000;
const query = (params: Record<string, string | number>) =>
  new URLSearchParams(
    Object.entries(params).map(([name, value]) => [name, String(value)] as [string, string]),
  ).toString();

describe('the oEmbed description of another site', () => {
  let site: Site;
  let outside: Outside;
  let listener: RequestListener = (_, response) => response.end();
  let requests: string[] = [];

  beforeAll(async () => {
    const names = Object.fromEntries(
      ['www.youtube.com', 'youtu.be', 'publish.twitter.com', 'blog.example', 'data.example'].map((name) => [
        name,
        [PUBLIC],
      ]),
    );
    outside = await startOutside(
      (request, response) => {
        requests.push(`${request.headers.host}${request.url}`);
        listener(request, response);
      },
      { ...names, 'inner.example': ['10.0.0.1'] },
      { deadline: patience },
    );
    site = await startSite({ outgoing: outside.outgoing });
  });
  afterAll(async () => {
    await site.close();
    await outside.close();
  });
  beforeEach(() => {
    requests = [];
  });
  afterEach(() => {
    listener = (_, response) => response.end();
  });

  let fresh = 0;
  /** A URL that has not been requested before. */
  const blog = () => `http://blog.example/${++fresh}/`;
  const ask = (url: string, more: Record<string, string | number> = {}) =>
    site.call('author', `GET ${PROXY}?${query({ url, ...more })}`);
  const NOT_FOUND = { code: 'oembed_invalid_url', message: 'Not Found', data: { status: 404 } };

  /** A blog whose pages link to the description `described`. */
  const blogOf =
    (
      described: unknown,
      link = '<link rel="alternate" type="application/json+oembed" href="/describe?a=1&amp;b=2">',
    ): RequestListener =>
    (request, response) => {
      if (!request.url?.startsWith('/describe')) {
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(
          `<!doctype html><head><!-- <link type="application/json+oembed" href="/no"> -->${link}</head><body>`,
        );
      } else response.end(typeof described === 'string' ? described : JSON.stringify(described));
    };
  const framed = { type: 'rich', html: '<iframe src="https://blog.example/frame"></iframe>' };

  it('comes from a listed provider without a request to the URL itself', async () => {
    listener = (_, response) =>
      response.end(
        JSON.stringify({
          version: '1.0',
          type: 'video',
          title: 'A film <script>x</script>& more',
          author_url: 'javascript:alert(1)',
          thumbnail_url: 'https://i.ytimg.com/vi/x/hq.jpg',
          thumbnail_width: '480',
          width: 200,
          height: 113,
          secret: 'not handed on',
          html: '<iframe width="200" height="113" src="https://www.youtube.com/embed/x?feature=oembed" allow="camera" allowfullscreen title="A film" onload="x()"></iframe>',
        }),
      );
    const { status, body } = await ask('https://youtu.be/x', { maxwidth: 200, maxheight: 150 });
    expect([status, body]).toEqual([
      200,
      {
        version: '1.0',
        type: 'video',
        title: 'A film & more',
        thumbnail_url: 'https://i.ytimg.com/vi/x/hq.jpg',
        thumbnail_width: 480,
        width: 200,
        height: 113,
        html:
          '<iframe class="wp-embedded-content" sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"' +
          ' allow="encrypted-media; fullscreen; picture-in-picture" src="https://www.youtube.com/embed/x?feature=oembed"' +
          ' width="200" height="113" title="A film" frameborder="0"></iframe>',
      },
    ]);
    const asked = new URL(`https://${requests[0]}`);
    expect([requests.length, asked.host + asked.pathname, Object.fromEntries(asked.searchParams)]).toEqual([
      1,
      'www.youtube.com/oembed',
      { url: 'https://youtu.be/x', format: 'json', maxwidth: '200', maxheight: '150' },
    ]);
  });

  it('keeps the quotation of a provider without a frame, and drops its script', async () => {
    const html =
      '<blockquote class="t" onclick="x()"><p lang="en">Hello <b>you</b> &amp; <a href="https://t.co/x" style="x">t.co/x</a></p>— Ada</blockquote>\n<script async src="https://platform.twitter.com/widgets.js"></script>';
    listener = (_, response) => response.end(JSON.stringify({ type: 'rich', html }));
    const { body } = await ask('https://twitter.com/ada/status/1');
    expect(body.html).toBe('<blockquote><p>Hello you &amp; <a href="https://t.co/x">t.co/x</a></p>— Ada</blockquote>');
  });

  it('is discovered at URLs without a listed provider', async () => {
    listener = blogOf({ ...framed, author_name: 'Ada' });
    const { status, body } = await ask(blog(), { maxwidth: 400 });
    expect([status, body.author_name]).toEqual([200, 'Ada']);
    expect(body.html).toMatch(
      /^<iframe class="wp-embedded-content" sandbox="allow-scripts" security="restricted" src="https:\/\/blog\.example\/frame#\?secret=(\w{10})" data-secret="\1" frameborder="0"><\/iframe>$/,
    );
    expect(requests[1]).toBe('blog.example/describe?a=1&b=2&maxwidth=400');
  });

  it('is discovered as XML', async () => {
    const xml =
      '<?xml version="1.0"?><oembed><type>rich</type><title>A &amp; B</title><html><![CDATA[<iframe src="https://blog.example/f"></iframe>]]></html></oembed>';
    listener = blogOf(xml, '<link type="text/xml+oembed" href="http://data.example/describe" rel=alternate>');
    const { body } = await ask(blog());
    expect([body.title, body.html.includes('src="https://blog.example/f#?secret=')]).toEqual(['A & B', true]);
  });

  it('is not discovered with discover=0', async () => {
    listener = blogOf(framed);
    for (const discover of ['0', 'false']) expect((await ask(blog(), { discover })).status).toBe(404);
    expect(requests).toEqual([]);
  });

  it('of a photo has its own markup', async () => {
    listener = blogOf({
      type: 'photo',
      url: 'https://blog.example/"><script>.jpg',
      width: 10,
      height: '20',
      title: '"A"',
    });
    const url = blog();
    expect((await ask(url)).body.html).toBe(
      `<a href="${url}"><img src="https://blog.example/%22%3E%3Cscript%3E.jpg" alt="&quot;A&quot;" width="10" height="20"></a>`,
    );
  });

  it('of a link has its own markup', async () => {
    listener = blogOf({ type: 'link', title: 'To <b>it</b>', html: '<script>x</script>' });
    const url = blog();
    expect((await ask(url)).body).toEqual({
      version: '1.0',
      type: 'link',
      title: 'To it',
      html: `<a href="${url}">To it</a>`,
    });
  });

  it.each([
    ['no frame', { type: 'rich', html: '<blockquote>Words</blockquote>' }],
    ['a frame of script', { type: 'rich', html: '<iframe src="javascript:alert(1)"></iframe>' }],
    ['a frame of data', { type: 'video', html: '<iframe src="data:text/html,x"></iframe>' }],
    ['nothing but a script', { type: 'rich', html: '<script>alert(1)</script>' }],
    ['a photograph without a size', { type: 'photo', url: 'https://blog.example/a.jpg' }],
    ['a photograph of script', { type: 'photo', url: 'javascript:alert(1)', width: 1, height: 1 }],
    ['another type', { type: 'error', html: framed.html }],
    ['a list', [framed]],
    ['words', '"rich"'],
    ['broken JSON', '{"type":"rich"'],
    ['broken XML', '<oembed><type>rich</type><html>'],
    ['nothing', ''],
    ['too much', JSON.stringify({ ...framed, padding: 'x'.repeat(200_000) })],
  ])('is refused when the answer is %s', async (_, described) => {
    listener = blogOf(described);
    expect((await ask(blog())).body).toEqual(NOT_FOUND);
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['leads to this machine', '<link type="application/json+oembed" href="http://127.0.0.1/">'],
    ['leads into a private network', '<link type="application/json+oembed" href="http://inner.example/">'],
    ['is no address', '<link type="application/json+oembed" href="http://[">'],
    ['is a script', '<link type="application/json+oembed" href="javascript:alert(1)">'],
    ['is missing', '<title><link type="application/json+oembed" href="/describe"></title>'],
  ])('is refused when the discovery link %s', async (_, link) => {
    listener = blogOf(framed, link);
    expect((await ask(blog())).body).toEqual(NOT_FOUND);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ...['http://unknown.example/', 'http://inner.example/', 'http://127.0.0.1/', 'http://[::1]/', 'http://localhost/'],
    ...['mailto:a@b.example', 'javascript:alert(1)', 'x', '', 'http://blog.example:22/'],
  ])('of %s is refused without a request', async (url) => {
    expect((await ask(url)).body).toEqual(NOT_FOUND);
    expect(requests).toEqual([]);
  });

  it('is cached for a day; failures are not cached', async () => {
    const url = blog();
    expect((await ask(url)).status).toBe(404);
    listener = blogOf(framed);
    const answers = [await ask(url), await ask(url), await ask(url)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(requests).toHaveLength(3);
    await ask(url, { maxwidth: 300 });
    expect(requests).toHaveLength(5);
    site.clock.now += DAY - 1;
    await ask(url);
    expect(requests).toHaveLength(5);
    site.clock.now += 2;
    await ask(url);
    expect(requests).toHaveLength(7);
  });

  it('is requested once for concurrent requests', async () => {
    listener = blogOf(framed);
    const url = blog();
    const answers = await Promise.all([ask(url), ask(url), ask(url)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(requests).toHaveLength(2);
  });

  it('of audio, video and image files needs no request', async () => {
    const { body } = await ask('http://blog.example/a "b".mp3?c=1&d');
    expect(body).toEqual({
      provider_name: 'Embed Handler',
      html: '<audio controls src="http://blog.example/a%20%22b%22.mp3?c=1&amp;d"></audio>',
      scripts: [],
    });
    expect((await ask('http://blog.example/a.MP4')).body.html).toMatch(/^<video controls/);
    expect((await ask('http://blog.example/a.jpeg')).body.html).toMatch(/^<img /);
    expect(requests).toEqual([]);
  });

  it('of this site comes from this site', async () => {
    await site.make('editor', '/posts', { title: 'Own', content: 'c', status: 'publish' });
    expect((await ask(`${SITE}/own/`, { maxwidth: 'x' })).body).toMatchObject({ title: 'Own', width: 200 });
    expect((await ask(`${SITE}/own/`, { maxheight: 210 })).body).toMatchObject({ width: 600, height: 210 });
    expect((await ask(`${SITE}/own/`, { maxheight: 'x' })).body).toMatchObject({ width: 600, height: 338 });
    const xml = await fetch(`http://127.0.0.1:${site.port}${PROXY}?${query({ url: `${SITE}/own/`, format: 'xml' })}`, {
      headers: { authorization: site.authorization('editor') },
    });
    expect(xml.headers.get('content-type')).toBe('text/xml; charset=UTF-8');
    expect(await xml.text()).toContain('<title>Own</title>');
    expect((await ask(`${SITE}/none/`)).body).toEqual(NOT_FOUND);
    for (const more of [{ format: 'html' }, { discover: 'perhaps' }]) {
      expect((await ask(`${SITE}/own/`, more)).body.code).toBe('rest_invalid_param');
    }
    expect(requests).toEqual([]);
  });

  it('is limited to users who may write posts', async () => {
    const path = `GET ${PROXY}?${query({ url: 'http://blog.example/a.mp3' })}`;
    const statuses = [];
    for (const as of ['anonymous', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const) {
      statuses.push((await site.call(as, path)).status);
    }
    expect(statuses).toEqual([401, 403, 200, 200, 200, 200]);
    const { code, message } = (await site.call('subscriber', path)).body;
    expect([code, message]).toEqual(['rest_forbidden', expect.stringContaining('oEmbed')]);
  });
});
