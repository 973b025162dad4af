import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE, SITE, type Site, startSite } from '../../support/site.ts';
import { fetchFile, filesKept, pngOf, send, uploadBody, uploadForm } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const text = (name: string, bytes = `text of ${name}`) => ({ name, type: 'text/plain', bytes });

describe('an upload', () => {
  it('as a body is named by Content-Disposition and served unchanged', async () => {
    const { status, headers, body } = await uploadBody(site, 'author', text('First notes.txt'));
    expect([status, headers.get('location')]).toEqual([201, `${BASE}/media/${body.id}`]);
    expect([body.title.raw, body.slug, body.source_url]).toEqual([
      'First-notes',
      'first-notes',
      `${SITE}/uploads/2026/03/First-notes.txt`,
    ]);
    const file = await fetchFile(site, body.source_url);
    expect([await file.text(), file.headers.get('content-type')]).toEqual([
      'text of First notes.txt',
      'text/plain; charset=utf-8',
    ]);
  });

  it('takes other fields from the query', async () => {
    const query = 'title=Named&alt_text=Alt&caption=Cap&description=Desc&slug=own-name&comment_status=closed';
    const { body } = await uploadBody(site, 'author', text('q.txt'), { query });
    expect([
      body.title.raw,
      body.alt_text,
      body.caption.raw,
      body.description.raw,
      body.slug,
      body.comment_status,
    ]).toEqual(['Named', 'Alt', 'Cap', 'Desc', 'own-name', 'closed']);
  });

  it('as a form takes other fields from parts before and after the file', async () => {
    const form = new FormData();
    form.append('title', 'Before');
    form.append('file', new Blob(['x y'], { type: 'text/plain' }), 'Mein Brief.txt');
    form.append('alt_text', 'Behind');
    const { status, body } = await send(site, 'author', { body: form, headers: {} });
    expect([status, body.title.raw, body.alt_text, body.source_url]).toEqual([
      201,
      'Before',
      'Behind',
      `${SITE}/uploads/2026/03/Mein-Brief.txt`,
    ]);
  });

  it('as a form without a title is titled after the file', async () => {
    const { body } = await uploadForm(site, 'author', text('Übersicht (neu).txt'));
    expect([body.title.raw, body.source_url]).toEqual(['Übersicht (neu)', `${SITE}/uploads/2026/03/Ubersicht-neu.txt`]);
  });

  it('decodes file names in other scripts', async () => {
    const name = Buffer.from('日本.txt', 'utf8').toString('latin1');
    const { body } = await uploadBody(site, 'author', text(name));
    expect(body.source_url).toBe(`${SITE}/uploads/2026/03/日本.txt`);
    expect((await fetchFile(site, body.source_url)).status).toBe(200);
  });

  it.each([
    ['form-data; name="file"; filename="a1.txt"', 'a1.txt'],
    ['inline; filename=a2.txt', 'a2.txt'],
    ['file;filename=a3.txt', 'a3.txt'],
    ["attachment; filename*=UTF-8''n%C3%A4me.txt", 'name.txt'],
    ["attachment; filename*=UTF-8''other.txt; filename=a4.txt", 'a4.txt'],
  ])('has the name in the Content-Disposition %s', async (value, name) => {
    const file = { name: 'x.txt', type: 'text/plain', bytes: `Text of ${name}` };
    const { status, body } = await uploadBody(site, 'author', file, { headers: { 'content-disposition': value } });
    expect([status, body.filename]).toEqual([201, name]);
  });

  it('is accepted with a matching Content-MD5', async () => {
    const md5 = createHash('md5').update('checked').digest('hex');
    const headers = { 'content-md5': md5 };
    expect((await uploadBody(site, 'author', text('md5.txt', 'checked'), { headers })).status).toBe(201);
    expect((await uploadForm(site, 'author', text('md5.txt', 'checked'), { headers })).status).toBe(201);
  });

  it('may be chunked', async () => {
    const pieces = ['one ', 'two ', 'three'];
    const stream = ReadableStream.from(pieces.map((piece) => Buffer.from(piece)));
    const headers = { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename=pieces.txt' };
    const { body } = await send(site, 'author', { body: stream, headers });
    expect(await (await fetchFile(site, body.source_url)).text()).toBe('one two three');
  });

  it('may have a form as its file, whose fields count as parameters', async () => {
    const file = { name: 'form.txt', type: 'application/x-www-form-urlencoded', bytes: 'title=From+the+body&x=1' };
    const { status, body } = await uploadBody(site, 'author', file);
    expect([status, body.title.raw, body.filesize]).toEqual([201, 'From the body', 23]);
  });

  it('can be attached to an entry, and is stored under the month of its date', async () => {
    const post = await site.make('author', '/posts', { title: 'Host', status: 'publish', date: '2019-04-05T06:07:08' });
    const { body } = await uploadBody(site, 'author', text('below.txt'), { query: `post=${post}` });
    expect([body.post, body.link, body.source_url]).toEqual([
      post,
      `${SITE}/host/below/`,
      `${SITE}/uploads/2019/04/below.txt`,
    ]);
    expect(body._links['cms:attached-to'][0].href).toBe(`${BASE}/posts/${post}`);
  });

  it('attached to a page is stored under the current month', async () => {
    const page = await site.make('editor', '/pages', {
      title: 'Old page',
      status: 'publish',
      date: '2018-01-02T03:04:05',
    });
    const { body } = await uploadBody(site, 'editor', text('paged.txt'), { query: `post=${page}` });
    expect(body.source_url).toBe(`${SITE}/uploads/2026/03/paged.txt`);
  });

  it('with an Idempotency-Key is executed once', async () => {
    const headers = { 'idempotency-key': 'upload-1' };
    const first = await uploadBody(site, 'author', text('once.txt'), { headers });
    const position = site.position();
    const again = await uploadBody(site, 'author', text('once.txt'), { headers });
    expect([again.status, again.body.id, site.position()]).toEqual([201, first.body.id, position]);
    const other = await uploadBody(site, 'author', text('once.txt', 'other bytes'), { headers });
    expect(other.body.code).toBe('rest_idempotency_key_reused');
  });

  it('stores equal bytes once', async () => {
    const bytes = pngOf(3, 3);
    const before = filesKept(site).length;
    for (const name of ['same.png', 'same.png', 'other.png'])
      await uploadBody(site, 'author', { name, type: 'image/png', bytes });
    expect(filesKept(site)).toHaveLength(before + 1);
  });
});

describe('file names', () => {
  const nameOf = async (name: string, bytes = `bytes of ${name}`) =>
    (await uploadBody(site, 'author', text(name, bytes))).body.source_url?.split('/').at(-1);

  it('get a number when they are taken, ignoring case', async () => {
    expect([await nameOf('twice.txt'), await nameOf('TWICE.TXT'), await nameOf('twice.txt')]).toEqual([
      'twice.txt',
      'TWICE-1.txt',
      'twice-2.txt',
    ]);
  });

  it.each([
    ['a b  c.txt', 'a-b-c.txt'],
    ['..hidden.txt', 'hidden.txt'],
    ['../../etc/passwd.txt', 'etcpasswd.txt'],
    ['run.php.txt', 'run.php_.txt'],
    ['size-300x200.txt', 'size-300x200-1.txt'],
    ['it-scaled.txt', 'it-scaled-1.txt'],
    ["quo'te%20&.txt", 'quote20.txt'],
  ])('%s becomes %s', async (given, kept) => {
    expect(await nameOf(given)).toBe(kept);
  });

  it('are truncated when they are too long', async () => {
    expect((await nameOf(`${'ü'.repeat(300)}.txt`))?.length).toBeLessThan(200);
  });

  it('are never reused for other bytes, only for the same ones', async () => {
    const { body } = await uploadBody(site, 'author', text('gone.txt', 'old'));
    await site.call('author', `DELETE /media/${body.id}?force=true`);
    expect((await fetchFile(site, body.source_url)).status).toBe(404);
    expect(await nameOf('gone.txt', 'new')).toBe('gone-1.txt');
    expect(await nameOf('gone.txt', 'old')).toBe('gone.txt');
    expect(await (await fetchFile(site, body.source_url)).text()).toBe('old');
  });
});
