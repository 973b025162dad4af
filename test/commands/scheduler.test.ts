import { describe, expect, it } from 'vitest';
import * as entries from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { admin, openTestNode } from '../support/node.ts';
import { eventually } from '../support/patience.ts';

const due = { local: '2026-03-01T13:00:00', gmt: '2026-03-01T12:00:00' };
const scheduled = { title: 'Later', status: 'publish' as const, date: due, categories: [] };
describe('a scheduled entry', () => {
  it('is published when it is due, by one event that leaves its date and modification date unchanged', async () => {
    const { node, clock } = await openTestNode();
    await node.store.submit(admin, (session) => entries.createEntry(session, post, scheduled));
    const before = node.store.reader.entry(1);
    node.start();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(node.store.reader.entry(1)?.status).toBe('future');
    clock.now = Date.parse('2026-03-01T12:00:00.000Z');
    await eventually(() => expect(node.store.reader.entry(1)?.status).toBe('publish'));
    expect(node.store.reader.entry(1)).toMatchObject({ date: due.local, modified: before?.modified, categories: [1] });
    const types = [...node.log.read({ stream: 'entry-1' })].map((event) => [event.type, event.actor]);
    expect(types).toEqual([
      ['EntryCreated', 1],
      ['EntryReleased', null],
    ]);
    await node.close();
  });

  it('is published at the next start if it came due while no server ran', async () => {
    const { node, directory } = await openTestNode();
    await node.store.submit(admin, (session) => entries.createEntry(session, post, scheduled));
    await node.close();
    const late = await openTestNode(directory, { clock: () => Date.parse('2026-03-02T00:00:00.000Z') });
    late.node.start();
    await eventually(() => expect(late.node.store.reader.entry(1)?.status).toBe('publish'));
    await late.node.close();
  });

  it('is published once, however often it is tried', async () => {
    const { node, clock } = await openTestNode();
    await node.store.submit(admin, (session) => entries.createEntry(session, post, scheduled));
    clock.now = Date.parse('2026-03-01T12:00:01.000Z');
    const release = () => node.store.submit(admin, (session) => entries.releaseEntry(session, 1));
    await Promise.all([release(), release(), release()]);
    expect([...node.log.read({ stream: 'entry-1' })]).toHaveLength(2);
    await node.close();
  });
});
