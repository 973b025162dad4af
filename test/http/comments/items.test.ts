import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, BASE, SITE, type Site, startSite } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const everybody: readonly As[] = ['administrator', 'editor', 'author', 'contributor', 'subscriber', 'anonymous'];
const publish = (as: As = 'author', more: object = {}) =>
  site.make(as, '/posts', { title: 'Post', status: 'publish', ...more });
let said = 0;
const say = (as: As, post: number, more: object = {}) => {
  said += 1;
  // A minute between comments keeps the flood limit out of these tests.
  site.clock.now += 60_000;
  return site.call(as, 'POST /comments', { post, content: `Words ${said}`, ...more });
};
const written = async (as: As, post: number, more: object = {}): Promise<number> => (await say(as, post, more)).body.id;
const code = async (as: As, request: string, body?: object) => {
  const answer = await site.call(as, request, body);
  return answer.status < 300 ? answer.status : `${answer.status} ${answer.body.code}`;
};

describe('a comment', () => {
  it('shows all fields to moderators, and public ones to others', async () => {
    const post = await publish();
    const { status, headers, body } = await site.call('administrator', 'POST /comments', {
      ...{ post, parent: 0, author_name: 'Ada & <b>Co</b>', author_email: 'ada@example.net', author_ip: '192.0.2.1' },
      ...{ author_url: 'example.net/?a=1&b=2', author_user_agent: 'Agent <i>1</i>', date: '2020-01-02T03:04:05' },
      content: { raw: ' See "this":\nhttp://site.example/x and http://other.example :) ' },
    });
    expect([status, headers.get('location')]).toEqual([201, `${BASE}/comments/${body.id}`]);
    const { _links, author_avatar_urls: pictures, ...fields } = body;
    expect(fields).toEqual({
      ...{ id: body.id, post, parent: 0, author: 0, author_name: 'Ada &amp; Co', author_email: 'ada@example.net' },
      ...{ author_url: 'http://example.net/?a=1&amp;b=2', author_ip: '192.0.2.1', author_user_agent: 'Agent 1' },
      ...{ date: '2020-01-02T03:04:05', date_gmt: '2020-01-02T02:04:05' },
      content: {
        rendered:
          '<p>See &#8220;this&#8221;:<br />\n<a href="http://site.example/x" rel="ugc">http://site.example/x</a> and ' +
          '<a href="http://other.example" rel="nofollow ugc">http://other.example</a> 🙂</p>\n',
        raw: 'See "this":\nhttp://site.example/x and http://other.example :)',
      },
      ...{ link: `${SITE}/post/#comment-${body.id}`, status: 'hold', type: 'comment', meta: { _wp_note_status: null } },
    });
    expect(Object.keys(pictures)).toEqual(['24', '48', '96']);
    expect(Object.keys(_links)).toEqual(['self', 'collection', 'up']);
    await site.call('editor', `PUT /comments/${body.id}`, { status: 'approve' });
    const shown = await site.call('anonymous', `GET /comments/${body.id}`);
    expect(Object.keys(shown.body).join(' ')).toBe(
      'id post parent author author_name author_url date date_gmt content link status type author_avatar_urls meta _links',
    );
    const embedded = await site.call('anonymous', `GET /comments/${body.id}?context=embed`);
    expect(Object.keys(embedded.body).join(' ')).toBe(
      'id parent author author_name author_url date content link type author_avatar_urls _links',
    );
  });

  it('can be limited to whole fields, not to members of them', async () => {
    const id = await written('editor', await publish());
    const { body } = await site.call('anonymous', `GET /comments/${id}?_fields=id,content.rendered`);
    expect(body).toEqual({ id });
    expect((await site.call('anonymous', `GET /comments/${id}?_fields=content`)).body.content).toHaveProperty(
      'rendered',
    );
  });

  it('links to its parent, and to its replies unless all are spam', async () => {
    const post = await publish();
    const first = await written('editor', post);
    const answer = await written('editor', post, { parent: first });
    const links = async (id: number) => (await site.call('anonymous', `GET /comments/${id}`)).body._links;
    expect((await links(answer))['in-reply-to']).toEqual([{ embeddable: true, href: `${BASE}/comments/${first}` }]);
    expect((await links(first)).children).toEqual([{ embeddable: true, href: `${BASE}/comments?parent=${first}` }]);
    await site.call('editor', `PUT /comments/${answer}`, { status: 'hold' });
    expect((await links(first)).children).toBeDefined();
    await site.call('editor', `PUT /comments/${answer}`, { status: 'spam' });
    expect((await links(first)).children).toBeUndefined();
    const lost = await written('editor', post, { parent: 4711 });
    expect((await links(lost))['in-reply-to']).toEqual([{ embeddable: true, href: `${BASE}/comments/4711` }]);
  });

  it('can belong to a media item, and is deleted with it', async () => {
    const { body: image } = await uploadBody(site, 'author', {
      name: 'a.png',
      type: 'image/png',
      bytes: pngOf(40, 30),
    });
    const { body } = await say('editor', image.id);
    expect(body).toMatchObject({ post: image.id, link: expect.stringContaining(`#comment-${body.id}`) });
    expect(body._links.up).toEqual([{ embeddable: true, post_type: 'attachment', href: `${BASE}/media/${image.id}` }]);
    await site.call('author', `DELETE /media/${image.id}?force=true`);
    expect(await code('editor', `GET /comments/${body.id}`)).toBe('404 rest_comment_invalid_id');
  });
});

describe('the content of a comment', () => {
  const raw = async (as: As, content: string) => {
    const id = await written(as, await publish(), { content });
    return (await site.call('administrator', `GET /comments/${id}?context=edit`)).body.content.raw;
  };
  const markup = '<p onclick="x">a <em>b</em> <script>c</script></p><a href="javascript:x" target="y">d</a>';

  it('is unfiltered for editors and limited to a few elements for others; links are marked for both', async () => {
    expect(await raw('editor', markup)).toBe(
      '<p onclick="x">a <em>b</em> <script>c</script></p><a href="javascript:x" target="y" rel="nofollow ugc">d</a>',
    );
    expect(await raw('subscriber', markup)).toBe('a <em>b</em> c<a href="x" rel="nofollow ugc">d</a>');
  });

  it('is filtered at every save by or for somebody without the right to unfiltered markup', async () => {
    const post = await publish();
    const id = await written('editor', post, { content: '<table>a</table>' });
    const { body } = await site.call('author', `PUT /comments/${id}`, {});
    expect(body.content.raw).toBe('a');
    const guests = await written('editor', post, {
      author_name: 'G',
      author_email: 'g@example.net',
      content: '<table>a</table>',
    });
    expect(
      (await site.call('editor', `PUT /comments/${guests}`, { content: '<table>b</table>' })).body.content.raw,
    ).toBe('b');
  });
});

describe('reading a comment', () => {
  const readable = async (id: number, query = '') => {
    const answers: (string | number)[] = [];
    for (const as of everybody) answers.push(await code(as, `GET /comments/${id}${query}`));
    return answers;
  };
  const [no, nobody] = ['403 rest_cannot_read', '401 rest_cannot_read'];

  it('is allowed to everybody when it is approved, otherwise to its author and those who may edit the post', async () => {
    const post = await publish('author');
    const id = await written('subscriber', post);
    expect(await readable(id)).toEqual([200, 200, 200, no, 200, nobody]);
    await site.call('author', `PUT /comments/${id}`, { status: 'approve' });
    expect(await readable(id)).toEqual([200, 200, 200, 200, 200, 200]);
    const context = '403 rest_forbidden_context';
    expect(await readable(id, '?context=edit')).toEqual([
      200,
      200,
      context,
      context,
      context,
      '401 rest_forbidden_context',
    ]);
    for (const status of ['spam', 'trash']) {
      await site.call('author', `PUT /comments/${id}`, { status });
      expect(await readable(id)).toEqual([200, 200, 200, no, 200, nobody]);
    }
  });

  it('requires the right to read the post, even of its author', async () => {
    const post = await publish('author');
    const id = await written('editor', post);
    const own = await written('subscriber', post);
    await site.call('editor', `PUT /posts/${post}`, { status: 'private' });
    expect(await readable(id)).toEqual([200, 200, 200, no, no, nobody]);
    expect(await code('subscriber', `GET /comments/${own}`)).toBe('403 rest_cannot_read_post');
    await site.call('editor', `PUT /posts/${post}`, { status: 'publish', password: 'open' });
    expect(await readable(id)).toEqual([200, 200, 200, no, no, nobody]);
    expect(await readable(id, '?password=open')).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await readable(id, '?password=shut')).toEqual([200, 200, 200, no, no, nobody]);
  });
});

describe('writing a comment', () => {
  it('requires an account and access to the post, including its password', async () => {
    const post = await publish('editor', { password: 'open' });
    const login = '401 rest_comment_login_required';
    const answers: unknown[] = [];
    for (const as of everybody) {
      const content = `By ${as}`;
      const without = await code(as, 'POST /comments', { post, content });
      site.clock.now += 60_000;
      answers.push([without, await code(as, 'POST /comments', { post, content, password: 'open' })]);
    }
    expect(answers).toEqual([
      [201, '409 comment_duplicate'],
      [201, '409 comment_duplicate'],
      ['403 rest_cannot_read_post', 201],
      ['403 rest_cannot_read_post', 201],
      ['403 rest_cannot_read_post', 201],
      [login, login],
    ]);
  });

  it('is refused on drafts, trashed posts, closed posts and missing posts', async () => {
    const draft = await site.make('author', '/posts', { title: 'Draft' });
    const trashed = await publish();
    await site.call('author', `DELETE /posts/${trashed}`);
    const closed = await publish('author', { comment_status: 'closed' });
    const page = await site.make('editor', '/pages', { title: 'Page', status: 'publish' });
    const on = (post: unknown) => code('administrator', 'POST /comments', { post, content: 'x' });
    expect(await on(draft)).toBe('403 rest_comment_draft_post');
    expect(await on(trashed)).toBe('403 rest_comment_trash_post');
    expect([await on(closed), await on(page)]).toEqual(Array(2).fill('403 rest_comment_closed'));
    for (const post of [0, 4711, null, undefined]) expect(await on(post)).toBe('403 rest_comment_invalid_post_id');
  });

  it('does not let authors set another author, address or status', async () => {
    const post = await publish();
    const as = (more: object) => code('author', 'POST /comments', { post, content: 'x', ...more });
    expect(await as({ author: 1 })).toBe('403 rest_comment_invalid_author');
    expect(await as({ author_ip: '192.0.2.1' })).toBe('403 rest_comment_invalid_author_ip');
    expect(await as({ status: 'approve' })).toBe('403 rest_comment_invalid_status');
    expect(await as({ author: 3, author_ip: '127.0.0.1' })).toBe(201);
  });

  it('is refused too soon after another by the same user on any post, except for moderators', async () => {
    const [one, other] = [await publish(), await publish()];
    const id = await written('contributor', one);
    expect(await code('contributor', 'POST /comments', { post: other, content: 'Soon' })).toBe('400 comment_flood');
    await site.call('editor', `DELETE /comments/${id}?force=true`);
    expect(await code('contributor', 'POST /comments', { post: other, content: 'Soon' })).toBe(201);
    await site.call('editor', 'POST /comments', { post: one, content: 'One' });
    expect(await code('editor', 'POST /comments', { post: one, content: 'Two' })).toBe(201);
  });

  it('is approved at once while an earlier comment of its author is approved, unless it has many links', async () => {
    const post = await publish('editor');
    const status = async (more: object = {}) => (await say('author', post, more)).body.status;
    for (const { id } of (await site.call('editor', 'GET /comments?author=3&status=any')).body) {
      await site.call('editor', `DELETE /comments/${id}?force=true`);
    }
    const first = await written('author', post);
    expect(await status()).toBe('hold');
    await site.call('editor', `PUT /comments/${first}`, { status: 'approve' });
    expect(await status()).toBe('approved');
    expect(await status({ content: 'http://a.example http://b.example' })).toBe('hold');
    await site.call('editor', `PUT /comments/${first}`, { status: 'hold' });
  });
});

describe('changing a comment', () => {
  it('is allowed to moderators and those who may edit the post, but not to its author', async () => {
    const post = await publish('author');
    const id = await written('contributor', post);
    const answers: unknown[] = [];
    for (const as of everybody) {
      answers.push([await code(as, `PUT /comments/${id}`, {}), await code(as, `DELETE /comments/${id}?force=x`)]);
    }
    const invalid = '400 rest_invalid_param';
    expect(answers).toEqual([
      ...Array(3).fill([200, invalid]),
      ...Array(2).fill(['403 rest_cannot_edit', invalid]),
      ['401 rest_cannot_edit', invalid],
    ]);
    expect(await code('contributor', `DELETE /comments/${id}`)).toBe('403 rest_cannot_delete');
    expect(await code('anonymous', `DELETE /comments/${id}`)).toBe('401 rest_cannot_delete');
  });

  it('can move it only to a post that the user may edit', async () => {
    const [own, others] = [await publish('author'), await publish('editor')];
    const id = await written('editor', own);
    expect(await code('author', `PUT /comments/${id}`, { post: others })).toBe('403 rest_cannot_edit');
    expect(await code('author', `PUT /comments/${id}`, { post: 4711 })).toBe('403 rest_comment_invalid_post_id');
    expect((await site.call('editor', `PUT /comments/${id}`, { post: others })).body.post).toBe(others);
    expect(await code('author', `PUT /comments/${id}`, {})).toBe('403 rest_cannot_edit');
    expect((await site.call('editor', `PUT /comments/${id}`, { post: 0 })).body).toMatchObject({
      post: 0,
      link: `#comment-${id}`,
    });
    expect([await code('author', `GET /comments/${id}`), await code('editor', `GET /comments/${id}`)]).toEqual([
      '403 rest_cannot_read',
      200,
    ]);
  });

  it('records the address and user agent of the save', async () => {
    const id = await written('administrator', await publish(), { author_ip: '192.0.2.1', author_user_agent: 'One' });
    const saved = (body: object, agent: string) =>
      site.call('administrator', `PUT /comments/${id}`, body, { headers: { 'user-agent': agent } });
    expect((await saved({}, 'Two')).body).toMatchObject({ author_ip: '127.0.0.1', author_user_agent: 'Two' });
    const named = { author_ip: '2001:db8::1', author_user_agent: 'Three' };
    expect((await saved(named, 'Four')).body).toMatchObject(named);
  });

  it('can empty name and email address, but not the content', async () => {
    const id = await written('editor', await publish());
    const { body } = await site.call('editor', `PUT /comments/${id}`, {
      author_name: '',
      author_email: null,
      parent: null,
    });
    expect(body).toMatchObject({ author: 2, author_name: '', author_email: '', parent: 0 });
    for (const content of ['', ' ', '0', { raw: '' }]) {
      expect(await code('editor', `PUT /comments/${id}`, { content })).toBe('400 rest_comment_content_invalid');
    }
    for (const content of [5, null, ['x']]) expect(await code('editor', `PUT /comments/${id}`, { content })).toBe(200);
    expect(await code('editor', `PUT /comments/${id}`, { author: 0 })).toBe('400 rest_comment_author_invalid');
  });

  it('appends no event when nothing changes', async () => {
    const id = await written('administrator', await publish());
    await site.call('administrator', `PUT /comments/${id}`, {});
    const before = site.position();
    expect(await code('administrator', `PUT /comments/${id}`, { status: 'bogus' })).toBe(200);
    expect(site.position()).toBe(before);
  });
});

describe('the trash of comments', () => {
  it('takes a comment once; deleting it moves its replies up', async () => {
    const post = await publish();
    const first = await written('editor', post);
    const answer = await written('editor', post, { parent: first });
    const second = await written('editor', post, { parent: answer });
    expect((await site.call('editor', `DELETE /comments/${answer}`)).body.status).toBe('trash');
    expect(await code('editor', `DELETE /comments/${answer}`)).toBe('410 rest_already_trashed');
    const { body } = await site.call('editor', `DELETE /comments/${answer}?force=true`);
    expect(body).toMatchObject({
      deleted: true,
      previous: { id: answer, status: 'trash', author_email: 'editor@example.org' },
    });
    expect(body.previous).not.toHaveProperty('_links');
    expect((await site.call('anonymous', `GET /comments/${second}`)).body.parent).toBe(first);
  });

  it('takes comments with their post, but does not restore them with it', async () => {
    const post = await publish('editor');
    const ids = [
      await written('editor', post),
      await written('subscriber', post),
      await written('editor', post, { status: 'trash' }),
    ];
    const statuses = async () => {
      const { body } = await site.call('editor', `GET /comments?post=${post}&status=any&order=asc`);
      return body.map(({ status }: { status: string }) => status);
    };
    expect(await statuses()).toEqual(['approved', 'hold', 'trash']);
    await site.call('editor', `DELETE /posts/${post}`);
    expect(await statuses()).toEqual(Array(3).fill('post-trashed'));
    expect(
      (await site.call('editor', `GET /comments?post=${post}&status=post-trashed`)).headers.get('x-cms-total'),
    ).toBe('3');
    await site.call('editor', `PUT /posts/${post}`, { status: 'publish' });
    expect(await statuses()).toEqual(Array(3).fill('post-trashed'));
    await site.call('editor', `PUT /comments/${ids[0]}`, { status: 'approve' });
    await site.call('editor', `PUT /comments/${ids[1]}`, { status: 'untrash' });
    expect(await statuses()).toEqual(['approved', 'hold', 'post-trashed']);
    await site.call('editor', `DELETE /posts/${post}?force=true`);
    for (const id of ids) expect(await code('editor', `GET /comments/${id}`)).toBe('404 rest_comment_invalid_id');
    expect((await site.call('editor', `GET /comments?post=${post}&status=any`)).body).toEqual([]);
  });
});

describe('a note', () => {
  const note = { type: 'note', content: 'A note' };

  it('is limited to those who may edit the post, allowed on drafts, and exempt from the flood limit', async () => {
    const draft = await site.make('contributor', '/posts', { title: 'Draft' });
    const answers: unknown[] = [];
    for (const as of everybody) answers.push(await code(as, 'POST /comments', { post: draft, ...note }));
    const refused = '403 rest_cannot_create_note';
    expect(answers).toEqual([201, 201, refused, 201, refused, '401 rest_comment_login_required']);
    expect(await code('contributor', 'POST /comments', { post: draft, ...note })).toBe(201);
    const { body } = await site.call('contributor', 'POST /comments', { post: draft, ...note, status: 'hold' });
    expect(body).toMatchObject({ type: 'note', status: 'hold' });
    const listed = `GET /comments?post=${draft}&type=note&status=all&context=edit`;
    expect([await code('contributor', listed), await code('author', listed)]).toEqual([
      200,
      '403 rest_cannot_read_post',
    ]);
    expect((await site.call('contributor', listed)).body).toHaveLength(5);
    expect((await site.call('contributor', `GET /comments?post=${draft}&status=all`)).body).toEqual([]);
  });

  it('can resolve another without content; replies follow their note into the trash', async () => {
    const post = await publish();
    const { body: first } = await site.call('author', 'POST /comments', { post, ...note });
    const resolved = { post, type: 'note', parent: first.id, meta: { _wp_note_status: 'resolved' } };
    const { status, body } = await site.call('author', 'POST /comments', resolved);
    expect([status, body.meta]).toEqual([201, { _wp_note_status: 'resolved' }]);
    const shown = await site.call('author', `GET /comments/${first.id}`);
    expect(shown.body._links.children[0].href).toBe(`${BASE}/comments?parent=${first.id}&type=note&status=all`);
    expect(await code('anonymous', `GET /comments/${first.id}`)).toBe('401 rest_cannot_read');
    const wrong = { ...resolved, meta: { _wp_note_status: 'done' } };
    expect(await code('author', 'POST /comments', { ...wrong, content: 'x' })).toBe('400 rest_not_in_enum');
    await site.call('author', `DELETE /comments/${first.id}`);
    expect((await site.call('author', `GET /comments/${body.id}`)).body.status).toBe('trash');
  });
});

describe('the comments of a post', () => {
  it('are embedded in it as one list, newest first, at most ten', async () => {
    const post = await publish();
    const ids: number[] = [];
    for (let i = 0; i < 11; i++) ids.push(await written('editor', post));
    const { body } = await site.call('anonymous', `GET /posts?include=${post}&_embed=replies`);
    const [replies] = body[0]._embedded.replies;
    expect(replies.map(({ id }: { id: number }) => id)).toEqual(ids.reverse().slice(0, 10));
    expect(replies[0]).not.toHaveProperty('status');
  });

  it('are not embedded when there are none, and refused behind a password', async () => {
    const post = await publish();
    expect((await site.call('anonymous', `GET /posts/${post}?_embed`)).body._embedded).not.toHaveProperty('replies');
    await site.call('author', `PUT /posts/${post}`, { password: 'shut' });
    const { body } = await site.call('anonymous', `GET /posts/${post}?_embed=replies`);
    expect(body._embedded.replies).toMatchObject([{ code: 'rest_cannot_read_post', data: { status: 401 } }]);
  });

  it('are up to date in cached answers', async () => {
    const post = await publish();
    const count = async () => (await site.call('anonymous', `GET /comments?post=${post}`)).headers.get('x-cms-total');
    expect(await count()).toBe('0');
    const id = await written('editor', post);
    expect([await count(), await count()]).toEqual(['1', '1']);
    await site.call('editor', `PUT /comments/${id}`, { status: 'hold' });
    expect(await count()).toBe('0');
  });
});

describe('a batch with comments', () => {
  it('is refused', async () => {
    const requests = [{ path: '/cms/v2/comments', body: { post: 1, content: 'x' } }];
    const { body } = await site.call('editor', 'POST /cms-json/batch/v1', { requests });
    expect(body.responses[0].body.code).toBe('rest_batch_not_allowed');
  });
});
