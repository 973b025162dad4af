import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ordered } from '../../support/erasure-order.ts';
import { rebuilt } from '../../support/rebuilding.ts';
import { type Site, startSite } from '../../support/site.ts';
import { filesWith, typed } from './support.ts';

const NAME = 'Xanthippe';
/** Three characters that the index of comments has together. */
const rare = '~#~';
const MAIL = 'xanthippe.elder@example.net';

let site: Site;
let post = 0;
beforeAll(async () => {
  site = await startSite({ env: { VISITOR_COMMENTS: '40' } });
  post = await site.make('editor', '/posts', { title: 'Dialogue', status: 'publish' });
});
afterAll(() => site.close());

/** Writes a comment of an anonymous visitor and approves it. */
async function write(content: string, more: object = {}): Promise<number> {
  site.clock.now += 60_000;
  const sent = { post, author_name: NAME, author_email: MAIL, content, ...more };
  const { body } = await site.call('anonymous', 'POST /comments', sent);
  await site.call('editor', `PUT /comments/${body.id}`, { status: 'approve' });
  return body.id;
}
const settle = () => {
  while (site.node.work());
};
const shown = async (id: number, query = '') => {
  const { status, text, body } = await site.call('administrator', `GET /comments/${id}?context=edit${query}`);
  return { status, text, body };
};

describe('erasing comments of visitors', () => {
  it('removes a comment from every file and every position, and keeps replies to it', async () => {
    const secret = await write(`Hemlockish ${rare}`);
    const answer = await site.make('editor', '/comments', { post, parent: secret, content: 'Indeed' });
    const position = site.position();
    settle();
    expect(filesWith(site.directory, 'Hemlockish').length).toBeGreaterThan(0);
    const outcome = await typed(site.node, 'erase comment', { id: String(secret), ...ordered });
    expect(outcome).toEqual({ kind: 'done', value: { erased: `comment-${secret}`, state: 'done' } });
    expect(filesWith(site.directory, 'Hemlockish')).toEqual([]);
    expect(filesWith(site.directory, rare)).toEqual([]);
    expect((await shown(secret)).status).toBe(404);
    expect((await shown(answer)).body).toMatchObject({ parent: 0, content: { raw: 'Indeed' } });
    const then = await shown(secret, `&as_of=${position}`);
    expect([then.status, then.body.content.raw, then.body.author_email]).toEqual([200, '', '']);
  });

  it('removes name and addresses for a mail address, in any letter case, and keeps the texts', async () => {
    const [one, other] = [await write('Kept words'), await write('More words', { author_email: MAIL.toUpperCase() })];
    const strange = await write('Of another', { author_name: 'Sokrates', author_email: 'sokrates@example.net' });
    const position = site.position();
    settle();
    expect(filesWith(site.directory, MAIL).length).toBeGreaterThan(0);
    expect(await typed(site.node, 'erase address', { email: MAIL, ...ordered })).toMatchObject({ kind: 'done' });
    expect(filesWith(site.directory, MAIL)).toEqual([]);
    expect(filesWith(site.directory, NAME)).toEqual([]);
    expect(site.node.store.rebuilding.state.run).toBe(0);
    for (const id of [one, other]) {
      for (const query of ['', `&as_of=${position}`]) {
        const { status, body } = await shown(id, query);
        expect([status, body.author_name, body.author_email, body.author_ip]).toEqual([200, '', '', '']);
        expect(body.content.raw).toMatch(/words/);
      }
    }
    expect((await shown(strange)).body.author_name).toBe('Sokrates');
    expect(await rebuilt(site.node.store.rebuilding, { check: true })).toMatchObject({ differences: [] });
    const page = await fetch(`http://127.0.0.1:${site.port}/dialogue/`);
    expect(await page.text()).toMatch(/Kept words/);
  });
});
