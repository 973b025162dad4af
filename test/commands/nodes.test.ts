import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import { verifyChain } from '#eventstore/chain.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { compareTable } from '#projections/projector/compare.ts';
import { admin, dump } from '../support/node.ts';
import { eventually } from '../support/patience.ts';
import { create, due, nodeOn, type TestNode } from '../support/shared-log.ts';
import { impatient, neverAnswered, quick, standInForTest } from '../support/wire-store.ts';

async function untilEqual(nodes: readonly TestNode[]): Promise<void> {
  const position = Math.max(...nodes.map(({ node }) => node.log.head().position));
  for (const { node } of nodes) await eventually(() => expect(node.store.reader.position).toBe(position));
}

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
    const different = () => ['entries'].flatMap((table) => compareTable(db, table, 'other') ?? []);
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
    const timings = { ...quick, deadline: impatient.deadline, appendTimeout: 600_000 };
    const one = await nodeOn(standIn, { timings });
    const two = await nodeOn(await standInForTest({ storage: standIn.storage }));
    const write = (node: TestNode) => Promise.all(Array.from({ length: 10 }, () => create(node)));
    for (let k = 0; k < 2; k++) await Promise.all([write(one), write(two)]);
    standIn.faults.appends.push(...neverAnswered);
    const hanging = create(one, { title: 'Late' });
    await eventually(() => expect(standIn.faults.appends.length).toBeLessThan(neverAnswered.length));
    const [first] = await write(two);
    standIn.faults.appends.length = 0;
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
