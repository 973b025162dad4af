import { describe, expect, it } from 'vitest';
import * as entries from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { isRefusal, refuse } from '#domain/kernel/refusal.ts';
import { OutcomeUnknown } from '#eventstore/port.ts';
import { openMemoryStore } from '../support/memory/store.ts';
import { admin, openTestNode } from '../support/node.ts';
import { eventually } from '../support/patience.ts';

const hello = { title: 'Hello', content: 'World' };

describe('the writer', () => {
  it('makes one commit of what one request stages, and returns its position', async () => {
    const { node } = await openTestNode();
    const before = node.log.head().position;
    const { position } = await node.store.submit(admin, (session) => {
      entries.createEntry(session, post, hello);
      entries.createEntry(session, post, hello);
    });
    expect(position).toBe(before + 2);
    const commits = new Set([...node.log.read({ from: before + 1 })].map((event) => event.commit.id));
    expect(commits.size).toBe(1);
    await node.close();
  });

  it('shows staged changes to their own session only', async () => {
    const { node } = await openTestNode();
    const { reader } = node.store;
    await node.store.submit(admin, (session) => {
      const id = entries.createEntry(session, post, hello) as number;
      expect(session.entry(id)?.title).toBe('Hello');
      expect(reader.entry(id)).toBeUndefined();
    });
    expect(reader.entry(1)?.title).toBe('Hello');
    await node.close();
  });

  it('isolates sessions that share an append: one that refuses or throws does not affect the others', async () => {
    const { node } = await openTestNode();
    const before = node.log.head().position;
    const create = () => node.store.submit(admin, (session) => entries.createEntry(session, post, hello));
    const results = await Promise.allSettled([
      create(),
      node.store.submit(admin, (session) => {
        entries.createEntry(session, post, hello);
        throw new Error('broken');
      }),
      node.store.submit(admin, (session) =>
        session.attempt(() => {
          entries.createEntry(session, post, hello);
          return refuse('no', 'No.');
        }),
      ),
      create(),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(node.log.head().position).toBe(before + 2);
    expect([1, 2, 3].map((id) => node.store.reader.entry(id)?.id)).toEqual([1, 2, undefined]);
    await node.close();
  });

  it('shows all commits of a group before it answers the first of its jobs', async () => {
    const { node } = await openTestNode();
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        await node.store.submit(admin, (session) => entries.createEntry(session, post, hello));
        // The log does not grow until the whole group is answered.
        expect(node.store.reader.position).toBe(node.log.head().position);
      }),
    );
    await node.close();
  });

  it('assigns consecutive ids, without gaps for refused creations', async () => {
    const { node } = await openTestNode();
    const ids: number[] = [];
    const many = Array.from({ length: 200 }, (_, i) =>
      node.store.submit(admin, (session) => {
        const id = entries.createEntry(session, post, i % 3 === 0 ? {} : hello);
        if (!isRefusal(id)) ids.push(id);
      }),
    );
    await Promise.all(many);
    expect(ids).toEqual(ids.map((_, i) => i + 1));
    await node.close();
  });

  it('appends nothing for a session that stages nothing', async () => {
    const { node } = await openTestNode();
    const before = node.log.head();
    const { value, position } = await node.store.submit(admin, () => 'nothing');
    expect({ value, position, head: node.log.head() }).toEqual({
      value: 'nothing',
      position: before.position,
      head: before,
    });
    await node.close();
  });

  it('never lets commit times go back, even when the clock does', async () => {
    const { node, clock } = await openTestNode();
    const write = () => node.store.submit(admin, (session) => entries.createEntry(session, post, hello));
    await write();
    clock.now -= 3_600_000;
    await write();
    const times = [...node.log.read()].map((event) => event.at);
    expect(times).toEqual([...times].sort());
    await node.close();
  });

  it('shows a stored commit whose outcome was unknown, without waiting for another write', async () => {
    const log = openMemoryStore();
    const silent = { next: false };
    const openLog = () => ({
      ...log,
      async append(...[commits, position]: Parameters<typeof log.append>) {
        const outcome = await log.append(commits, position);
        if (silent.next) throw new OutcomeUnknown('no answer');
        return outcome;
      },
    });
    const { node } = await openTestNode(undefined, { openLog });
    silent.next = true;
    const writing = node.store.submit(admin, (session) => entries.createEntry(session, post, hello));
    await expect(writing).rejects.toThrow(OutcomeUnknown);
    await eventually(() => expect(node.store.reader.entry(1)?.title).toBe('Hello'));
    silent.next = false;
    await node.close();
  });

  it('catches up with a log that others appended to', async () => {
    const { node } = await openTestNode();
    const { value } = await node.store.submit(admin, (session) => entries.createEntry(session, post, hello));
    const created = [...node.log.read({ stream: `entry-${value}` })][0];
    const data = created?.data.replace('"id":1', '"id":2') ?? '';
    const event = { stream: 'entry-2', type: 'EntryCreated', v: 1, data, sealed: created?.sealed ?? null };
    const head = node.log.head();
    await node.log.append(
      [
        {
          id: '7d0f3c1e-52a4-4a0b-9a51-3f0d2a6b1c11',
          at: created?.at ?? '',
          actor: 1,
          correlationId: 'else',
          causationId: null,
          events: [event],
        },
      ],
      head.position,
    );
    const next = await node.store.submit(admin, (session) => entries.createEntry(session, post, hello));
    expect(next.value).toBe(3);
    expect(node.store.reader.entry(2)?.title).toBe('Hello');
    await node.close();
  });
});
