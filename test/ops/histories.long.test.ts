import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEntry } from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { mediaFolder } from '#media/open.ts';
import { endOf } from '#ops/backups/back-up.ts';
import { openRepository } from '#ops/backups/repository.ts';
import { ship } from '#ops/backups/tail.ts';
import { serve } from '#ops/serve.ts';
import { admin } from '../support/node.ts';
import { eventually } from '../support/patience.ts';
import { carryOut } from '../support/place.ts';
import { logOf } from '../support/plain-log.ts';
import { startServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';
import { temporaryDirectory } from '../support/temporary.ts';

let site: Site;
let to: string;
beforeEach(async () => {
  site = await startSite();
  to = temporaryDirectory();
});
afterEach(() => site.close());

type Args = Readonly<Record<string, string | number>>;
interface Listed {
  readonly name: string;
  readonly position: number;
}

const drill = () => carryOut(site.directory, 'backup drill', { from: to });
const backup = (directory = site.directory) => carryOut(directory, 'backup', { to });
const list = async () =>
  ((await carryOut(site.directory, 'backup list', { from: to })) as unknown as { value: Listed[] }).value;

async function write(at: Site, title: string): Promise<number> {
  at.clock.now += 60_000;
  await at.node.store.submit(admin, (session) => createEntry(session, post, { title, status: 'publish' }));
  return at.position();
}

/** Ships as the process of a server does: after a backup if the place has nothing that the log continues. */
async function shipAll(directory: string): Promise<number> {
  const repository = await openRepository({ address: to, key: null });
  const logPath = join(directory, 'log.db');
  let end = await endOf(repository, logPath);
  if (end === null) {
    expect(await backup(directory)).toMatchObject({ kind: 'done' });
    end = await endOf(repository, logPath);
  }
  if (end === null) throw new Error('there is no backup to continue');
  const { line, head } = end;
  const { position } = await ship({ repository, logPath, media: mediaFolder(directory), line, from: head });
  repository.close();
  return position;
}

async function restore(more: Args = {}) {
  const target = join(temporaryDirectory(), 'restored');
  return { target, outcome: await carryOut(target, 'restore', { from: to, ...more }) };
}

async function expectWhole(directory: string) {
  const { target, outcome } = await restore();
  expect([outcome, logOf(target)]).toEqual([expect.objectContaining({ kind: 'done' }), logOf(directory)]);
  expect(await drill()).toMatchObject({ kind: 'done', value: { behind: 0, missing: null } });
}

const pieces = () => {
  const root = join(to, 'tail');
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('/'))
    .map((name) => join('tail', name))
    .sort();
};

it('a place of backups keeps a server from beginning a new site in an empty folder', async () => {
  await write(site, 'One');
  await backup();
  const empty = temporaryDirectory();
  const env = { BACKUP_TO: to, SITE_URL: 'http://localhost', DATA_DIR: empty, PORT: '0', HOST: '127.0.0.1' };
  await expect(serve(env)).rejects.toThrow(`${to} has backups of a site`);
  expect(readdirSync(empty)).toEqual([]);
});

describe('a log that was restored to an earlier time', () => {
  it('goes on in the same place as a history of its own, which is what is restored', async () => {
    await write(site, 'Before');
    await backup();
    const kept = await write(site, 'Kept');
    await shipAll(site.directory);
    const at = new Date(site.clock.now).toISOString();
    const gone = await write(site, 'Undone');
    expect(await shipAll(site.directory)).toBe(gone);
    const { target } = await restore({ at });
    expect(logOf(target)).toHaveLength(kept);
    // The state restored is the newest before anything else is written.
    await shipAll(target);
    await expectWhole(target);
    const again = await startSite({ directory: target, users: 'there' });
    again.clock.now = site.clock.now;
    for (const title of ['Other', 'More']) {
      await write(again, title);
      await shipAll(target);
      await expectWhole(target);
    }
    expect(await backup(target)).toMatchObject({ kind: 'done' });
    await expectWhole(target);
    await again.close();
    // The former history stays beside it.
    const [first] = await list();
    expect((await restore({ backup: first?.name ?? '' })).outcome).toMatchObject({ kind: 'done' });
  });
});

describe('a backup by a wrong clock', () => {
  it('is not taken for the newest', async () => {
    await write(site, 'One');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 48 * 3_600_000 });
    await backup().finally(() => vi.useRealTimers());
    for (const title of ['Two', 'Three']) {
      await write(site, title);
      expect(await backup()).toMatchObject({ kind: 'done' });
    }
    await expectWhole(site.directory);
    const positions = (await list()).map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });
});

describe('a server whose last backup is in the future', () => {
  it('adds another one at once', { timeout: 60_000 }, async () => {
    const directory = join(temporaryDirectory(), 'served');
    await (await startServer(directory)).stop('SIGTERM');
    const ahead = () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 48 * 3_600_000 });
      return backup(directory).finally(() => vi.useRealTimers());
    };
    // The last reading of the clock tells the right time, and without it nothing does.
    const made = Date.parse(((await ahead()) as { value: { at: string } }).value.at);
    expect(made).toBeLessThan(Date.now() + 60_000);
    rmSync(join(directory, 'clock.json'));
    await ahead();
    const server = await startServer(directory, undefined, { BACKUP_TO: to, BACKUP_EVERY: '1440' });
    onTestFinished(() => server.stop('SIGKILL'));
    await eventually(async () => expect(await list()).toHaveLength(3), { interval: 100 });
  });
});

describe('a place that lacks something', () => {
  it('names missing pieces, and is restored up to them only if that is asked for', async () => {
    await write(site, 'One');
    await backup();
    const end = await shipAll(site.directory);
    for (const title of ['Lost', 'Two', 'Three']) {
      await write(site, title);
      await shipAll(site.directory);
    }
    const [piece = ''] = pieces();
    rmSync(join(to, piece));
    const { target, outcome } = await restore();
    expect(outcome).toMatchObject({ kind: 'refused', code: 'backup_incomplete' });
    expect(JSON.stringify(outcome)).toContain(`positions up to ${site.position()} are there`);
    expect(existsSync(join(target, 'log.db'))).toBe(false);
    const behind = site.position() - end;
    expect(await drill()).toMatchObject({ kind: 'wrong', value: { behind } });
    expect(logOf((await restore({ position: end })).target)).toHaveLength(end);
    // A server that still has them ships them again.
    await shipAll(site.directory);
    await expectWhole(site.directory);
  });

  it.each([
    ['of the same history', async () => undefined],
    ['of a newer history', async () => renumber()],
  ])('misses a backup from the pieces %s that followed it', async (_, change) => {
    await write(site, 'One');
    await backup();
    await write(site, 'Two');
    await backup();
    await write(site, 'Three');
    await shipAll(site.directory);
    await change();
    const last = (await list()).at(-1)?.name ?? '';
    rmSync(join(to, 'backups', last));
    expect((await restore()).outcome).toMatchObject({ kind: 'refused', code: 'backup_incomplete' });
    expect(await drill()).toMatchObject({ kind: 'wrong' });
    await shipAll(site.directory);
    await expectWhole(site.directory);
  });
});

describe('a place of backups', () => {
  it('keeps objects that this version does not know', async () => {
    await write(site, 'One');
    await backup();
    const foreign = ['log/notes', 'tail/of-another-kind', 'backups/readme.txt'];
    for (const name of foreign) {
      mkdirSync(dirname(join(to, name)), { recursive: true });
      writeFileSync(join(to, name), 'x');
    }
    await write(site, 'Two');
    expect(await backup()).toMatchObject({ kind: 'done' });
    await expectWhole(site.directory);
    expect(foreign.filter((name) => !existsSync(join(to, name)))).toEqual([]);
  });

  it('of version 1 is restored and continued', async () => {
    await write(site, 'One');
    await backup();
    for (const title of ['Two', 'Three']) {
      await write(site, title);
      await shipAll(site.directory);
    }
    await makeOld();
    const { target } = await restore();
    expect(logOf(target)).toEqual(logOf(site.directory));
    await write(site, 'Four');
    await shipAll(site.directory);
    await expectWhole(site.directory);
  });
});

/** Moves the newest backup and its pieces to a line with a higher number. */
async function renumber() {
  const last = (await list()).at(-1)?.name ?? '';
  const path = join(to, 'backups', last);
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const line = manifest.line.replace(/^\d{6}/, '000002');
  writeFileSync(path.replace(/000001-/, '000002-'), JSON.stringify({ ...manifest, line }));
  rmSync(path);
  renameSync(join(to, 'tail', manifest.line), join(to, 'tail', line));
}

/** Gives a place the names and manifests of version 1. */
async function makeOld() {
  for (const { name } of await list()) {
    const path = join(to, 'backups', name);
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    const line = manifest.line.slice(7);
    const former = `${manifest.at.replace(/[:.]/g, '-')}-${String(manifest.position).padStart(12, '0')}.json`;
    writeFileSync(join(to, 'backups', former), JSON.stringify({ ...manifest, version: 1, line }));
    rmSync(path);
  }
  for (const name of pieces()) {
    const former = name.replace(/^tail\/\d{6}-/, 'tail/').replace(/(\d{12}-\d{12})-.*$/, '$1');
    mkdirSync(dirname(join(to, former)), { recursive: true });
    renameSync(join(to, name), join(to, former));
  }
}
