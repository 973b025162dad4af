import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Site } from '../../support/site.ts';
import { siteWithHistory } from './history.ts';

let site: Site;

beforeAll(async () => {
  site = await siteWithHistory();
});

afterAll(() => site.close());

const get = (path: string) => site.call('administrator', `GET /audit${path}`);
const items = async (path: string) => (await get(path)).body;

describe('GET /audit', () => {
  it('answers administrators alone', async () => {
    for (const path of ['', '/1', '/blame/1', '/public']) {
      expect((await site.call('anonymous', `GET /audit${path}`)).status).toBe(401);
      for (const as of ['subscriber', 'author', 'editor'] as const) {
        const { status, body } = await site.call(as, `GET /audit${path}`);
        expect([status, body.code]).toEqual([403, 'rest_forbidden']);
      }
    }
  });

  it('says who changed a field of an entry, when, and from what to what', async () => {
    const found = await items('?entry=1&field=title');
    expect(found.map((one: { fields: unknown }) => one.fields)).toEqual([
      [{ name: 'title', label: 'title', before: 'First words', after: 'First words, revised', is_cut: false }],
      [{ name: 'title', label: 'title', before: '', after: 'First words', is_cut: false }],
    ]);
    expect(found[0]).toMatchObject({
      user: { name: 'author' },
      label: 'Texts changed',
      summary: 'edited title',
      subject: { kind: 'post', id: 1, title: 'First words, revised', title_then: 'First words, revised' },
    });
    expect(found[1].subject).toMatchObject({ title: 'First words, revised', title_then: 'First words' });
  });

  it('finds words in old and in new texts', async () => {
    const summaries = async (path: string) => (await items(path)).map(({ summary }: { summary: string }) => summary);
    expect(await summaries('?text=hardly')).toEqual(['edited content']);
    expect(await summaries('?text=Nobody%20read')).toEqual(['edited content', 'wrote it as a draft']);
    expect(await summaries('?text=first%20hardly')).toEqual([]);
  });

  it('knows statuses and slugs as fields', async () => {
    const [trashed] = await items('?field=status&type=EntryTrashed');
    expect(trashed.fields).toEqual([
      { name: 'status', label: 'status', before: 'publish', after: 'trash', is_cut: false },
    ]);
    const [slug] = await items('?entry=1&field=slug');
    expect(slug.fields).toMatchObject([{ before: '', after: 'first-words' }]);
  });

  it('shows every event once across its pages', async () => {
    const seen: number[] = [];
    for (let path: string | undefined = '?per_page=37'; path !== undefined; ) {
      const { body, headers } = await get(path);
      seen.push(...body.map(({ position }: { position: number }) => position));
      const link = headers.get('link') ?? '';
      path = /audit(\?[^>]*)>; rel="next"/.exec(link)?.[1];
    }
    const head = site.position();
    expect(seen).toEqual(Array.from({ length: head }, (_, i) => head - i));
  });

  it.each([
    ['?user=nobody', 'invalid_username'],
    ['?type=EntryEaten', 'invalid_type'],
    ['?field=colour', 'invalid_field'],
    ['?from=soon', 'invalid_period'],
    ['?entry=twelve', 'invalid_entry'],
    ['?entry=1&stream=site', 'invalid_filter'],
    ['?per_page=0', 'rest_invalid_param'],
    ['?format=xml', 'rest_invalid_param'],
    ['/blame/1?field=slug', 'invalid_field'],
    ['/public?from=soon', 'invalid_period'],
  ])('explains what is wrong with %s', async (path, code) => {
    const { status, body } = await get(path);
    expect([status, body.code]).toEqual([400, code]);
  });

  it.each(['/999999', '/blame/4711'])('answers 404 for %s', async (path) => {
    const { status, body } = await get(path);
    expect([status, body.code]).toEqual([404, 'rest_audit_not_found']);
  });

  it('answers a table as CSV with a line for each changed field', async () => {
    const headers = { authorization: site.authorization('administrator') };
    const url = `http://127.0.0.1:${site.port}/cms-json/cms/v2/audit?entry=1&field=title&format=csv`;
    const response = await fetch(url, { headers });
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    const [head = '', first = ''] = (await response.text()).split('\r\n');
    expect(head).toMatch(/^position,time,user id,.*,fields,before,after$/);
    expect(first).toMatch(/,title,First words,"First words, revised"$/);
  });
});

describe('GET /audit/<position>', () => {
  it('shows an event as it is stored', async () => {
    const [{ position }] = await items('?entry=1&field=content');
    const { body } = await get(`/${position}`);
    expect(body.fields).toMatchObject([
      { before: expect.stringContaining('Nobody'), after: expect.stringContaining('Hardly') },
    ]);
    expect(body.raw).toMatchObject({ sealed: { content: expect.stringContaining('Hardly') }, commit: { index: 0 } });
  });

  it('shows no secrets', async () => {
    const [{ position }] = await items('?type=UserPasswordIssued');
    expect((await get(`/${position}`)).body.raw.sealed).toEqual({ digest: '(not shown)' });
  });
});

describe('GET /audit/blame', () => {
  it('names the writer of each sentence', async () => {
    const { body } = await get('/blame/1');
    expect(body.sentences.map((one: { text: string; user: { name: string } }) => [one.text, one.user.name])).toEqual([
      ['It began.', 'author'],
      ['Hardly anybody read it.', 'author'],
      ['The end.', 'author'],
    ]);
    expect(new Set(body.sentences.map(({ position }: { position: number }) => position)).size).toBe(2);
  });
});

describe('GET /audit/public', () => {
  it('lists what was public at any time in a period, and why', async () => {
    const [page] = (await items('/public?entry=4')) as { id: number; spans: { from: unknown; to: unknown }[] }[];
    expect(page?.spans).toMatchObject([
      { from: { reason: 'written and published' }, to: { reason: 'moved to the trash' } },
    ]);
    const first = await items('/public?from=2026-03-01&to=2026-03-01');
    expect(first.map(({ id }: { id: number }) => id)).toEqual([6, 5, 4, 3, 1]);
    expect(await items('/public?entry=4711')).toEqual([]);
  });

  it('lists what had a password only for whoever asks for its number', async () => {
    const body = { title: 'Protected', status: 'publish', password: 'vellum' };
    const id = await site.make('editor', '/posts', body);
    expect((await items('/public?per_page=1000')).map((one: { id: number }) => one.id)).not.toContain(id);
    expect(await items(`/public?entry=${id}`)).toMatchObject([{ id, spans: [] }]);
  });
});
