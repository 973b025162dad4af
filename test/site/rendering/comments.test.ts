import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeComment } from '#commands/comments.ts';
import type { CommentFields } from '#domain/comment/commands.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { SITE, type Site, startSite } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const block = (name: string, attributes: object = {}, inner?: string): string => {
  const head = `wp:${name} ${JSON.stringify(attributes)}`;
  return inner === undefined ? `<!-- ${head} /-->` : `<!-- ${head} -->${inner}<!-- /wp:${name} -->`;
};
const template = (inner: string): string => block('comment-template', {}, inner);

async function write(
  post: number,
  content: string,
  fields: Omit<CommentFields, 'ip' | 'name'> & { readonly name?: string },
): Promise<number> {
  site.clock.now += 60_000;
  const { name, ...rest } = fields;
  const named = (text: string) => ({ sent: text, stored: text });
  const { value } = await site.node.store.submit({ viewer: null, correlationId: 'test' }, (session) =>
    writeComment(
      session,
      {
        ...{ kind: 'comment', post, ip: '192.0.2.1', content: named(content), status: 'approve' },
        ...(name === undefined ? {} : { name: named(name) }),
        ...rest,
      },
      { limit: 100 },
    ),
  );
  if (isRefusal(value)) throw new Error(value.code);
  return value;
}

const byVisitor = { name: 'Ada', email: 'ada@example.org', url: 'https://ada.example/' };

async function postWith(content: string, more: object = {}): Promise<number> {
  return site.make('editor', '/posts', { title: 'Talked about', content, status: 'publish', ...more });
}

async function shown(id: number): Promise<string> {
  return (await site.call('anonymous', `GET /posts/${id}`)).body.content.rendered;
}

describe('comment blocks without comments', () => {
  it('are empty, and their container is shown only where comments are open', async () => {
    const around = block(
      'comments',
      {},
      `<div class="wp-block-comments">${block('comments-title')}${template('')}</div>`,
    );
    expect(await shown(await postWith(around))).toBe('<div class="wp-block-comments"></div>');
    expect(await shown(await postWith(around, { comment_status: 'closed' }))).toBe('');
    expect(await shown(await postWith(block('latest-comments')))).toContain('No comments to show.');
  });
});

describe('comment blocks', () => {
  it('have a title that counts approved comments', async () => {
    const id = await postWith(block('comments-title') + block('comments-title', { level: 3, showPostTitle: false }));
    await write(id, 'First', byVisitor);
    await write(id, 'Held', { ...byVisitor, status: 'hold' });
    expect(await shown(id)).toBe(
      '<h2 id="comments" class="wp-block-comments-title">One response to &#8220;Talked about&#8221;</h2>' +
        '<h3 id="comments" class="wp-block-comments-title">One response</h3>',
    );
    await write(id, 'Second', byVisitor);
    expect(await shown(id)).toContain('2 responses to &#8220;Talked about&#8221;</h2>');
  });

  it('show comments by a template, with nested replies and alternating classes', async () => {
    const id = await postWith(
      template(block('comment-author-name') + block('comment-content') + block('comment-reply-link')),
    );
    const first = await write(id, 'First "words"', byVisitor);
    const answer = await write(id, 'Answer', { author: 2, parent: first });
    const second = await write(id, 'Second', byVisitor);
    const html = await shown(id);
    expect(html).toMatch(
      /^<ol class="wp-block-comment-template"><li id="comment-\d+" class="comment even thread-even depth-1">/,
    );
    expect(html).toContain(
      '<a rel="external nofollow ugc" href="https://ada.example/" target="_self" >Ada</a></div><div class="wp-block-comment-content"><p>First &#8220;words&#8221;</p>',
    );
    expect(html).toContain(
      `<ol><li id="comment-${answer}" class="comment byuser comment-author-editor bypostauthor odd alt depth-2">`,
    );
    expect(html).toContain(`<li id="comment-${second}" class="comment even thread-odd thread-alt depth-1">`);
    expect(html).toContain(`href="${SITE}/talked-about-4/?replytocom=${first}#respond"`.replace('-4', suffixIn(html)));
    expect(html).toContain(`data-commentid="${first}" data-postid="${id}" data-belowelement="comment-${first}"`);
  });

  it('show a linked date and an avatar', async () => {
    const id = await postWith(template(block('comment-date', { format: 'Y-m-d' }) + block('avatar', { size: 20 })));
    const comment = await write(id, 'Words', byVisitor);
    const html = await shown(id);
    expect(html).toMatch(
      /<time datetime="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+01:00"><a href="[^"]+#comment-\d+">\d{4}-\d\d-\d\d<\/a><\/time>/,
    );
    expect(html).toContain(`#comment-${comment}"`);
    expect(html).toContain("alt='Ada Avatar'");
  });

  it('count comments, and link to them or to the form', async () => {
    const parts = block('post-comments-count') + block('post-comments-link', { textAlign: 'center' });
    const id = await postWith(parts, { title: 'Counted "so"' });
    const link = (where: string, words: string): string =>
      `<div class="has-text-align-center wp-block-post-comments-link"><a href=${where}>${words}<span class="screen-reader-text"> on Counted &#8220;so&#8221;</span></a></div>`;
    const { link: address } = (await site.call('anonymous', `GET /posts/${id}`)).body;
    const count = (number: number): string => `<div class="wp-block-post-comments-count">${number}</div>`;
    expect(await shown(id)).toBe(count(0) + link(`${address}#respond`, 'No comments'));
    await write(id, 'First', byVisitor);
    await write(id, 'Held', { ...byVisitor, status: 'hold' });
    expect(await shown(id)).toBe(count(1) + link(`${address}#comments`, '1 comment'));
    await write(id, 'Second', byVisitor);
    expect(await shown(id)).toBe(count(2) + link(`${address}#comments`, '2 comments'));
    await site.call('editor', `PATCH /posts/${id}`, { comment_status: 'closed' });
    expect(await shown(id)).toBe(count(2));
  });

  it('show nothing on a post with a password', async () => {
    const id = await postWith(block('comments-title') + template(block('comment-content')), { password: 'pw' });
    await write(id, 'Secret words', byVisitor);
    const { body } = await site.call('anonymous', `GET /posts/${id}?password=pw`);
    expect(JSON.stringify(body)).not.toContain('Secret words');
  });
});

describe('the latest comments block', () => {
  it('shows excerpts of comments on public posts', async () => {
    const open = await postWith('Open', { title: 'Open "post"' });
    const hidden = await site.make('editor', '/posts', { title: 'Draft' });
    await write(hidden, 'On a draft', byVisitor);
    await write(open, `${'word '.repeat(30)}`, byVisitor);
    const html = await shown(await postWith(block('latest-comments', { commentsToShow: 1 })));
    expect(html).toContain('<ol class="has-avatars has-dates has-excerpts wp-block-latest-comments">');
    expect(html).toContain(
      '<a class="wp-block-latest-comments__comment-author" href="https://ada.example/">Ada</a> on <a',
    );
    expect(html).toContain('>Open &#8220;post&#8221;</a>');
    expect(html).toContain(`<p>${'word '.repeat(20).trim()}&hellip;</p>`);
    expect(html.match(/<li /g)).toHaveLength(1);
    expect(html).not.toContain('On a draft');
  });
});

describe('the comment form block', () => {
  it('is shown where comments are open, and submits to the REST interface', async () => {
    const id = await postWith(block('post-comments-form'));
    const html = await shown(id);
    expect(html).toContain('<div id="respond" class="comment-respond wp-block-post-comments-form">');
    expect(html).toContain(`action="${SITE}/cms-json/cms/v2/comments"`);
    expect(html).toContain(`name='post' value='${id}'`);
    expect(await shown(await postWith(block('post-comments-form'), { comment_status: 'closed' }))).toBe('');
  });
});

/** Returns the numeric suffix of the slug of the post. */
function suffixIn(html: string): string {
  return /talked-about(-\d+)?\//.exec(html)?.[1] ?? '';
}
