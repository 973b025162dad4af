import { describe, expect, it } from 'vitest';
import { perform } from '../support/acts.ts';
import { openTestNode } from '../support/node.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { typeVerb } from '../support/verbs.ts';

/** A site with an account and two posts, of which one was changed; returns where that was. */
async function changedSite() {
  const folder = temporaryDirectory();
  await typeVerb(folder, ['user', 'add', 'ada', '--role', 'editor']);
  await typeVerb(folder, ['user', 'add', 'bede', '--role', 'author']);
  const { node } = await openTestNode(folder);
  const write = (act: Parameters<typeof perform>[1]) =>
    node.store.submit({ viewer: { id: 1, role: 'editor' }, correlationId: 'test' }, (session) => perform(session, act));
  await write({ do: 'create', kind: 'post', fields: { title: 'Right', status: 'publish' } });
  const { position } = await write({ do: 'save', at: 0, fields: { title: 'Wrong' } });
  await node.close();
  return { folder, commit: String(position) };
}

async function lastAct(folder: string): Promise<unknown> {
  const { node } = await openTestNode(folder);
  const [event] = node.log.read({ direction: 'backwards', limit: 1 });
  const title = node.store.reader.entry(1)?.title;
  await node.close();
  return [event?.actor, title];
}

describe('the command undo', () => {
  it('lists what it would do, and does it with --yes in the name of an account', async () => {
    const { folder, commit } = await changedSite();
    const plan = await typeVerb(folder, ['undo', commit]);
    expect([plan.status, plan.out]).toEqual([0, expect.stringContaining('title: Wrong → Right')]);
    expect(plan.out).toContain('This would undo 1 commit.');
    const done = await typeVerb(folder, ['undo', '--entry', '1', '--from', '2026-03-01', commit]);
    expect([done.status, done.err]).toEqual([2, expect.stringContaining('not both')]);
    expect((await typeVerb(folder, ['undo', commit, '--yes', '--as', 'ada', '--reason', 'asked for'])).status).toBe(0);
    expect(await lastAct(folder)).toEqual([1, 'Right']);
  });

  it('finds commits by who made them, and needs an account that may change it all', async () => {
    const { folder, commit } = await changedSite();
    expect((await typeVerb(folder, ['undo', '--user', 'ada'])).out).toContain('deletes post 1');
    const said = async (...args: string[]) => (await typeVerb(folder, ['undo', ...args])).err;
    expect(await said()).toContain('name positions of commits');
    expect(await said(commit, '--yes')).toContain('--as is missing');
    expect(await said(commit, '--yes', '--as', 'bede')).toContain('not allowed to undo changes of entry-1');
    expect(await said('--user', 'bede')).toContain('No commit fits');
    expect(await said('999')).toContain('no position 999');
  });
});
