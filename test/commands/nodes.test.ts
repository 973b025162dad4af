import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CommitTooLarge } from '#commands/commit-size.ts';
import * as entries from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { verifyChain } from '#eventstore/chain.ts';
import { LogUnavailable, OutcomeUnknown } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite.ts';
import { entries as entryRows } from '#projections/entries/definition.ts';
import { compareTable } from '#projections/projector/compare.ts';
import { admin, dump, openTestNode, type TestOptions } from '../support/node.ts';
import { eventually } from '../support/patience.ts';
import { carryOut } from '../support/place.ts';
import { slowness } from '../support/slowness.ts';
import type { StandIn } from '../support/stand-in/server.ts';
import { impatient, quick, standInForTest } from '../support/wire-store.ts';

type TestNode = Awaited<ReturnType<typeof openTestNode>>;

const due = { local: '2026-03-01T13:00:00', gmt: '2026-03-01T12:00:00' };
const fail = (error: unknown) => {
  throw error;
};

/** A node on a shared log that is closed when the test ends. */
async function nodeOn({ url }: StandIn, { env = {}, ...options }: TestOptions = {}): Promise<TestNode> {
  const opened = await openTestNode(undefined, { env: { ...env, EVENTSTORE_URL: url }, timings: quick, ...options });
  onTestFinished(() => opened.node.close());
  return opened;
}

const create = ({ node }: TestNode, fields = {}) =>
  node.store.submit(admin, (session) =>
    entries.createEntry(session, post, { title: 'Hello', content: 'World', status: 'publish', ...fields }),
  );

async function untilEqual(nodes: readonly TestNode[]): Promise<void> {
  const position = Math.max(...nodes.map(({ node }) => node.log.head().position));
  for (const { node } of nodes) await eventually(() => expect(node.store.reader.position).toBe(position));
}

/** A text whose compressed size is at least `bytes`. */
const noise = (bytes: number) => randomBytes(bytes).toString('base64');

describe('nodes that share a log', () => {
  it('show what another node wrote: by id, by name and to listeners', async () => {
    const standIn = await standInForTest();
    const [one, two] = [await nodeOn(standIn), await nodeOn(standIn)];
    const { reader, cacheVersions, changed } = two.node.store;
    const before = cacheVersions.of('entries');
    const heard = vi.fn();
    changed(heard);
    const { value: id, position } = await create(one);
    await eventually(() => expect(reader.position).toBe(position));
    expect(reader.entry(id as number)?.title).toBe('Hello');
    expect(two.node.store.reader.named('hello')).toEqual([id]);
    expect(cacheVersions.of('entries')).toBeGreaterThan(before);
    expect(heard).toHaveBeenCalled();
  });

  it('render what another node wrote on the first read, or in idle time', async () => {
    const standIn = await standInForTest();
    const [one, two] = [await nodeOn(standIn), await nodeOn(standIn)];
    const { value: id } = await create(one, { content: 'World & *peace*\n\n'.repeat(20_000), excerpt: 'Short' });
    await untilEqual([one, two]);
    const rows = ({ directory }: TestNode) => {
      const db = new DatabaseSync(join(directory, 'projections.db'), { readOnly: true });
      const found = db.prepare('SELECT * FROM entries').all();
      db.close();
      return found;
    };
    expect(rows(two)).toEqual([expect.objectContaining({ title_json: '', excerpt_json: '', content_json: '' })]);
    const shown = ({ node }: TestNode) => {
      const row = node.store.reader.entry(id as number);
      return [row?.titleJson, row?.excerptJson, row?.contentJson];
    };
    expect(shown(two)).toEqual(shown(one));
    expect(shown(two).join()).toContain('World &#038; *peace*');
    const db = new DatabaseSync(join(two.directory, 'projections.db'), { readOnly: true });
    db.prepare('ATTACH ? AS other').run(join(one.directory, 'projections.db'));
    const different = () => ['entries', 'long_contents'].flatMap((table) => compareTable(db, table, 'other') ?? []);
    expect(different()).toEqual([]);
    await create(one);
    expect(different()).toEqual([expect.objectContaining({ table: 'entries', missing: 1, surplus: 0, changed: 0 })]);
    db.close();
    await untilEqual([one, two]);
    await eventually(() => {
      while (two.node.work());
      expect(rows(two)).toEqual(rows(one));
    });
  });

  it('all accept writes at once: no client sees a conflict, ids have no gaps and slugs are unique', async () => {
    const standIn = await standInForTest();
    const conflict = vi.fn();
    const meter = { conflict, group: () => undefined };
    const nodes = [
      await nodeOn(standIn, { meter }),
      await nodeOn(standIn, { meter }),
      await nodeOn(standIn, { meter }),
    ];
    const written = await Promise.all(nodes.flatMap((node) => Array.from({ length: 40 }, () => create(node))));
    const ids = written.map(({ value }) => value as number).sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
    await untilEqual(nodes);
    for (const { node } of nodes) await node.store.followed();
    const [first, ...others] = nodes.map(({ directory }) => dump(directory));
    for (const other of others) expect(other).toEqual(first);
    expect(new Set(ids.map((id) => nodes[0]?.node.store.reader.entry(id)?.slug)).size).toBe(120);
    expect(conflict).toHaveBeenCalled();
  });

  it('continue while the append of the node whose turn it is hangs, and store its write once', async () => {
    const standIn = await standInForTest();
    const timings = { ...quick, deadline: 2500 };
    const [one, two] = [await nodeOn(standIn, { timings }), await nodeOn(standIn, { timings })];
    const write = (node: TestNode) => Promise.all(Array.from({ length: 10 }, () => create(node)));
    for (let k = 0; k < 2; k++) await Promise.all([write(one), write(two)]);
    standIn.faults.appends.push('never answer');
    const hanging = create(one, { title: 'Late' });
    await eventually(() => expect(standIn.faults.appends).toEqual([]));
    const [first] = await write(two);
    expect((await hanging).position).toBeGreaterThan(first?.position ?? 0);
    await untilEqual([one, two]);
    for (const { node } of [one, two]) expect(node.store.reader.named('late')).toHaveLength(1);
  });

  it('create one site when they start at the same time', async () => {
    const standIn = await standInForTest();
    const nodes = await Promise.all([nodeOn(standIn), nodeOn(standIn), nodeOn(standIn)]);
    await untilEqual(nodes);
    const types = Array.from(nodes[0]?.node.log.read() ?? [], ({ type }) => type);
    expect(types).toEqual(['SiteConfigured', 'TermCreated']);
  });

  it('publish a scheduled entry once, although every node has a scheduler', async () => {
    const standIn = await standInForTest();
    const nodes = [await nodeOn(standIn), await nodeOn(standIn), await nodeOn(standIn)];
    const [first] = nodes as [TestNode];
    await create(first, { date: due });
    await untilEqual(nodes);
    for (const { node, clock } of nodes) {
      clock.now = Date.parse('2026-03-01T12:00:01.000Z');
      node.start();
    }
    for (const { node } of nodes) {
      await eventually(() => expect(node.store.reader.entry(1)?.status).toBe('publish'));
    }
    await untilEqual(nodes);
    const types = Array.from(first.node.log.read({ stream: 'entry-1' }), ({ type }) => type);
    expect(types).toEqual(['EntryCreated', 'EntryReleased']);
  });

  it('show a session that writes nothing the whole log', async () => {
    const standIn = await standInForTest();
    const [one, two] = [await nodeOn(standIn), await nodeOn(standIn)];
    const { value: id } = await create(one);
    const { value } = await two.node.store.submit(admin, (session) => session.entry(id as number)?.title ?? null);
    expect(value).toBe('Hello');
  });

  it('have caught up with the whole log once they are opened', async () => {
    const standIn = await standInForTest();
    const one = await nodeOn(standIn);
    for (let k = 0; k < 40; k++) await create(one, { title: `Number ${k}` });
    const late = await nodeOn(standIn);
    expect(late.node.store.reader.position).toBe(one.node.log.head().position);
    await one.node.store.followed();
    expect(dump(late.directory)).toEqual(dump(one.directory));
    const copy = openSqliteStore({ path: `${late.directory}/log.db`, readOnly: true });
    expect(verifyChain(copy.chain())).toEqual(one.node.log.head());
    copy.close();
  });
});

describe('a node on a shared log', () => {
  const appendBytes = 65_536;
  const small = { env: { EVENTSTORE_APPEND_BYTES: String(appendBytes) } };

  it('does not open without its server’s address, unless the marker file is deleted', async () => {
    const standIn = await standInForTest();
    const { node, directory } = await openTestNode(undefined, { env: { EVENTSTORE_URL: standIn.url }, timings: quick });
    await node.close();
    await expect(openTestNode(directory)).rejects.toThrow('set EVENTSTORE_URL');
    await expect(carryOut(directory, 'import', { file: '-' })).rejects.toThrow('set EVENTSTORE_URL');
    rmSync(join(directory, 'shared-log'));
    const alone = await openTestNode(directory);
    expect((await create(alone)).value).toBe(1);
    await alone.node.close();
  });

  it('fills an append up to its size limit, and no further', async () => {
    const standIn = await standInForTest({ maxAppendBytes: appendBytes });
    const works: number[] = [];
    const meter = { conflict: () => fail('a conflict with nobody'), group: (count: number) => works.push(count) };
    const one = await nodeOn(standIn, { ...small, meter });
    const content = noise(27_000);
    await Promise.all(Array.from({ length: 12 }, () => create(one, { content, status: 'draft' })));
    expect(one.node.store.reader.entry(12)?.title).toBe('Hello');
    expect(Math.max(...works)).toBe(2);
  });

  it('refuses a commit too large for an append before sending it; waiting writes are carried out', async () => {
    const standIn = await standInForTest({ maxAppendBytes: appendBytes });
    const one = await nodeOn(standIn, small);
    const calls = standIn.calls.append;
    await expect(create(one, { content: noise(70_000) })).rejects.toThrow(CommitTooLarge);
    expect(standIn.calls.append).toBe(calls);
    const mixed = [create(one), create(one, { content: noise(70_000) }), create(one)];
    const outcomes = await Promise.allSettled(mixed);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('publishes many due entries in several appends of limited size', async () => {
    const standIn = await standInForTest({ maxAppendBytes: appendBytes });
    const one = await nodeOn(standIn, small);
    await Promise.all(Array.from({ length: 150 }, () => create(one, { date: due })));
    one.clock.now = Date.parse('2026-03-01T12:00:01.000Z');
    one.node.start();
    const table = one.node.store.reader.of(entryRows);
    await eventually(() => expect(table.nextDue()).toBeNull());
    const released = Array.from(one.node.log.read(), ({ type, commit }) =>
      type === 'EntryReleased' ? commit.id : null,
    );
    expect(released.filter((id) => id !== null)).toHaveLength(150);
    expect(new Set(released).size).toBeGreaterThan(2);
  });

  it('reports the outcome of a write as unknown when the server is silent, and continues without it', async () => {
    const standIn = await standInForTest();
    const one = await nodeOn(standIn, { timings: impatient });
    await create(one);
    standIn.faults.silent = true;
    await expect(create(one, { title: 'Unclear' })).rejects.toThrow(OutcomeUnknown);
    await expect(create(one)).rejects.toThrow(LogUnavailable);
    standIn.faults.silent = false;
    await eventually(() => expect(one.node.replica?.connected).toBe(true));
    expect((await create(one)).value).toBe(2);
  });

  // The append timeout is never reached: these writes end because the server is known to be lost.
  const lasting = { ...quick, deadline: 300 * slowness, appendTimeout: 600_000 };

  it('abandons a pending write when its server is lost, and refuses new ones', async () => {
    const standIn = await standInForTest();
    const one = await nodeOn(standIn, { timings: lasting });
    await create(one);
    standIn.faults.silent = true;
    await expect(create(one)).rejects.toThrow(OutcomeUnknown);
    await expect(create(one)).rejects.toThrow(LogUnavailable);
    standIn.faults.silent = false;
    await eventually(async () => expect((await create(one)).value).toBe(2));
  });

  it('reports the log as unavailable, not the outcome as unknown, when nothing was sent', async () => {
    const standIn = await standInForTest();
    const one = await nodeOn(standIn, { timings: lasting });
    await create(one);
    standIn.faults.silent = true;
    // A node’s first write reads the head and stores its first keys before it appends anything.
    await expect(one.node.store.submit(admin, () => null)).rejects.toThrow(LogUnavailable);
    standIn.faults.silent = false;
    await eventually(async () => expect((await create(one)).value).toBe(2));
  });

  it('completes a pending write when its server is lost only briefly', async () => {
    const standIn = await standInForTest();
    const one = await nodeOn(standIn, { timings: { ...lasting, grace: 60_000 } });
    await create(one);
    standIn.faults.appends.push('never answer');
    standIn.faults.silent = true;
    const second = create(one);
    await eventually(() => expect(one.node.replica?.connected).toBe(false));
    standIn.faults.silent = false;
    expect((await second).value).toBe(2);
  });

  it('starts with its copy while its server is down, and accepts writes once it is back', async () => {
    const standIn = await standInForTest();
    const first = await openTestNode(undefined, { env: { EVENTSTORE_URL: standIn.url }, timings: quick });
    await create(first);
    await first.node.close();
    standIn.stop();
    const env = { EVENTSTORE_URL: standIn.url };
    const again = await openTestNode(first.directory, { env, timings: quick });
    onTestFinished(() => again.node.close());
    expect(again.node.store.reader.entry(1)?.title).toBe('Hello');
    await expect(create(again)).rejects.toThrow(LogUnavailable);
    await standIn.start();
    await eventually(async () => expect((await create(again)).value).toBe(2));
  });
});
