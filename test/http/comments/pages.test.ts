import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITE, type Site, startSite } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { VISITOR_COMMENTS: '40' } });
});
afterAll(() => site.close());

type Sent = Readonly<Record<string, string>>;

const visit = async (path: string, { form, headers = {} }: { form?: Sent; headers?: Sent } = {}) => {
  const response = await fetch(`http://127.0.0.1:${site.port}${path}`, {
    redirect: 'manual',
    method: form === undefined ? 'GET' : 'POST',
    headers: { ...headers },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  });
  const location = (response.headers.get('location') ?? '').replace(SITE, '');
  return { status: response.status, headers: response.headers, location, text: await response.text() };
};
let number = 0;
const publish = async (more: object = {}) => {
  number += 1;
  const id = await site.make('editor', '/posts', { title: `Post ${number}`, status: 'publish', ...more });
  return { id, path: `/post-${number}/` };
};
const ada = { author_name: 'Ada', author_email: 'ada@example.net' };
const write = (path: string, post: number, more: Sent = {}, headers: Sent = {}) => {
  number += 1;
  site.clock.now += 60_000;
  const form = { form: 'comment', post: String(post), parent: '0', ...ada, content: `Words ${number}`, ...more };
  return visit(path, { form, headers });
};
const stored = async (post: number) =>
  (await site.call('administrator', `GET /comments?post=${post}&status=any&context=edit&order=asc`)).body as {
    readonly id: number;
    readonly status: string;
    readonly parent: number;
    readonly author: number;
    readonly author_name: string;
    readonly author_email: string;
    readonly author_user_agent: string;
    readonly content: { readonly raw: string };
  }[];
const approve = (id: number) => site.call('editor', `PUT /comments/${id}`, { status: 'approve' });
const say = (post: number, more: object = {}) => {
  number += 1;
  site.clock.now += 60_000;
  return site.make('editor', '/comments', { post, content: `Words ${number}`, ...more });
};

describe('the page of a post', () => {
  it('shows approved comments only, replies below their parents', async () => {
    const { id, path } = await publish();
    const first = await say(id, { content: 'One & <em>two</em>' });
    const answer = await say(id, { content: 'Answer', parent: first });
    await say(id, { content: 'Held back', status: 'hold' });
    await say(id, { content: 'Among us', type: 'note' });
    const { text } = await visit(path);
    expect(text).toContain('2 comments');
    expect(text.indexOf(`id="comment-${first}"`)).toBeLessThan(text.indexOf(`id="comment-${answer}"`));
    expect(text).toMatch(new RegExp(`id="comment-${first}"[^]*<ol>[^]*id="comment-${answer}"[^]*</ol>`));
    expect(text).toContain('<p>One &#038; <em>two</em></p>');
    expect(text).not.toMatch(/Held back|Among us/);
    expect(text).toMatch(/<img alt='' src='http:\/\/site\.example\/avatar\/[\da-f]{64}\?s=32'/);
    expect(text).not.toContain('editor@example.org');
  });

  it('shows new comments at once', async () => {
    const { id, path } = await publish();
    const before = await visit(path);
    await say(id);
    const after = await visit(path, { headers: { 'if-none-match': before.headers.get('etag') ?? '' } });
    expect([after.status, after.text.includes('One comment')]).toEqual([200, true]);
  });

  it('has the newest comments at its own address and older ones on numbered pages', async () => {
    const { id, path } = await publish();
    const ids: number[] = [];
    for (let n = 0; n < 50; n += 1) ids.push(await say(id));
    const on = (text: string) => [...text.matchAll(/<li id="comment-(\d+)">/g)].map(([, one]) => Number(one));
    expect(on((await visit(path)).text)).toEqual(ids);
    expect((await visit(path)).text).not.toContain('aria-label="Comments"');
    const last = await say(id);
    const answer = await say(id, { parent: ids[0] });
    const [newest, oldest] = [await visit(path), await visit(`${path}comment-page-1/`)];
    expect([on(newest.text), on(oldest.text)]).toEqual([[last], [ids[0], answer, ...ids.slice(1)]]);
    expect(newest.text).toContain(`<a rel="prev" href="${SITE}${path}comment-page-1/#comments">← Older comments</a>`);
    expect(oldest.text).toContain(`<a rel="next" href="${SITE}${path}#comments">Newer comments →</a>`);
    expect(oldest.text).toContain(`<link rel="canonical" href="${SITE}${path}comment-page-1/">`);
    expect(on((await visit(`${path}?cpage=1`)).text)).toEqual(on(oldest.text));
    for (const beyond of ['comment-page-3/', '?cpage=3']) expect((await visit(path + beyond)).status).toBe(404);
    expect((await visit(`${path}comment-page-1`)).location).toBe(`${path}comment-page-1/#comments`);
    const sent = await write(path, id, { parent: String(ids[0]) });
    expect(sent.status).toBe(303);
  });

  it('has a feed of its comments, and the site one of all; comments on protected posts are in neither', async () => {
    const { id, path } = await publish({ title: 'Talk & more', slug: `talk-${number}` });
    const talk = path.replace(/post-\d+/, `talk-${number - 1}`);
    const [first, second] = [await say(id, { content: 'One & <em>two</em>' }), await say(id)];
    await say(id, { content: 'Held back', status: 'hold' });
    const hidden = await publish({ password: 'x' });
    await say(hidden.id, { content: 'Not for all' });
    const feed = await visit(`${talk}feed/`);
    expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=UTF-8']);
    const links = (text: string) => [...text.matchAll(/<link>([^<]+)<\/link>/g)].map(([, one]) => one);
    expect(links(feed.text)).toEqual(
      [talk, `${talk}#comment-${second}`, `${talk}#comment-${first}`].map((one) => SITE + one),
    );
    expect(feed.text).toContain('&lt;em&gt;two&lt;/em&gt;');
    const tag = feed.headers.get('etag') ?? '';
    expect((await visit(`${talk}feed/`, { headers: { 'if-none-match': tag } })).status).toBe(304);
    const all = await visit('/comments/feed/');
    expect(links(all.text).slice(1, 3)).toEqual([
      `${SITE}${talk}#comment-${second}`,
      `${SITE}${talk}#comment-${first}`,
    ]);
    expect(all.text).toContain(' on Talk &amp; more</title>');
    expect((await visit('/comments/feed/atom/')).text).toContain(`<id>${SITE}/?p=${id}#comment-${first}</id>`);
    for (const { text } of [feed, all]) expect(text).not.toMatch(/Held back|Not for all/);
    expect((await visit(`${hidden.path}feed/`)).status).toBe(404);
    const { text } = await visit(talk);
    expect(text).toContain(`title="Comments on Talk &amp; more" href="${SITE}${talk}feed/"`);
    expect((await visit('/')).text).toContain(`title="Comments" href="${SITE}/comments/feed/"`);
  });

  it('shows the comments on a protected post after the password, without a form', async () => {
    const { id, path } = await publish({ password: 'open' });
    await site.call('editor', 'POST /comments', { post: id, content: 'Behind', password: 'open' });
    expect((await visit(path)).text).not.toMatch(/Behind|id="respond"/);
    const { text } = await visit(path, { form: { password: 'open' } });
    expect([text.includes('Behind'), text.includes('id="respond"')]).toEqual([true, false]);
  });

  it('escapes names of authors and links to safe URLs only', async () => {
    const { id, path } = await publish();
    await say(id, {
      status: 'approved',
      author_name: 'A "<b>B</b>" & C',
      author_email: 'a@example.net',
      author_url: 'https://a.example/?x=1&y="2"',
    });
    const { text } = await visit(path);
    expect(text).toContain('rel="external nofollow ugc" href="https://a.example/?x=1&amp;y=');
    expect(text).not.toMatch(/<b>B<\/b>|javascript:/);
  });
});

describe('the comment form', () => {
  it('accepts a comment, which is held until one of the author’s is approved', async () => {
    const { id, path } = await publish();
    const sent = await write(
      path,
      id,
      { content: 'First <b>one</b> <script>x</script>' },
      { 'user-agent': 'Browser 7' },
    );
    expect([sent.status, sent.location]).toEqual([303, `${path}?comment=held#respond`]);
    expect((await visit(sent.location.replace('#respond', ''))).text).toContain('once it has been approved');
    const [held] = await stored(id);
    expect(held).toMatchObject({
      ...{
        status: 'hold',
        author: 0,
        author_name: 'Ada',
        author_email: 'ada@example.net',
        author_user_agent: 'Browser 7',
      },
      content: { raw: 'First <b>one</b> x' },
    });
    expect((await visit(path)).text).not.toContain('First');
    await approve(held?.id ?? 0);
    const second = await write(path, id);
    const [, other] = await stored(id);
    expect([second.status, second.location, other?.status]).toEqual([303, `${path}#comment-${other?.id}`, 'approved']);
    expect((await visit(path)).text).toContain('2 comments');
  });

  it('accepts replies through a link, without scripts', async () => {
    const { id, path } = await publish();
    const first = await say(id);
    expect((await visit(path)).text).toContain(`${path}?replytocom=${first}#respond`);
    const { text } = await visit(`${path}?replytocom=${first}`);
    expect(text).toContain('Reply to editor');
    expect(text).toContain(`name="parent" value="${first}"`);
    await write(`${path}?replytocom=${first}`, id, { parent: String(first) });
    expect((await stored(id)).map(({ parent }) => parent)).toEqual([0, first]);
    const other = await say((await publish()).id);
    expect((await visit(`${path}?replytocom=${other}`)).text).toContain('name="parent" value="0"');
  });

  it('offers no replies below the fifth level', async () => {
    const { id, path } = await publish();
    let parent = 0;
    for (let i = 0; i < 6; i++) parent = await say(id, { parent });
    const { text } = await visit(path);
    expect(text.match(/replytocom=/g)).toHaveLength(4);
    expect(text.match(/<li id="comment-/g)).toHaveLength(6);
  });

  it.each([
    ['no words', { content: '' }, 400, 'Invalid comment content'],
    ['no name', { author_name: '' }, 400, 'requires valid author name'],
    ['no mail address', { author_email: 'x' }, 400, 'Invalid email address'],
    ['a post that is not there', { post: '99999' }, 403, 'without a post'],
  ])('explains what is wrong and keeps the typed text: %s', async (_, more, status, reason) => {
    const { id, path } = await publish();
    const sent = await write(path, id, { content: 'Kept "words"', ...(more as Sent) });
    expect([sent.status, sent.headers.get('cache-control')]).toEqual([status, 'no-store']);
    expect(sent.text).toMatch(new RegExp(`role="alert"><strong>[^<]*${reason}`));
    if (!('content' in more)) expect(sent.text).toContain('>Kept &quot;words&quot;</textarea>');
    expect(await stored(id)).toEqual([]);
  });

  it('refuses duplicates, floods and cross-site requests', async () => {
    const { id, path } = await publish();
    await write(path, id, { content: 'Once' });
    const form = { form: 'comment', post: String(id), ...ada, content: 'Soon' };
    expect((await visit(path, { form })).status).toBe(400);
    expect((await write(path, id, { content: 'Once' })).status).toBe(409);
    site.clock.now += 60_000;
    const foreign = await visit(path, { form, headers: { 'sec-fetch-site': 'cross-site' } });
    expect(foreign.status).toBe(403);
    expect(await stored(id)).toHaveLength(1);
  });

  it('is absent where comments are closed, and submissions are refused', async () => {
    const { id, path } = await publish({ comment_status: 'closed' });
    expect((await visit(path)).text).not.toMatch(/id="respond"|id="comments"/);
    expect((await write(path, id)).status).toBe(403);
  });

  it('is absent, and submissions are refused, unless visitors may comment', async () => {
    const closed = await startSite();
    try {
      const id = await closed.make('editor', '/posts', { title: 'Post', status: 'publish' });
      await closed.make('editor', '/comments', { post: id, content: 'Here' });
      const at = (init: RequestInit = {}) => fetch(`http://127.0.0.1:${closed.port}/post/`, init);
      const shown = await (await at()).text();
      expect([shown.includes('Here'), shown.includes('id="respond"'), shown.includes('replytocom')]).toEqual([
        ...[true, false, false],
      ]);
      const form = { form: 'comment', post: String(id), ...ada, content: 'x' };
      expect((await at({ method: 'POST', body: new URLSearchParams(form) })).status).toBe(403);
      const direct = await closed.call('anonymous', 'POST /comments', { post: id, ...ada, content: 'x' });
      expect([direct.status, direct.body.code]).toEqual([401, 'rest_comment_login_required']);
    } finally {
      await closed.close();
    }
  });
});

describe('a comment by a visitor', () => {
  it('is never attributed to the user with that email address', async () => {
    const { id, path } = await publish();
    await say(id);
    await write(path, id, { author_name: 'editor', author_email: 'editor@example.org' });
    expect((await stored(id)).map(({ author, status }) => [author, status])).toEqual([
      [2, 'approved'],
      [0, 'hold'],
    ]);
  });

  it('is shown at earlier positions as it was, with and without its replies', async () => {
    const { id, path } = await publish();
    await write(path, id, { author_email: 'time@example.net', content: 'Then' });
    const [comment] = await stored(id);
    const held = site.position();
    await approve(comment?.id ?? 0);
    await say(id, { parent: comment?.id ?? 0 });
    const answered = site.position();
    await site.call('editor', `PUT /comments/${comment?.id}`, { content: 'Now' });
    const at = async (position: number, query: string) =>
      (await site.call('administrator', `GET /comments${query}${query.includes('?') ? '&' : '?'}as_of=${position}`))
        .body;
    expect((await at(held, `/${comment?.id}?context=edit`)).status).toBe('hold');
    expect(await at(held, `?post=${id}`)).toEqual([]);
    expect((await at(answered, `/${comment?.id}?context=edit`)).content.raw).toBe('Then');
    expect((await at(answered, `?post=${id}&order=asc`)).map(({ parent }: { parent: number }) => parent)).toEqual([
      ...[0, comment?.id],
    ]);
    expect((await at(site.position(), `/${comment?.id}?context=edit`)).content.raw).toBe('Now');
  });
});

it('the link of a comment leads to the page of comments that shows it', async () => {
  const { id, path } = await publish();
  const ids: number[] = [];
  for (let i = 0; i < 52; i++) {
    site.clock.now += 60_000;
    ids.push(await site.make('editor', '/comments', { post: id, content: `Said ${i}` }));
  }
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];
  for (const comment of [first, last]) {
    const { link } = (await site.call('anonymous', `GET /comments/${comment}`)).body;
    expect(link).toBe(`${SITE}${path}?comment=${comment}#comment-${comment}`);
    expect((await visit(link.replace(SITE, '').split('#')[0])).text).toContain(`id="comment-${comment}"`);
  }
});
