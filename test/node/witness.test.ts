import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEntry } from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { LogDamaged } from '#eventstore/port.ts';
import { admin, openTestNode } from '../support/node.ts';
import { carryOut } from '../support/place.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A data directory as `kill -9` leaves it, with posts. */
async function killed(posts = 5): Promise<string> {
  const left = temporaryDirectory();
  const { node, directory } = await openTestNode();
  for (let i = 0; i < posts; i++)
    await node.store.submit(admin, (session) => createEntry(session, post, { title: `${i}` }));
  cpSync(directory, left, { recursive: true, filter: (name) => !/lock\.db|-shm$/.test(name) });
  await node.close();
  return left;
}

describe('a data directory whose log has lost its end', () => {
  it('is refused with the missing positions, also without projections, and by both kinds of verify', async () => {
    const directory = await killed();
    const wal = readFileSync(join(directory, 'log.db-wal'));
    wal.writeUInt8(wal.readUInt8(200) ^ 1, 200);
    writeFileSync(join(directory, 'log.db-wal'), wal);
    for (const quick of [true, false]) {
      const outcome = await carryOut(directory, 'verify', { quick });
      expect(outcome.kind).toBe('wrong');
      expect(JSON.stringify(outcome)).toMatch(/"head","result":"wrong".*are missing/);
    }
    await expect(openTestNode(directory)).rejects.toThrow(/are missing/);
    for (const suffix of ['', '-wal']) rmSync(join(directory, `projections.db${suffix}`), { force: true });
    await expect(openTestNode(directory)).rejects.toThrow(/are missing/);
    expect(readFileSync(join(directory, 'log.db-wal')).equals(wal)).toBe(true);
  });
});

describe('a data directory whose log is gone', () => {
  it.each(['head', 'projections.db', 'node.db', 'views/0.views', 'media/ab/abcd', 'erased.json'])(
    'is refused for a new site while %s is left, and stays unchanged',
    async (name) => {
      const directory = temporaryDirectory();
      const path = join(directory, name);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, 'something');
      await expect(openTestNode(directory)).rejects.toThrow(LogDamaged);
      expect(existsSync(join(directory, 'log.db'))).toBe(false);
      expect(readFileSync(path, 'utf8')).toBe('something');
    },
  );

  it('becomes a new site if it contains only empty folders', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'media'));
    const { node } = await openTestNode(directory);
    await node.close();
    expect(readdirSync(directory)).toContain('log.db');
  });
});

describe('an older log that was restored', () => {
  it('can be opened, from a backup, an export or a copied directory', async () => {
    const directory = await killed();
    const [backup, exported] = [join(temporaryDirectory(), 'backup'), join(temporaryDirectory(), 'site.ndjson')];
    expect(await carryOut(directory, 'backup', { directory: backup })).toMatchObject({ kind: 'done' });
    expect(await carryOut(directory, 'export', { file: exported })).toMatchObject({ kind: 'done' });
    const later = await openTestNode(directory);
    await later.node.store.submit(admin, (session) => createEntry(session, post, { title: 'later' }));
    await later.node.close();
    for (const [verb, args] of [
      ['restore', { directory: backup }],
      ['import', { file: exported }],
      ['restore', { directory }],
    ] as const) {
      const into = temporaryDirectory();
      expect(await carryOut(into, verb, args)).toMatchObject({ kind: 'done' });
      expect(await carryOut(into, 'verify', { quick: true })).toMatchObject({ kind: 'done' });
      const { node } = await openTestNode(into);
      expect(node.log.head().position).toBeGreaterThan(5);
      await node.close();
    }
  });
});
