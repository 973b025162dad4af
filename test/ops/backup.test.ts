import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockDirectory } from '#eventstore/lock.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { commit, event } from '../support/commits.ts';
import { dump, openTestNode } from '../support/node.ts';
import { carryOut } from '../support/place.ts';
import { directoryWith, logOf } from '../support/plain-log.ts';
import { type Site, startSite } from '../support/site.ts';
import { appendAtHead } from '../support/store-fixture.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { filesKept, pngOf, uploadBody } from '../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
  await site.make('editor', '/posts', { title: 'One', content: 'First words', status: 'publish' });
  await uploadBody(site, 'author', { name: 'a.png', type: 'image/png', bytes: pngOf(400, 300) });
});
afterAll(() => site.close());

const somewhere = () => join(temporaryDirectory(), 'backup');
const backup = (from: string, directory: string) => carryOut(from, 'backup', { directory });
const restore = (to: string, directory: string) => carryOut(to, 'restore', { directory });

/** Changes a log as somebody with access to the file could. */
function forge(directory: string): void {
  const db = new DatabaseSync(join(directory, 'log.db'));
  db.exec('DROP TRIGGER events_are_final; UPDATE events SET actor = 99 WHERE position = 2');
  db.close();
}

describe('a backup', () => {
  it('made while a server writes contains a prefix of the log in whole commits, and its files', async () => {
    const directory = somewhere();
    let writing = true;
    const writes = (async () => {
      for (let i = 0; writing; i++)
        await site.make('editor', '/posts', { title: `Post ${i}`, content: 'x'.repeat(5000) });
    })();
    const before = site.position();
    expect(await backup(site.directory, directory)).toMatchObject({ kind: 'done' });
    writing = false;
    await writes;
    const copied = logOf(directory);
    expect(copied.length).toBeGreaterThanOrEqual(before);
    expect(copied).toEqual(logOf(site.directory).slice(0, copied.length));
    expect(copied.at(-1)?.hash).not.toBeNull();
    expect(filesKept({ directory })).toEqual(filesKept(site));
  });

  it('restores the site exactly, row by row', async () => {
    const [directory, target] = [somewhere(), temporaryDirectory()];
    await backup(site.directory, directory);
    expect(await restore(target, directory)).toMatchObject({ kind: 'done' });
    const { node } = await openTestNode(target, { keepSite: true });
    await node.close();
    await site.node.store.followed();
    expect(dump(target)).toEqual(dump(site.directory));
    expect(filesKept({ directory: target })).toEqual(filesKept(site));
    expect(await carryOut(target, 'verify')).toMatchObject({ kind: 'done' });
  });

  it('has what the restored site needs to go on signing: its key only where nobody else can read it', async () => {
    const { checkpoints, keys } = site.node.store.transparency;
    checkpoints.make();
    const given = { BACKUP_KEY: 'a'.repeat(64) };
    const [folder, place, sealed] = [somewhere(), somewhere(), somewhere()];
    await backup(site.directory, folder);
    await carryOut(site.directory, 'backup', { to: place });
    await carryOut(site.directory, 'backup', { to: sealed }, { env: given });
    const restored = async (args: Record<string, string>, env = {}) => {
      const target = temporaryDirectory();
      expect(await carryOut(target, 'restore', args, { env })).toMatchObject({ kind: 'done' });
      const { node } = await openTestNode(target, { keepSite: true });
      const found = node.store.transparency;
      found.checkpoints.check();
      const same = [found.checkpoints.latest, found.keys.isThere && found.keys.verifiers[0] === keys.verifiers[0]];
      await node.close();
      return same;
    };
    expect(await restored({ directory: folder })).toEqual([checkpoints.latest, true]);
    expect(await restored({ from: place })).toEqual([checkpoints.latest, false]);
    expect(await restored({ from: sealed }, given)).toEqual([checkpoints.latest, true]);
  });

  it('is told with its name and size, and what was restored with where to start it', async () => {
    const place = somewhere();
    const { position, at } = site.node.log.head();
    const made = await carryOut(site.directory, 'backup', { to: place });
    expect(made).toMatchObject({
      text: expect.stringMatching(`up to position ${position}; new in it ${position} events`),
    });
    expect(await carryOut(site.directory, 'backup list', { from: place })).toMatchObject({
      text: expect.stringMatching(/^name +time +line +position +log, uncompressed\n\S+ .* MiB$/),
    });
    const target = temporaryDirectory();
    expect(await carryOut(target, 'restore', { from: place })).toMatchObject({
      text: expect.stringContaining(
        `Restored up to position ${position}, ${at} into ${target}. Start it with DATA_DIR=${target}.`,
      ),
    });
  });

  it('prints its head', async () => {
    const { text, value } = (await backup(site.directory, somewhere())) as { text?: string; value?: unknown };
    const { position, hash } = site.node.log.head();
    expect(text).toContain(`head  ${position}:${hash}`);
    expect(value).toMatchObject({ head: { position, hash } });
  });

  it('is refused for a folder that is not empty', async () => {
    const directory = somewhere();
    mkdirSync(directory);
    expect(await backup(site.directory, directory)).toMatchObject({ kind: 'done' });
    const before = readdirSync(directory);
    expect(await backup(site.directory, directory)).toMatchObject({ kind: 'refused', code: 'not_empty' });
    expect(readdirSync(directory)).toEqual(before);
  });

  it('is not made of a log whose chain is broken', async () => {
    const from = await directoryWith(commit(['term-1']), commit(['term-2']));
    forge(from);
    const directory = somewhere();
    expect(await backup(from, directory)).toMatchObject({ kind: 'wrong', text: expect.stringContaining('no backup') });
    expect(readdirSync(join(directory, '..'))).toEqual([]);
  });

  it('is made without missing files, which it names', async () => {
    const from = temporaryDirectory();
    cpSync(site.directory, from, { recursive: true, filter: (path) => !path.endsWith('control.sock') });
    const [file = ''] = filesKept(site);
    rmSync(join(from, 'media', file));
    const directory = somewhere();
    const outcome = await backup(from, directory);
    expect(outcome).toMatchObject({ kind: 'wrong', text: expect.stringContaining('is missing') });
    expect(filesKept({ directory })).toEqual(filesKept(site).filter((other) => other !== file));
  });

  it('leaves nothing behind when it is stopped', async () => {
    const directory = somewhere();
    const signal = AbortSignal.abort();
    await expect(carryOut(site.directory, 'backup', { directory }, { signal })).rejects.toThrow('stopped');
    expect(readdirSync(join(directory, '..'))).toEqual([]);
  });

  it('needs a log', async () => {
    await expect(backup(temporaryDirectory(), somewhere())).rejects.toThrow('there is no event log');
  });
});

describe('a restore', () => {
  /** A backup of the site. */
  async function backedUp(): Promise<string> {
    const directory = somewhere();
    await backup(site.directory, directory);
    return directory;
  }

  it.each(['log.db', 'projections.db', 'notes.txt'])(
    'refuses a directory that contains %s, and leaves it unchanged',
    async (name) => {
      const target = temporaryDirectory();
      writeFileSync(join(target, name), 'x');
      expect(await restore(target, await backedUp())).toMatchObject({ kind: 'refused', code: 'not_empty' });
      expect(readdirSync(target).filter((each) => !each.startsWith('lock.db'))).toEqual([name]);
    },
  );

  it('restores nothing from a backup whose log is forged', async () => {
    const directory = await backedUp();
    forge(directory);
    const target = temporaryDirectory();
    expect(await restore(target, directory)).toMatchObject({ kind: 'wrong', text: expect.stringContaining('nothing') });
    expect(readdirSync(target)).toEqual(['lock.db']);
  });

  it('names files with wrong contents, and omits them', async () => {
    const directory = await backedUp();
    const [file = ''] = filesKept({ directory });
    writeFileSync(join(directory, 'media', file), 'something else');
    const target = temporaryDirectory();
    const outcome = await restore(target, directory);
    expect(outcome).toMatchObject({ kind: 'wrong', text: expect.stringContaining('holds something else') });
    expect(existsSync(join(target, 'log.db'))).toBe(true);
    expect(existsSync(join(target, 'media', file))).toBe(false);
  });

  it('accepts a copied data directory with its write-ahead log', async () => {
    const [from, directory, target] = [temporaryDirectory(), somewhere(), temporaryDirectory()];
    const store = openSqliteStore({ path: join(from, 'log.db') });
    const data = JSON.stringify({ id: 1, taxonomy: 'category', name: 'X', slug: 'x', description: '', parent: 0 });
    await appendAtHead(store, commit([event('term-1', { type: 'TermCreated', data })]));
    cpSync(from, directory, { recursive: true });
    store.close();
    expect(existsSync(join(directory, 'log.db-wal'))).toBe(true);
    expect(await restore(target, directory)).toMatchObject({ kind: 'done' });
    expect(logOf(target)).toEqual(logOf(from));
  });

  it('starts afresh after an earlier one was killed', async () => {
    const target = temporaryDirectory();
    mkdirSync(join(target, '.restore', 'media'), { recursive: true });
    mkdirSync(join(target, 'media', 'ab'), { recursive: true });
    expect(await restore(target, await backedUp())).toMatchObject({ kind: 'done' });
    expect(filesKept({ directory: target })).toEqual(filesKept(site));
  });

  it('leaves nothing behind when it is stopped', async () => {
    const target = temporaryDirectory();
    const args = { directory: await backedUp() };
    await expect(carryOut(target, 'restore', args, { signal: AbortSignal.abort() })).rejects.toThrow('stopped');
    expect(readdirSync(target)).toEqual(['lock.db']);
  });

  it('is refused for a directory that a server uses', async () => {
    const target = temporaryDirectory();
    const unlock = lockDirectory(target);
    await expect(restore(target, await backedUp())).rejects.toThrow('Another process');
    unlock();
  });

  it('needs a backup', async () => {
    await expect(restore(temporaryDirectory(), temporaryDirectory())).rejects.toThrow('there is no backup');
  });
});
