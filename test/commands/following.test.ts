import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Audience } from '#commands/audience.ts';
import * as entries from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { reporterOf } from '#process/reporter.ts';
import { ChangeNotifier } from '#projections/kernel/changes.ts';
import { CacheVersions } from '#projections/projector/cache-versions.ts';
import { openCore } from '../../src/node/core.ts';
import { openMemoryStore } from '../support/memory/store.ts';
import { admin, openTestNode } from '../support/node.ts';
import { eventually } from '../support/patience.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A node, and the core of a second one on the same log. */
async function twoOnOneLog() {
  const log = { ...openMemoryStore(), isShared: true as const };
  const { node } = await openTestNode(undefined, { openLog: () => log });
  const order: { turn: (() => Promise<void> | undefined) | null } = { turn: null };
  onTestFinished(() => node.close());
  const audience = { isThere: false };
  const notifier = new ChangeNotifier();
  const notified = vi.fn();
  notifier.listen(notified);
  const path = join(temporaryDirectory(), 'projections.db');
  const other = openCore({
    log: { ...log, turn: () => order.turn?.() },
    ...{ notifier, path, cacheVersions: new CacheVersions() },
    ...{ clock: Date.now, reporter: reporterOf(), far: null, commitBytes: 1e6 },
    isWatched: () => audience.isThere,
  });
  onTestFinished(() => other.close({ save: false }));
  const write = (through: { submit: typeof node.store.submit } = node.store, content = 'World') =>
    through.submit(admin, (session) => entries.createEntry(session, post, { title: 'Hello', content }));
  const writeElsewhere = async () => {
    const { position } = await write();
    other.writer.follow();
    for (let turns = 0; turns < 5; turns++) await turn();
    return position;
  };
  return { other, path, order, audience, notified, write, writeElsewhere };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('commits of other nodes', () => {
  it('are applied in batches while nobody reads at this node', async () => {
    const { other, notified, writeElsewhere } = await twoOnOneLog();
    const before = other.reader.position;
    await writeElsewhere();
    await writeElsewhere();
    const position = await writeElsewhere();
    expect(other.reader.position).toBe(before);
    vi.advanceTimersByTime(300);
    await other.writer.idle();
    expect(other.reader.position).toBe(position);
    expect(notified).toHaveBeenCalledOnce();
  });

  it('are rendered in idle time', async () => {
    const { other, path, write } = await twoOnOneLog();
    const { value } = await write(undefined, '<p>Some words '.repeat(4000));
    other.writer.follow();
    vi.advanceTimersByTime(300);
    await other.writer.idle();
    const rows = new DatabaseSync(path, { readOnly: true });
    onTestFinished(() => rows.close());
    const find = rows.prepare('SELECT title_json AS title FROM entries WHERE id = ?');
    const rendered = () => find.get(value as number)?.['title'] === '"Hello"';
    expect(rendered()).toBe(false);
    while (!rendered()) {
      other.work();
      await turn();
    }
  });

  it('are applied at once when a reader arrives, and while one is present', async () => {
    const { other, audience, writeElsewhere } = await twoOnOneLog();
    const position = await writeElsewhere();
    other.writer.hurry();
    await other.writer.idle();
    expect(other.reader.position).toBe(position);
    audience.isThere = true;
    const next = await writeElsewhere();
    expect(other.reader.position).toBe(next);
  });

  it('are applied together when this node gets its turn to append, or when a reader arrives', async () => {
    const { other, order, notified, write, writeElsewhere } = await twoOnOneLog();
    const before = other.reader.position;
    const due = Promise.withResolvers<void>();
    order.turn = () => due.promise;
    const own = write(other.writer);
    await writeElsewhere();
    const seen = await writeElsewhere();
    expect(other.reader.position).toBe(before);
    other.writer.hurry();
    await eventually(() => expect(other.reader.position).toBe(seen));
    expect(notified).toHaveBeenCalledOnce();
    await writeElsewhere();
    const position = await writeElsewhere();
    expect(other.reader.position).toBe(seen);
    order.turn = null;
    due.resolve();
    expect((await own).position).toBe(position + 1);
    expect(notified).toHaveBeenCalledTimes(3);
  });

  it('are applied before a write of this node', async () => {
    const { other, write, writeElsewhere } = await twoOnOneLog();
    const position = await writeElsewhere();
    expect((await write(other.writer)).position).toBe(position + 1);
    expect(other.reader.position).toBe(position + 1);
  });
});

describe('an audience', () => {
  it('is present briefly after each request, and as long as a reader waits', () => {
    const arrived = vi.fn();
    const audience = new Audience(arrived);
    expect(audience.isThere).toBe(false);
    audience.asked();
    audience.asked();
    expect([audience.isThere, arrived.mock.calls.length]).toEqual([true, 1]);
    vi.advanceTimersByTime(2000);
    expect(audience.isThere).toBe(false);
    const stop = vi.fn();
    const leave = audience.wait(stop);
    vi.advanceTimersByTime(60_000);
    expect([audience.isThere, arrived.mock.calls.length]).toEqual([true, 2]);
    leave();
    leave();
    expect(stop).toHaveBeenCalled();
    expect(audience.isThere).toBe(false);
    audience.wait(stop);
    expect(audience.isThere).toBe(true);
  });
});
