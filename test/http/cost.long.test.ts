import { request } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeComment } from '#commands/comments.ts';
import { viewerOf } from '#domain/user/roles.ts';
import { eventually } from '../support/patience.ts';
import { type Site, startSite } from '../support/site.ts';

const latest = (attributes: object) => `<!-- wp:latest-posts ${JSON.stringify(attributes)} /-->`;
const full = { displayPostContent: true, displayPostContentRadio: 'full_post', postsToShow: 100 };
const image = '<!-- wp:image --><figure class="wp-block-image"><img src="/a.jpg" alt=""/></figure><!-- /wp:image -->';
const gallery = `<!-- wp:gallery --><figure class="wp-block-gallery">${image.repeat(1500)}</figure><!-- /wp:gallery -->`;
/** Characters that an answer may have, whatever its text contains. */
const MOST = 24_000_000;

describe('an answer whose text contains other texts', () => {
  let site: Site;
  const log: string[] = [];
  const make = async (content: string) => {
    const { status, body, headers } = await site.call('editor', 'POST /posts?_fields=id,link,content', {
      title: 'x',
      content,
      status: 'publish',
    });
    expect(status).toBe(201);
    return { id: body.id as number, link: body.link as string, truncated: headers.get('x-cms-truncated') };
  };
  const read = async (id: number, query = '') => {
    const { status, headers, text } = await site.call('anonymous', `GET /posts/${id}${query}`);
    return { status, truncated: headers.get('x-cms-truncated'), length: text.length, text };
  };

  beforeAll(async () => {
    const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(line) });
    site = await startSite({ logger });
    for (let n = 0; n < 60; n++)
      await site.make('editor', '/posts', { title: `Post ${n}`, content: '<p>text</p>', status: 'publish' });
    await make(gallery);
  });
  afterAll(() => site.close());

  it('is cut when it has cost too much, and says so', async () => {
    const { id, link, truncated } = await make(latest(full).repeat(300));
    expect(truncated).toBe('true');
    for (const path of ['', '?_embed', '?context=embed', '?_envelope']) {
      const answer = await read(id, path);
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.length).toBeLessThan(MOST);
    }
    expect((await read(id)).truncated).toBe('true');
    expect((await read(id, '?_envelope')).text).toContain('"X-CMS-Truncated":"true"');
    const list = await site.call('anonymous', 'GET /posts?per_page=5');
    expect([list.status, list.headers.get('x-cms-truncated')]).toEqual([200, 'true']);
    for (const path of [new URL(link).pathname, '/feed/']) {
      const response = await fetch(`http://127.0.0.1:${site.port}${path}`, { redirect: 'manual' });
      expect([response.status, response.headers.get('x-cms-truncated')]).toEqual([200, 'true']);
      expect((await response.text()).length).toBeLessThan(MOST);
    }
    for (const route of ['"route":"page"', 'posts']) {
      await eventually(() =>
        expect(log.filter((line) => line.includes('"truncated":true') && line.includes(route))).not.toEqual([]),
      );
    }
    await site.call('editor', `DELETE /posts/${id}?force=true`);
  });

  it('is the same each time', async () => {
    const { id } = await make(latest({ ...full, postsToShow: 3 }).repeat(40));
    const answers = new Set<string>();
    for (const n of [1, 2, 3]) answers.add((await read(id, `?_=${n}`)).text.replace(/\?_=\d/g, ''));
    expect(answers.size).toBe(1);
    await site.call('editor', `DELETE /posts/${id}?force=true`);
  });

  it('has pieces that are alike as often as its text, without being cut', async () => {
    for (const block of ['calendar', 'archives', 'tag-cloud', 'latest-posts', 'page-list', 'latest-comments']) {
      const { id } = await make(`<!-- wp:${block} /-->`.repeat(1000));
      const one = await make(`<!-- wp:${block} /-->`);
      const [many, single] = await Promise.all([read(id, '?_fields=content'), read(one.id, '?_fields=content')]);
      expect([block, many.truncated]).toEqual([block, null]);
      const content = (text: string) => (JSON.parse(text) as { content: { rendered: string } }).content.rendered.trim();
      expect(content(many.text)).toBe(content(single.text).repeat(1000));
      for (const each of [id, one.id]) await site.call('editor', `DELETE /posts/${each}?force=true`);
    }
  });

  it('numbers pieces that are alike', async () => {
    const { id } = await make('<!-- wp:archives {"displayAsDropdown":true} /-->'.repeat(3));
    const { text } = await read(id);
    expect([...text.matchAll(/select id=\\"wp-block-archives-(\d+)/g)].map(([, n]) => n)).toEqual(['1', '2', '3']);
  });

  it('is given up when its client has gone, and others are answered', async () => {
    const { id } = await make(latest(full).repeat(300));
    const { port } = site;
    await new Promise<void>((resolve) => {
      const asked = request({ port, host: '127.0.0.1', path: `/cms-json/cms/v2/posts/${id}?_=gone` });
      asked.on('error', () => resolve());
      asked.end(() => setTimeout(() => asked.destroy(), 20));
    });
    expect((await site.call('anonymous', 'GET /types')).status).toBe(200);
  });
});

describe('a thread of comments, each a reply to the one before', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  it('is shown however deep it is', async () => {
    const content =
      '<!-- wp:comments --><!-- wp:comment-template --><!-- wp:comment-content /--><!-- /wp:comment-template --><!-- /wp:comments -->';
    const { body } = await site.call('editor', 'POST /posts', { title: 'x', content, status: 'publish' });
    const count = 4000;
    const { store } = site.node;
    const viewer = store.reader.user(1);
    if (viewer === undefined) throw new Error('there is no administrator');
    let parent = 0;
    for (let n = 0; n < count; n += 500) {
      const { value } = await store.submit({ viewer: viewerOf(viewer), correlationId: 'test' }, (session) => {
        for (let i = 0; i < 500; i++) {
          const words = `words ${n + i}`;
          const fields = {
            kind: 'comment',
            post: body.id,
            parent,
            ip: '',
            content: { sent: words, stored: words },
          } as const;
          parent = Number(writeComment(session, fields, { limit: 0 }));
        }
        return parent;
      });
      expect(value).toBe(n + 500);
    }
    const page = await fetch(`http://127.0.0.1:${site.port}${new URL(body.link).pathname}`);
    expect(page.status).toBe(200);
    expect((await page.text()).match(/<li id="comment-/g)?.length).toBe(2 * count);
    const { status, text } = await site.call('anonymous', `GET /posts/${body.id}`);
    expect([status, text.match(/<li id=\\"comment-/g)?.length]).toEqual([200, count]);
  });
});
