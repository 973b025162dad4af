import { describe, expect, it } from 'vitest';
import { perform } from '../support/acts.ts';
import { openTestNode } from '../support/node.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { typeVerb } from '../support/verbs.ts';

async function heldSite() {
  const folder = temporaryDirectory();
  await typeVerb(folder, ['user', 'add', 'hilda', '--role', 'administrator']);
  await typeVerb(folder, ['user', 'add', 'ada', '--role', 'editor']);
  const { node } = await openTestNode(folder);
  for (const title of ['Held', 'Free']) {
    await node.store.submit({ viewer: { id: 1, role: 'administrator' }, correlationId: 'test' }, (session) =>
      perform(session, { do: 'create', kind: 'post', fields: { title } }),
    );
  }
  await node.close();
  return { folder, verb: (...args: string[]) => typeVerb(folder, args) };
}

const why = ['--as', 'hilda', '--reason', 'Case 7/26'];
const erasing = ['--yes', '--as', 'hilda', '--reason', 'Order 1'];

describe('a legal hold', () => {
  it('keeps an item or an account from being erased, says until when, and is lifted by an administrator', async () => {
    const { verb } = await heldSite();
    expect((await verb('hold', 'add', 'entry-1', '--until', '2099-12-31', ...why)).status).toBe(0);
    expect((await verb('hold', 'add', 'user-2', '--until', '2099-12-31', ...why)).status).toBe(0);
    const refused = await verb('erase', 'entry', '1', ...erasing);
    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringContaining('on legal hold 1 until 2099-12-31 (Case 7/26)'),
    ]);
    expect((await verb('erase', 'user', 'ada', ...erasing)).err).toContain('legal hold 2');
    expect((await verb('erase', 'entry', '2', ...erasing)).status).toBe(0);
    expect((await verb('hold', 'list', '--json')).out).toContain('"stream":"entry-1"');
    expect((await verb('hold', 'lift', '1', ...why)).status).toBe(0);
    expect((await verb('hold', 'lift', '1', ...why)).err).toContain('There is no hold 1');
    expect((await verb('erase', 'entry', '1', ...erasing)).status).toBe(0);
  });

  it('keeps a comment from being erased with the account that wrote it', async () => {
    const { folder, verb } = await heldSite();
    const { node } = await openTestNode(folder);
    await node.store.submit({ viewer: { id: 2, role: 'editor' }, correlationId: 'test' }, (session) =>
      perform(session, {
        do: 'comment',
        fields: {
          kind: 'comment',
          post: 1,
          author: 2,
          ip: '192.0.2.1',
          name: { sent: 'Ada', stored: 'Ada' },
          email: 'ada@example.com',
          content: { sent: 'Words', stored: 'Words' },
        },
      }),
    );
    await node.close();
    expect((await verb('hold', 'add', 'comment-1', '--until', '2099-12-31', ...why)).status).toBe(0);
    expect((await verb('erase', 'user', 'ada', ...erasing)).err).toContain('legal hold 1');
    expect((await verb('erase', 'address', 'ada@example.com', ...erasing)).err).toContain('legal hold 1');
    expect((await verb('hold', 'lift', '1', ...why)).status).toBe(0);
    expect((await verb('erase', 'user', 'ada', ...erasing)).status).toBe(0);
  });

  it('keeps everything that was written in a period', async () => {
    const { verb } = await heldSite();
    const period = ['--from', '2020-01-01', '--to', '2099-01-01', '--until', '2099-12-31'];
    expect((await verb('hold', 'add', ...period, ...why)).status).toBe(0);
    for (const id of ['1', '2']) expect((await verb('erase', 'entry', id, ...erasing)).err).toContain('legal hold 1');
  });

  it('is placed by administrators, on something, until a day to come', async () => {
    const { verb } = await heldSite();
    const said = async (...args: string[]) => (await verb('hold', 'add', ...args)).err;
    expect(await said('entry-1', '--until', '2001-01-01', ...why)).toContain('today or later');
    expect(await said('--until', '2099-01-01', ...why)).toContain('name one item');
    expect(await said('term-1', '--until', '2099-01-01', ...why)).toContain('entry-12');
    expect(await said('entry-9', '--until', '2099-01-01', ...why)).toContain('There has never been entry-9');
    expect(await said('--from', '2030-02-01', '--to', '2030-01-01', '--until', '2099-01-01', ...why)).toContain(
      'Nothing was written',
    );
    expect(await said('entry-1', '--until', 'soon', ...why)).toContain('is not a day');
    expect(await said('entry-1', '--until', '2099-01-01', '--as', 'ada', '--reason', 'x')).toContain(
      'no administrator',
    );
  });
});
