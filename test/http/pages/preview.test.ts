import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
  return () => site.close();
});

const local = (link: string) => link.replace(/^https?:\/\/[^/]+/, `http://127.0.0.1:${site.port}`);
const open = async (link: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
  const answer = await fetch(local(link), { headers, redirect: 'manual', ...init });
  return { status: answer.status, headers: answer.headers, page: await answer.text() };
};
/** The whole answer to bytes, since clients would change the address. */
async function rawAnswer(request: string): Promise<string> {
  const socket = connect(site.port, '127.0.0.1');
  socket.end(request);
  return text(socket);
}

const basic = (as: As) => ({ authorization: site.credentials.get(as) ?? '' });

/** Publishes a post and autosaves other texts for it. */
async function autosaved(as: As = 'editor'): Promise<{ id: number; link: string }> {
  const id = await site.make(as, '/posts', { title: 'Public title', content: 'Public text', status: 'publish' });
  const texts = { title: 'Next title', content: 'Next text <!-- wp:latest-posts /-->' };
  const { body } = await site.call(as, `POST /posts/${id}/autosaves`, texts);
  return { id, link: body.preview_link };
}

describe('the preview link of an autosave', () => {
  it('shows the page with the autosave, to whoever has it, and leaves the public page as it is', async () => {
    const { link } = await autosaved();
    const { status, headers, page } = await open(link);
    expect([status, headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual([200, 'no-store', 'noindex']);
    expect(page).toContain('Next title');
    expect(page).toContain('Next text');
    expect(page).toContain('wp-block-latest-posts');
    expect(page).not.toContain('Public text');
    expect((await open(link.split('?')[0] ?? '')).page).toContain('Public text');
  });

  it('shows the image that the editor has chosen but not saved, if it is public, and none where it took that away', async () => {
    const uploaded = async (name: string) =>
      (await uploadBody(site, 'editor', { name, type: 'image/png', bytes: pngOf(40, 30) })).body;
    const [stored, chosen, hidden] = [
      await uploaded('stored.png'),
      await uploaded('chosen.png'),
      await uploaded('hidden.png'),
    ];
    await site.call('editor', `POST /media/${hidden.id}`, { status: 'private' });
    const { id, link } = await autosaved();
    await site.call('editor', `POST /posts/${id}`, { featured_media: stored.id });
    const shown = async (image: number) => {
      const { page } = await open(`${link}&_thumbnail_id=${image}`);
      return ['stored', 'chosen', 'hidden'].filter((name) => page.includes(`/${name}`));
    };
    expect(await shown(chosen.id)).toEqual(['chosen']);
    expect(await shown(-1)).toEqual([]);
    expect(await shown(hidden.id)).toEqual([]);
  });

  it('shows the lists of posts that the page will show', async () => {
    await site.make('editor', '/posts', { title: 'Listed post', status: 'publish' });
    const id = await site.make('editor', '/posts', { title: 'With a list', status: 'publish' });
    const content =
      '<!-- cms:builder/posts {"bldQueryId":"q","numberOfItems":9} --><i>!#title!#</i><!-- /cms:builder/posts -->';
    const { body } = await site.call('editor', `POST /posts/${id}/autosaves`, { content });
    expect((await open(body.preview_link)).page).toContain('<i>Listed post</i>');
  });

  it('names in its lists nothing that is not public, whoever made the link', async () => {
    await site.make('editor', '/posts', { title: 'Secret plan', status: 'private' });
    await site.make('editor', '/posts', { title: 'Unfinished', status: 'draft' });
    const id = await site.make('editor', '/posts', { title: 'With a query', status: 'publish' });
    const lists = ['publish', 'private', 'any'].map(
      (status) =>
        `<!-- wp:query {"query":{"perPage":50,"postType":"post","inherit":false,"status":"${status}"}} --><div class="wp-block-query"><!-- wp:post-template --><!-- wp:post-title /--><!-- /wp:post-template --></div><!-- /wp:query -->`,
    );
    const content = `${lists.join('')}<!-- wp:latest-posts {"postsToShow":50} /-->`;
    const { body } = await site.call('editor', `POST /posts/${id}/autosaves`, { content });
    const { page } = await open(body.preview_link);
    expect(page).toContain('Listed post');
    expect(page).not.toMatch(/Secret plan|Unfinished/);
  });

  it('is that of its own user', async () => {
    const { id, link } = await autosaved();
    const { body } = await site.call('administrator', `POST /posts/${id}/autosaves`, { content: 'Another text' });
    expect((await open(link)).page).toContain('Next text');
    expect((await open(body.preview_link)).page).toContain('Another text');
  });

  it('is valid for this entry alone, for two days, unchanged, and as long as the credential', async () => {
    const { link } = await autosaved();
    const other = await autosaved();
    const asked = async (address: string) => (await open(address)).page.includes('Next text');
    expect(await asked(link)).toBe(true);
    expect(await asked(link.replace(/preview_id=\d+/, `preview_id=${other.id}`))).toBe(false);
    expect(
      await asked(
        link.replace(/(preview_nonce=\w+)\w(?=&)/, (_, rest) => `${rest}${link.includes(`${rest}0&`) ? 1 : 0}`),
      ),
    ).toBe(false);
    expect(await asked(link.replace(/(preview_nonce=\w{32})\w{8}/, '$1ffffffff'))).toBe(false);
    site.clock.now += 49 * 3_600_000;
    expect(await asked(link)).toBe(false);
  });

  it('shows what a protected or private post would show', async () => {
    const id = await site.make('editor', '/posts', { title: 'T', content: 'Locked text', status: 'private' });
    const { body } = await site.call('editor', `POST /posts/${id}/autosaves`, { content: 'Private next' });
    expect((await open(body.preview_link)).page).toContain('Private next');
  });
});

describe('a preview of a draft', () => {
  it('is for those who may edit it: with their credentials, or after a login', async () => {
    const id = await site.make('author', '/posts', { title: 'Drafted', content: 'Draft text' });
    const link = `http://site.example/?p=${id}&preview=true`;
    expect((await open(link, basic('author'))).page).toContain('Draft text');
    expect((await open(link, basic('contributor'))).status).toBe(404);
    const asked = await open(link);
    expect(asked.status).toBe(401);
    expect(asked.page).not.toContain('Draft text');
    const token = /name="token" value="([^"]+)"/.exec(asked.page)?.[1] ?? '';
    const cookie = asked.headers.get('set-cookie')?.split(';')[0] ?? '';
    const [login = '', password = ''] = Buffer.from(basic('author').authorization.slice(6), 'base64')
      .toString()
      .split(/:(.*)/s);
    const send = (fields: Record<string, string>, headers: Record<string, string> = { cookie }) =>
      open(link, headers, { method: 'POST', body: new URLSearchParams({ form: 'preview', token, login, ...fields }) });
    expect((await send({ password: 'wrong' })).status).toBe(401);
    expect((await send({ password }, {})).status).toBe(403);
    const logged = await send({ password });
    expect([logged.status, logged.headers.get('location')]).toEqual([303, `/?p=${id}&preview=true`]);
    const session = logged.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await open(link, { cookie: session })).page).toContain('Draft text');
    // The session shows nothing without the parameter.
    expect((await open(`http://site.example/?p=${id}`, { cookie: session })).status).toBe(404);
  });

  it.each(['//elsewhere.test/', '///elsewhere.test/', '/\\elsewhere.test/', '/\\/elsewhere.test/'])(
    'leads to this site after a login at %s',
    async (path) => {
      const at = (headers: string, body = '') =>
        rawAnswer(
          `${body === '' ? 'GET' : 'POST'} ${path}?p=1&preview=true HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`,
        );
      const asked = await at('Connection: close');
      const token = /name="token" value="([^"]+)"/.exec(asked)?.[1] ?? '';
      const cookie = /set-cookie: ([^;]+)/i.exec(asked)?.[1] ?? '';
      const [login = '', password = ''] = Buffer.from(basic('author').authorization.slice(6), 'base64')
        .toString()
        .split(/:(.*)/s);
      const form = new URLSearchParams({ form: 'preview', token, login, password }).toString();
      const type = 'Content-Type: application/x-www-form-urlencoded';
      const logged = await at(
        `Connection: close\r\nCookie: ${cookie}\r\n${type}\r\nContent-Length: ${form.length}`,
        form,
      );
      expect(logged).toMatch(/^HTTP\/1.1 303/);
      expect(/location: (.*)\r/i.exec(logged)?.[1]).toBe('/elsewhere.test/?p=1&preview=true');
    },
  );

  it('asks for a login whether or not there is such an entry', async () => {
    const id = await site.make('author', '/posts', { title: 'Secret' });
    const [there, missing] = [
      await open(`http://x/?p=${id}&preview=true`),
      await open('http://x/?p=99999&preview=true'),
    ];
    const plain = (page: string) => page.replace(/value="[^"]*"/g, '');
    expect([missing.status, plain(missing.page)]).toEqual([there.status, plain(there.page)]);
  });
});
