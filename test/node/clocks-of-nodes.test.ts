import { expect, it, onTestFinished } from 'vitest';
import { ClockLeapt } from '#commands/clock-guard.ts';
import * as entries from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { admin, openTestNode } from '../support/node.ts';
import { eventually } from '../support/patience.ts';
import { quick, standInForTest } from '../support/wire-store.ts';

const minute = 60_000;
const start = Date.parse('2026-03-01T11:00:00.000Z');

/** Nodes on one server, each with a clock of its own; none of them has seen its clock leap. */
async function cluster() {
  const standIn = await standInForTest();
  const server = { now: start };
  standIn.storage.clock = () => server.now;
  const nodeWith = async (ahead: number) => {
    const clock = { wall: start + ahead, monotonic: 0 };
    const env = { EVENTSTORE_URL: standIn.url };
    const times = { clock: () => clock.wall, monotonic: () => clock.monotonic };
    const { node } = await openTestNode(undefined, { env, timings: quick, ...times });
    onTestFinished(() => node.close());
    const write = (fields = {}) =>
      node.store.submit(admin, (session) => entries.createEntry(session, post, { title: 'Hello', ...fields }));
    return { node, clock, write };
  };
  return { standIn, server, nodeWith };
}

it.each([10 * 365 * 24 * 60, 2, -2])(
  'a node that starts with its clock %i minutes ahead of the event store writes nothing',
  async (minutes) => {
    const { standIn, nodeWith } = await cluster();
    const right = await nodeWith(0);
    await right.write();
    const wrong = await nodeWith(minutes * minute);
    const before = standIn.storage.view('palimpsest-site')?.records.length;
    await expect(wrong.write()).rejects.toThrow(ClockLeapt);
    expect(wrong.node.readiness.reasons.map(({ code }) => code)).toContain('clock_leapt');
    expect(standIn.storage.view('palimpsest-site')?.records).toHaveLength(before ?? 0);
    await right.write();
    // Correcting its clock is enough.
    wrong.clock.wall -= minutes * minute;
    await eventually(async () => void (await wrong.write()));
  },
);

it('a node with a wrong clock publishes no scheduled entries', async () => {
  const { nodeWith } = await cluster();
  const right = await nodeWith(0);
  const due = { local: '2026-03-01T13:00:00', gmt: '2026-03-01T12:00:00' };
  const { value: id, position } = await right.write({ status: 'publish', date: due });
  const wrong = await nodeWith(365 * 24 * 60 * minute);
  await eventually(() => expect(wrong.node.store.reader.position).toBe(position));
  wrong.node.start();
  await eventually(() => expect(wrong.node.store.clock.leapt).toBe(true));
  expect(wrong.node.store.reader.entry(id as number)?.status).toBe('future');
});

it('a clock accepted by an operator may keep its difference from the event store, but not change it much', async () => {
  const { standIn, nodeWith } = await cluster();
  await (await nodeWith(0)).write();
  const node = await nodeWith(10 * minute);
  await expect(node.write()).rejects.toThrow('600 s ahead of that of the event store');
  node.node.store.clock.accept();
  await node.write();
  node.clock.wall -= 12 * minute;
  await expect(node.write()).rejects.toThrow('behind that of the event store');
  expect(standIn.storage.view('palimpsest-site-clock')?.records.length).toBeGreaterThan(0);
});

it('a clock within the tolerance can be used to write', async () => {
  const { nodeWith } = await cluster();
  for (const ahead of [0, 30_000, -30_000]) await (await nodeWith(ahead)).write();
});
