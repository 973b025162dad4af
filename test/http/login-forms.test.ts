import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ guessLimit: 4 });
});
afterAll(() => site.close());

const forms = [
  ['the audit pages', '/cms-audit/', '/cms-audit/login', {}],
  ['the page that authorizes applications', ...twice('/authorize-application?app_name=Pocket'), { do: 'login' }],
  ['previews', ...twice('/?p=1&preview=true'), { form: 'preview' }],
] as const;

function twice(path: string) {
  return [path, path] as const;
}

/** Sends a form `count` times at once, each with another login. */
async function guess([shown, sentTo, fields]: readonly [string, string, object], count: number) {
  const root = `http://127.0.0.1:${site.port}`;
  const asked = await fetch(root + shown);
  const token = /name="token" value="([^"]+)"/.exec(await asked.text())?.[1] ?? '';
  const headers = { cookie: asked.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const sent = Array.from({ length: count }, async (_, i) => {
    const body = new URLSearchParams({ ...fields, token, login: `nobody-${i}`, password: 'wrong' });
    const answer = await fetch(root + sentTo, { method: 'POST', headers, body, redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  });
  return Promise.all(sent);
}

describe.each(forms)('the login form of %s', (_, ...form) => {
  it('answers 503 while too many logins wait, and 429 to too many wrong passwords', async () => {
    site.clock.now += 60 * 60 * 1000;
    const answers = await guess(form, 60);
    const by = (status: number) => answers.filter((answer) => answer.status === status);
    expect(by(401).length + by(429).length + by(503).length).toBe(60);
    for (const { headers } of [...by(401), ...by(429)]) expect(headers.get('x-cms-auth')).toBe('failed');
    const [busy] = by(503);
    expect([busy?.headers.get('retry-after'), busy?.headers.get('x-cms-auth')]).toEqual(['5', null]);
    expect(busy?.text).toContain('The server is busy');
    const [wrong] = by(429);
    expect(wrong?.text).toContain('Too many wrong passwords');
    expect(Number(wrong?.headers.get('retry-after'))).toBeGreaterThan(5);
  });
});
