import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/index.ts';
import { type As, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const BATCH = '/cms-json/batch/v1';
const publish = (title: string, more: object = {}) =>
  site.make('administrator', '/posts', { title, status: 'publish', ...more });
const get = (path: string) => ({ method: 'GET', path: `/cms/v2${path}` });
const batch = (as: As, requests: readonly object[]) => site.call(as, `POST ${BATCH}`, { reads: true, requests });
const clientOf = (as: As, port = site.port) => {
  const [login = '', ...rest] = Buffer.from(site.authorization(as).slice(6), 'base64').toString().split(':');
  return createClient(`http://127.0.0.1:${port}/cms-json`, { login, password: rest.join(':') });
};

describe('a batch of reads', () => {
  it('has no answer larger than that of one request may be', async () => {
    const small = await startSite({ app: { answerLimit: 100_000 } });
    try {
      const content = 'x'.repeat(60_000);
      const id = await small.make('administrator', '/posts', { title: 'Long', status: 'publish', content });
      const requests = Array.from({ length: 10 }, () => get(`/posts/${id}?_fields=content`));
      const { text } = await small.call('anonymous', `POST ${BATCH}`, { reads: true, requests });
      expect(text.length).toBeLessThan(110_000);
    } finally {
      await small.close();
    }
  });

  it('writes nothing, also with a key', async () => {
    const id = await publish('Read');
    const before = site.position();
    const headers = { 'Idempotency-Key': 'of-reads' };
    const requests = [get(`/posts/${id}?_fields=title`)];
    expect((await site.call('subscriber', `POST ${BATCH}`, { reads: true, requests }, { headers })).status).toBe(207);
    expect(site.position()).toBe(before);
  });

  it('costs no more to render than one answer', async () => {
    const list = (count: number) =>
      `<!-- wp:query {"query":{"postType":"post","perPage":${count},"search":"sea","inherit":false}} --><div><!-- wp:post-template --><!-- wp:post-title /--><!-- /wp:post-template --></div><!-- /wp:query -->`;
    const content = Array.from({ length: 60 }, (_, i) => list(i + 1)).join('');
    const ids: number[] = [];
    for (let i = 0; i < 5; i += 1) ids.push(await publish(`Lists of the sea ${i}`, { content: `${content}${i}` }));
    const alone = await site.call('anonymous', `GET /posts/${ids[0]}?_fields=content`);
    expect(alone.headers.get('x-cms-truncated')).toBeNull();
    const together = await site.call('anonymous', `GET /posts?include=${ids.join(',')}&_fields=content`);
    expect(together.headers.get('x-cms-truncated')).toBe('true');
    const { headers } = await batch(
      'anonymous',
      ids.map((id) => get(`/posts/${id}?_fields=content`)),
    );
    expect(headers.get('x-cms-truncated')).toBe('true');
  });

  it('among writes shows items as they are then, lists as before, and no cursor', async () => {
    const id = await publish('Second');
    const { body } = await batch('administrator', [
      { method: 'PATCH', path: `/cms/v2/posts/${id}`, body: { title: 'Second, again', slug: 'again' } },
      get(`/posts/${id}?_fields=title`),
      get('/posts?slug=again&_fields=id'),
      get('/posts?cursor=now&per_page=1&_fields=id'),
    ]);
    const [, item, list, paged] = body.responses;
    expect(item.body.title.rendered).toBe('Second, again');
    expect(list.body).toEqual([]);
    expect(paged.body.code).toBe('rest_batch_not_allowed');
  });
});

describe('the styles of a content', () => {
  const styleOf = async (attributes: object) => {
    const content = `<!-- wp:group ${JSON.stringify(attributes)} --><div class="wp-block-group"><a href="/">a</a></div><!-- /wp:group -->`;
    const id = await publish('Styled', { content });
    return (await site.call('anonymous', `GET /posts/${id}?_fields=content.styles`)).body.content.styles;
  };

  it('have no quotation mark whose text goes over the end of a line', async () => {
    const styles = await styleOf({ style: { elements: { link: { color: { text: '"\n("' } } } } });
    expect(styles).not.toContain('("');
  });

  it('know only the words of a layout', async () => {
    const layout = {
      type: 'flex',
      orientation: 'vertical',
      justifyContent: 'constructor',
      verticalAlignment: 'toString',
    };
    expect(await styleOf({ layout })).not.toContain('function');
  });
});

describe('the blocks and styles of a content', () => {
  it('are those of a release and of a preview where one is asked for', async () => {
    const id = await publish('Blocks', { content: '<!-- wp:paragraph --><p>Now</p><!-- /wp:paragraph -->' });
    const content = '<!-- wp:columns --><div class="wp-block-columns"></div><!-- /wp:columns -->';
    const release = (await site.call('administrator', 'POST /releases', { name: 'Soon' })).body.id;
    await site.call('administrator', `PATCH /posts/${id}?release=${release}`, { content });
    const draft = await site.make('administrator', '/posts', { title: 'Draft', content });
    const token = async (of: object) => (await site.call('administrator', 'POST /previews', of)).body.token;
    const look = async (as: As, path: string) => {
      const { body } = await site.call(as, `GET ${path}&_fields=blocks,content.styles`);
      return [body.blocks.map(({ name }: { name: string }) => name), /flex-wrap:nowrap/.test(body.content.styles)];
    };
    expect(await look('anonymous', `/posts/${id}?x`)).toEqual([['core/paragraph'], false]);
    expect(await look('administrator', `/posts/${id}?release=${release}`)).toEqual([['core/columns'], true]);
    expect(await look('anonymous', `/posts/${id}?preview=${await token({ release })}`)).toEqual([
      ['core/columns'],
      true,
    ]);
    expect(await look('anonymous', `/posts/${draft}?preview=${await token({ item: draft })}`)).toEqual([
      ['core/columns'],
      true,
    ]);
  });
});

describe('FRONT_URL at the root of a host below which the store is', () => {
  it('leaves addresses of the store known', async () => {
    const below = await startSite({ env: { SITE_URL: 'http://site.example/cms', FRONT_URL: 'http://site.example' } });
    try {
      await below.make('administrator', '/posts', { title: 'Sea', status: 'publish' });
      const { body } = await below.call('anonymous', 'GET /resolve?url=http://site.example/cms/sea/');
      expect(body).toMatchObject({ kind: 'post', redirect: 'http://site.example/sea/' });
    } finally {
      await below.close();
    }
  });

  it('keeps former addresses of feeds at the store', async () => {
    const fronted = await startSite({ env: { FRONT_URL: 'https://www.front.example' } });
    try {
      const id = await fronted.make('administrator', '/posts', { title: 'Sea', status: 'publish' });
      await fronted.call('administrator', `PATCH /posts/${id}`, { slug: 'ocean' });
      const at = `http://127.0.0.1:${fronted.port}/sea/feed/`;
      const { headers } = await fetch(at, { redirect: 'manual' });
      expect(headers.get('location')).toBe('http://site.example/ocean/feed/');
    } finally {
      await fronted.close();
    }
  });
});

describe('the client', () => {
  it('does not take the answer of a redirected write for the write', async () => {
    const moved = createServer(({ url }, response) => {
      response.writeHead(301, { Location: `http://127.0.0.1:${site.port}${url}` }).end();
    });
    await new Promise<void>((done) => moved.listen(0, '127.0.0.1', done));
    try {
      const cms = clientOf('administrator', (moved.address() as AddressInfo).port);
      const written = cms.post('/cms/v2/posts', { body: { title: 'Over a redirect' } });
      const outcome = await written.then(
        ({ status }) => status,
        () => 'refused',
      );
      expect([201, 'refused']).toContain(outcome);
    } finally {
      moved.close();
    }
  });

  it('reads a list to its end though pages have fewer items than asked for', async () => {
    for (let i = 0; i < 101; i += 1) await publish(`Of others ${i}`);
    const own = await site.make('author', '/posts', { title: 'Own', status: 'publish' });
    const ids: unknown[] = [];
    for await (const one of clientOf('author').each('/cms/v2/posts', { query: { context: 'edit' } }))
      ids.push((one as { id: number }).id);
    expect(ids).toEqual([own]);
  });

  it('ends a list with an offset', async () => {
    const read = async () => {
      let count = 0;
      for await (const _ of clientOf('administrator').each('/cms/v2/posts', { query: { offset: 1 } })) count += 1;
      return count;
    };
    const late = new Promise((done) => setTimeout(done, 4000, 'endless'));
    expect(await Promise.race([read().catch(() => 'refused'), late])).not.toBe('endless');
  });
});
