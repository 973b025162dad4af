import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { startingAt } from '#domain/hooks/progress.ts';
import { readLoginCounts } from '#node/login-counts.ts';
import { NodeFile, takeFormerFiles } from '#node/node-file.ts';
import { readJournal } from '#node/origins.ts';
import { reporterOf } from '#process/reporter.ts';
import { sealFile } from '#projections/kernel/seal.ts';
import { sumOf } from '#projections/kernel/sums.ts';
import { openTestNode } from '../support/node.ts';

const now = Date.parse('2026-03-01T11:00:00.000Z');
const names = ['uses.db', 'logins.db', 'origins.db', 'hooks.db', 'feeds.db'];

const former = {
  'uses.db': `CREATE TABLE uses (password TEXT PRIMARY KEY, at INTEGER NOT NULL, address TEXT) STRICT, WITHOUT ROWID;
    INSERT INTO uses VALUES ('p', ${now}, '192.0.2.1')`,
  'logins.db': `CREATE TABLE logins (day TEXT NOT NULL, user INTEGER NOT NULL, succeeded INTEGER NOT NULL, failed INTEGER NOT NULL,
      PRIMARY KEY (day, user)) STRICT, WITHOUT ROWID;
    INSERT INTO logins VALUES ('2026-02-28', 1, 3, 4)`,
  'origins.db': `CREATE TABLE origins (position INTEGER NOT NULL, correlation TEXT NOT NULL, address TEXT NOT NULL, at INTEGER NOT NULL,
      via TEXT, PRIMARY KEY (position, correlation)) STRICT, WITHOUT ROWID;
    INSERT INTO origins VALUES (1, 'a', '192.0.2.2', ${now}, NULL), (2, 'b', '192.0.2.3', ${now}, 'token Desktop')`,
  'hooks.db': `CREATE TABLE progress (hook INTEGER PRIMARY KEY, position INTEGER NOT NULL, state TEXT NOT NULL) STRICT`,
  'feeds.db': 'CREATE TABLE feeds (address TEXT PRIMARY KEY, items TEXT) STRICT, WITHOUT ROWID',
};

/** A directory as the version before left it. */
async function formerSite(): Promise<string> {
  const { node, directory } = await openTestNode();
  await node.close();
  for (const [name, sql] of Object.entries(former)) {
    const db = new DatabaseSync(join(directory, name));
    db.exec(`PRAGMA journal_mode = WAL; ${sql}`);
    if (name === 'hooks.db') {
      const put = db.prepare('INSERT INTO progress VALUES (?, ?, ?)');
      const { position, ...state } = startingAt(1, 7);
      put.run(3, position, JSON.stringify({ ...state, sum: sumOf([3, position, JSON.stringify(state)]) }));
      put.run(4, position, JSON.stringify({ ...state, sum: 1 }));
      put.run(5, position, JSON.stringify(state));
    }
    db.close();
    if (['uses.db', 'logins.db', 'origins.db'].includes(name)) sealFile(join(directory, name));
  }
  return directory;
}

async function opened(directory: string) {
  const warnings: string[] = [];
  const { node } = await openTestNode(directory, { reporter: { warning: (text) => warnings.push(text) } });
  return {
    node,
    warnings,
    left: () => readdirSync(directory).filter((name) => names.some((one) => name.startsWith(one))),
  };
}

describe('files in which earlier versions noted', () => {
  it('are moved into one, with all that they say', async () => {
    const directory = await formerSite();
    const { node, warnings, left } = await opened(directory);
    const { uses, logins, hooks } = node.store;
    expect([left(), warnings]).toEqual([[], []]);
    expect(uses.of('p')).toEqual({ at: now, address: '192.0.2.1' });
    expect(logins.all()).toEqual([{ day: '2026-02-28', user: 1, succeeded: 3, failed: 4 }]);
    expect([3, 4, 5].map((hook) => hooks.progress.of(hook))).toEqual([startingAt(1, 7), null, startingAt(1, 7)]);
    await node.close();
    const journal = readJournal(directory);
    expect(journal.originOf({ position: 1, correlationId: 'a' })).toBe('192.0.2.2');
    expect(journal.originOf({ position: 2, correlationId: 'b' })).toBe('192.0.2.3, token Desktop');
    journal.close();
    expect(readLoginCounts(directory)).toHaveLength(1);
  });

  it('add nothing to what was noted since, if their removal was interrupted', async () => {
    const directory = await formerSite();
    const kept = readFileSync(join(directory, 'logins.db'));
    const first = await opened(directory);
    first.node.store.logins.note(1, true);
    await first.node.close();
    writeFileSync(join(directory, 'logins.db'), kept);
    const second = await opened(directory);
    expect(second.node.store.logins.all()).toContainEqual({ day: '2026-02-28', user: 1, succeeded: 3, failed: 4 });
    expect(second.left()).toEqual([]);
    await second.node.close();
  });

  it('are moved aside with a warning if they are damaged, and the others are taken', async () => {
    const directory = await formerSite();
    const bytes = readFileSync(join(directory, 'uses.db'));
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 3) ^ 1, bytes.length - 3);
    writeFileSync(join(directory, 'uses.db'), bytes);
    writeFileSync(join(directory, 'hooks.db'), 'no database');
    const { node, warnings } = await opened(directory);
    expect(warnings.map((text) => /(\w+\.db) is damaged/.exec(text)?.[1])).toEqual(['uses.db', 'hooks.db']);
    expect(node.store.uses.of('p')).toBe(null);
    expect(node.store.logins.all()).toHaveLength(1);
    for (const name of ['uses.db', 'hooks.db']) expect(existsSync(join(directory, name))).toBe(false);
    await node.close();
  });

  it('stay for the next start while there is no place for what they say', async () => {
    const directory = await formerSite();
    const get = () => {
      throw new Error('no space is left');
    };
    const warnings: string[] = [];
    const full = new NodeFile({
      path: join(directory, 'node.db'),
      get,
      close: () => undefined,
      onDamage: () => undefined,
    });
    takeFormerFiles(directory, full, reporterOf({ warning: (text) => warnings.push(text) }));
    expect(warnings.map((text) => /(\w+\.db) was not moved into .*no space is left/.exec(text)?.[1])).toEqual(
      names.slice(0, 4),
    );
    const again = await opened(directory);
    expect(again.node.store.logins.all()).toHaveLength(1);
    await again.node.close();
  });
});
