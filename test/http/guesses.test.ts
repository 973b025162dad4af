import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../support/site.ts';

let site: Site;
let post: number;
let counted: string[];

beforeEach(async () => {
  counted = [];
  site = await startSite({
    guessLimit: 3,
    requestMeter: {
      request: () => undefined,
      read: () => undefined,
      attempt: (kind, outcome) => counted.push(`${kind} ${outcome}`),
    },
  });
  const meta = { footnotes: '[{"id":"a","content":"secret note"}]' };
  const locked = { title: 'Locked', content: 'x', status: 'publish', password: 'open sesame', meta };
  post = await site.make('editor', '/posts', locked);
});

afterEach(() => site.close());

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const { status, headers: got, body } = await site.call('anonymous', `GET ${path}`, undefined, { headers });
  return { status, wait: got.get('retry-after'), auth: got.get('x-cms-auth'), body };
};
const page = async (password: string) =>
  (await fetch(`http://127.0.0.1:${site.port}/locked/`, { method: 'POST', body: new URLSearchParams({ password }) }))
    .status;
const wrong = { authorization: `Basic ${Buffer.from('administrator:wrong').toString('base64')}` };

const guess = (login: string, n: number) => ({
  authorization: `Basic ${Buffer.from(`${login}:wrong ${n}`).toString('base64')}`,
});
const passwordOf = (as: As) => Buffer.from(site.authorization(as).slice(6), 'base64').toString().split(':')[1] ?? '';

describe('wrong credentials', () => {
  it('are treated as anonymous, reported in X-CMS-Auth, and answered with 429 after a few; known logins still work', async () => {
    const path = `/posts/${post}?_fields=id`;
    for (let i = 0; i < 3; i++)
      expect(await ask(path, wrong)).toMatchObject({ status: 200, auth: 'failed', wait: null });
    const more = await ask(path, wrong);
    expect(more).toMatchObject({ status: 429, auth: 'failed', wait: '300' });
    expect(more.body).toMatchObject({ code: 'rest_too_many_attempts', data: { status: 429, retry_after: 300 } });
    expect((await site.call('editor', `GET ${path}`)).status).toBe(200);
    expect(await ask(path)).toMatchObject({ status: 200, auth: null });
    expect(counted).toEqual(['login failed', 'login failed', 'login failed', 'login refused']);
    site.clock.now += 300_000;
    expect((await ask(path, wrong)).status).toBe(200);
  });

  it('are told in the message of what is refused for them, on reads and writes; its code and data stay', async () => {
    const sentence = 'The login or the application password that was sent is wrong.';
    for (const [request, body, code] of [
      ['POST /posts', { title: 'x' }, 'rest_cannot_create'],
      ['GET /users/me', undefined, 'rest_not_logged_in'],
    ] as const) {
      const refused = async (headers: Record<string, string>) =>
        (await site.call('anonymous', request, body, { headers })).body;
      const [plain, told] = [await refused({}), await refused(wrong)];
      expect(told).toEqual({ code, message: `${plain.message} ${sentence}`, data: plain.data });
    }
  });

  it('never keep a valid application password out', async () => {
    const fresh = `Basic ${Buffer.from(`Editor:${passwordOf('editor')}`).toString('base64')}`;
    for (let i = 0; i < 9; i++) await ask('/posts', guess('editor', i));
    expect((await ask('/posts', guess('editor', 9))).status).toBe(429);
    expect(await ask('/users/me', { authorization: fresh })).toMatchObject({ status: 200, auth: null, wait: null });
    expect((await ask('/posts', guess('editor', 10))).status).toBe(429);
  });

  it('are reported on cached answers as well', async () => {
    for (let i = 0; i < 3; i++) await ask(`/posts/${post}`);
    expect((await ask(`/posts/${post}`, wrong)).auth).toBe('failed');
    expect((await ask(`/posts/${post}`)).auth).toBeNull();
  });
});

describe('passwords of protected posts', () => {
  it('are limited to a few guesses per post', async () => {
    const other = await site.make('editor', '/posts', { title: 'Other', status: 'publish', password: 'x' });
    for (let i = 0; i < 3; i++) expect((await ask(`/posts/${post}?password=wrong${i}`)).status).toBe(403);
    expect(await ask(`/posts/${post}?password=open+sesame`)).toMatchObject({ status: 429, wait: '300' });
    expect(await page('open sesame')).toBe(429);
    expect((await ask(`/posts/${post}`)).status).toBe(200);
    expect((await ask(`/posts/${other}?password=wrong`)).status).toBe(403);
    site.clock.now += 300_000;
    expect((await ask(`/posts/${post}?password=open+sesame`)).status).toBe(200);
    expect(counted.filter((one) => one === 'post failed')).toHaveLength(4);
  });

  it('are limited to a few guesses on its page', async () => {
    for (let i = 0; i < 3; i++) expect(await page(`wrong ${i}`)).toBe(403);
    expect(await page('open sesame')).toBe(429);
  });

  it('are limited to a few guesses on collections', async () => {
    for (let i = 0; i < 3; i++) expect((await ask(`/posts?password=wrong${i}`)).status).toBe(200);
    expect((await ask('/posts?password=open+sesame')).status).toBe(429);
    expect((await ask('/posts')).status).toBe(200);
  });

  it('are limited to a few guesses in bodies', async () => {
    const guess = async (password: string) => {
      const body = new URLSearchParams({ password }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return (await site.call('anonymous', `POST /posts/${post}?_method=GET`, body, { headers })).status;
    };
    for (let i = 0; i < 3; i++) expect(await guess(`wrong ${i}`)).toBe(200);
    expect(await guess('open sesame')).toBe(429);
  });

  it('do not count as guesses when they are correct', async () => {
    for (let i = 0; i < 9; i++) {
      expect((await ask(`/posts/${post}?password=open+sesame&x=${i}`)).body.content.rendered).toContain('x');
      expect((await ask(`/posts?password=open+sesame&x=${i}`)).status).toBe(200);
      expect(await page('open sesame')).toBe(200);
    }
  });
});

describe('footnotes of a protected post', () => {
  it('are hidden without the password, in items and collections', async () => {
    const notes = async (path: string) => [(await ask(path)).body].flat()[0].meta.footnotes;
    for (const path of [`/posts/${post}`, '/posts', `/posts/${post}?_fields=meta`]) expect(await notes(path)).toBe('');
    for (const path of [`/posts/${post}`, '/posts']) {
      expect(await notes(`${path}?password=open+sesame`)).toContain('secret note');
    }
    const edited = await site.call('editor', `GET /posts/${post}?context=edit`);
    expect(edited.body.meta.footnotes).toContain('secret note');
    const then = await site.call('editor', `GET /posts/${post}?as_of=${site.position()}`);
    expect(then.body.meta.footnotes).toBe('');
  });
});
