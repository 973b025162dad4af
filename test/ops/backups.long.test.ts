import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { eraseEntry } from '#commands/erasure.ts';
import { mediaFolder } from '#media/open.ts';
import { endOf } from '#ops/backups/back-up.ts';
import { openRepository } from '#ops/backups/repository.ts';
import { ship } from '#ops/backups/tail.ts';
import { typed } from '../node/erasure/support.ts';
import { ordered, someOrder } from '../support/erasure-order.ts';
import { freePort } from '../support/free-port.ts';
import { admin } from '../support/node.ts';
import { eventually } from '../support/patience.ts';
import { carryOut } from '../support/place.ts';
import { logOf } from '../support/plain-log.ts';
import { useS3 } from '../support/s3.ts';
import { startServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { filesKept, pngOf, uploadBody } from '../support/uploads.ts';

const s3 = await useS3();
let site: Site;
beforeAll(async () => {
  site = await startSite();
  await post('First');
  await uploadBody(site, 'author', { name: 'a.png', type: 'image/png', bytes: pngOf(200, 100) });
});
afterAll(() => site.close());
beforeEach(() => {
  s3.fault = null;
  s3.objects.clear();
});

type Env = Readonly<Record<string, string>>;
const key = randomBytes(32).toString('base64');
const post = (title: string) =>
  site.make('editor', '/posts', { title, content: `Words of ${title}`, status: 'publish' });
const backup = (to: string, env: Env = {}) => carryOut(site.directory, 'backup', { to }, { env });
const drill = (from: string, env: Env = {}) => carryOut(site.directory, 'backup drill', { from }, { env });
const list = async (from: string) =>
  ((await carryOut(site.directory, 'backup list', { from })) as { value: { name: string; position: number }[] }).value;

/** Restores into a new folder. Returns it with the outcome. */
async function restore(from: string, more: Env = {}, env: Env = {}) {
  const target = join(temporaryDirectory(), 'restored');
  const outcome = await carryOut(target, 'restore', { from, ...more }, { env });
  return { target, outcome };
}

/** Ships the end of the log. Returns the last position that was shipped. */
async function shipTo(address: string): Promise<number> {
  const repository = await openRepository({ address, key: null });
  const logPath = join(site.directory, 'log.db');
  const end = await endOf(repository, logPath);
  if (end === null) throw new Error('there is no backup');
  const media = mediaFolder(site.directory);
  const { position } = await ship({ repository, logPath, media, line: end.line, from: end.head });
  repository.close();
  return position;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}

describe.each([
  ['a folder', () => join(temporaryDirectory(), 'backups'), {}],
  ['a folder, encrypted', () => join(temporaryDirectory(), 'backups'), { BACKUP_KEY: key }],
  ['a bucket, encrypted', () => s3.url, { BACKUP_KEY: key }],
] as const)('backups in %s', (_, place, env) => {
  it('contain the whole site, and share what did not change', async () => {
    const to = place();
    expect(await backup(to, env)).toMatchObject({ kind: 'done', value: { events: site.position(), findings: [] } });
    const before = site.position();
    await post('Second');
    const second = await backup(to, env);
    expect(second).toMatchObject({ kind: 'done', value: { position: site.position(), files: 0 } });
    expect(site.position()).toBeGreaterThan(before);
    const { target, outcome } = await restore(to, {}, env);
    expect(outcome).toMatchObject({ kind: 'done' });
    expect(logOf(target)).toEqual(logOf(site.directory));
    expect(filesKept({ directory: target }).sort()).toEqual(filesKept(site).sort());
    expect(await carryOut(target, 'verify', { quick: true })).toMatchObject({ kind: 'done' });
    expect(await drill(to, env)).toMatchObject({ kind: 'done', value: { head: site.node.log.head() } });
  });
});

describe('an encrypted backup', () => {
  it('is unreadable, needs its key to be restored, and is refused after any change', async () => {
    const to = join(temporaryDirectory(), 'backups');
    await backup(to, { BACKUP_KEY: key });
    const files = filesBelow(to);
    for (const name of files)
      expect(readFileSync(join(to, name)).toString('latin1', 0, 19)).toBe('palimpsest-sealed-1');
    const refused = { kind: 'refused', code: 'backup_sealed' };
    expect((await restore(to)).outcome).toMatchObject(refused);
    const other = { BACKUP_KEY: randomBytes(32).toString('hex') };
    const { outcome, target } = await restore(to, {}, other);
    expect([outcome.kind, existsSync(join(target, 'log.db'))]).toEqual(['refused', false]);
    const segment = join(to, files.find((name) => name.startsWith('log/')) ?? '');
    const bytes = readFileSync(segment);
    bytes[bytes.length >> 1] = 255 - (bytes[bytes.length >> 1] ?? 0);
    writeFileSync(segment, bytes);
    expect((await restore(to, {}, { BACKUP_KEY: key })).outcome).toMatchObject(refused);
    expect(await drill(to, { BACKUP_KEY: key })).toMatchObject(refused);
  });
});

describe('restore --at', () => {
  it('restores the log up to the last commit at or before that time', async () => {
    const to = temporaryDirectory();
    const position = site.position();
    const at = site.node.log.head().at ?? '';
    site.clock.now += 60_000;
    await post('Too late');
    await backup(to);
    const { target, outcome } = await restore(to, { at });
    expect([outcome.kind, logOf(target)]).toEqual(['done', logOf(site.directory).slice(0, position)]);
    const later = new Date(Date.parse(at) + 59_999).toISOString();
    expect(logOf((await restore(to, { at: later })).target)).toHaveLength(position);
    expect(logOf((await restore(to, { at: new Date(site.clock.now).toISOString() })).target)).toHaveLength(
      site.position(),
    );
  });

  it('does not restore texts that were ordered to be erased later', async () => {
    const to = temporaryDirectory();
    const id = await post('Callisthenes');
    const image = await uploadBody(site, 'author', { name: 'c.txt', type: 'text/plain', bytes: 'To be forgotten' });
    const { at, position } = site.node.log.head();
    site.clock.now += 60_000;
    await backup(to);
    const early = (await list(to))[0]?.name ?? '';
    await site.node.store.submit(admin, (session) => eraseEntry(session, id, someOrder));
    await typed(site.node, 'erase media', { id: String(image.body.id), ...ordered });
    // The next backup contains the orders, and rewrites earlier events without the texts.
    expect(await backup(to)).toMatchObject({ kind: 'done', value: { events: site.position() } });
    expect((await list(to)).map(({ name }) => name)).not.toContain(early);
    expect(filesBelow(join(to, 'media')).length).toBe(filesKept(site).length);
    const { target, outcome } = await restore(to, { at: at ?? '' });
    expect(outcome).toMatchObject({ kind: 'done' });
    const log = logOf(target);
    expect(log.length).toBeGreaterThan(position);
    expect(log.filter(({ sealed }) => sealed?.includes('Callisthenes') || sealed?.includes('c.txt'))).toEqual([]);
    expect(log.filter(({ type }) => type === 'EntryErased' || type === 'MediaErased')).toHaveLength(2);
    expect(existsSync(join(target, 'owed-erasures.json'))).toBe(false);
    expect(await carryOut(target, 'verify')).toMatchObject({ kind: 'done' });
    // The history that continues from there is backed up beside the other one.
    const next = await carryOut(target, 'backup', { to });
    expect(next).toMatchObject({ kind: 'done', value: { position: log.length } });
    expect(logOf((await restore(to)).target)).toHaveLength(log.length);
  });

  it('does not restore them from an older backup, either, and needs nothing that follows it', async () => {
    const to = temporaryDirectory();
    const id = await post('Onesicritus');
    await backup(to);
    const position = site.position();
    const older = (await list(to))[0]?.name ?? '';
    await site.node.store.submit(admin, (session) => eraseEntry(session, id, someOrder));
    await shipTo(to);
    const { target, outcome } = await restore(to, { backup: older });
    expect([outcome.kind, logOf(target).length > position]).toEqual(['done', true]);
    expect(logOf(target).filter(({ sealed }) => sealed?.includes('Onesicritus'))).toEqual([]);
    for (const name of filesBelow(to).filter((each) => each.startsWith('tail/'))) writeFileSync(join(to, name), '?');
    const alone = await restore(to, { backup: older });
    expect([alone.outcome.kind, logOf(alone.target).length]).toEqual(['done', position]);
  });

  it('finds the files of an earlier history, also after an erasure in the one that continues', async () => {
    const to = temporaryDirectory();
    const { position } = site.node.log.head();
    await uploadBody(site, 'author', { name: 'n.txt', type: 'text/plain', bytes: 'Nearchus' });
    await backup(to);
    const { target: fork } = await restore(to, { position: String(position) });
    await carryOut(fork, 'backup', { to });
    const [first] = await list(to);
    const kept = filesBelow(join(to, 'media'));
    expect(await carryOut(fork, 'erase user', { login: 'contributor', ...ordered })).toMatchObject({ kind: 'done' });
    await carryOut(fork, 'backup', { to });
    expect(filesBelow(join(to, 'media'))).toEqual(kept);
    const { outcome, target } = await restore(to, { backup: first?.name ?? '' });
    expect([outcome.kind, filesKept({ directory: target }).sort()]).toEqual(['done', filesKept(site).sort()]);
    expect(await carryOut(target, 'verify')).toMatchObject({ kind: 'done' });
  });
});

describe('a backup repository', () => {
  it('keeps the configured number of backups, and no objects that none of them needs', async () => {
    const to = s3.url;
    const env = { BACKUP_TO: to, BACKUP_KEEP: '2' };
    for (const title of ['one', 'two', 'three']) {
      await post(title);
      await backup(to, env);
      for (const object of s3.objects.values()) object.changed = new Date(Date.now() - 2 * 3_600_000);
    }
    await backup(to, env);
    const names = [...s3.objects.keys()].map((name) => name.split('/')[2]);
    expect([names.filter((name) => name === 'backups').length, names.filter((name) => name === 'log').length]).toEqual([
      2, 2,
    ]);
    for (const { name, position } of await list(to)) {
      expect(logOf((await restore(to, { backup: name })).target)).toHaveLength(position);
    }
  });

  it('is left usable by a failed backup, which can be repeated', async () => {
    expect(await backup(s3.url)).toMatchObject({ kind: 'done' });
    const position = site.position();
    await post('More');
    s3.fault = 'gone';
    await expect(backup(s3.url)).rejects.toThrow('cannot be used');
    s3.fault = null;
    expect(logOf((await restore(s3.url)).target)).toHaveLength(position);
    expect(await backup(s3.url)).toMatchObject({ kind: 'done' });
    expect(logOf((await restore(s3.url)).target)).toHaveLength(site.position());
  });

  it('refuses another site, and reports when it has no backup', async () => {
    const to = temporaryDirectory();
    expect((await restore(to)).outcome).toMatchObject({ kind: 'refused', code: 'no_backup' });
    await backup(to);
    const other = await startSite();
    const refused = await carryOut(other.directory, 'backup', { to });
    await other.close();
    expect(refused).toMatchObject({ kind: 'refused', code: 'other_site' });
    await expect(carryOut(site.directory, 'backup')).rejects.toThrow('set BACKUP_TO');
  });
});

describe('the shipped end of a log', () => {
  it('is restored with the previous backup, and is part of the next one', async () => {
    const tails = () => [...s3.objects.keys()].filter((name) => name.includes('/tail/')).length;
    await backup(s3.url);
    for (const title of ['Shipped', 'Shipped, too']) {
      await uploadBody(site, 'author', { name: 'a.txt', type: 'text/plain', bytes: title });
      expect(await shipTo(s3.url)).toBe(site.position());
      expect(await shipTo(s3.url)).toBe(site.position());
    }
    expect(tails()).toBe(2);
    const { target, outcome } = await restore(s3.url);
    expect([outcome.kind, logOf(target)]).toEqual(['done', logOf(site.directory)]);
    expect(filesKept({ directory: target }).sort()).toEqual(filesKept(site).sort());
    await backup(s3.url);
    expect(tails()).toBe(0);
    expect(logOf((await restore(s3.url)).target)).toHaveLength(site.position());
  });
});

describe('backup drill', () => {
  it('detects a damaged file and a truncated segment, and records its result', async () => {
    const to = temporaryDirectory();
    await backup(to);
    expect(await drill(to)).toMatchObject({ kind: 'done' });
    const noted = () => JSON.parse(readFileSync(join(site.directory, 'drilled.json'), 'utf8'));
    expect(noted()).toMatchObject({ ok: true, position: site.position() });
    const [file = ''] = filesBelow(join(to, 'media'));
    writeFileSync(join(to, 'media', file), 'x');
    expect(await drill(to)).toMatchObject({ kind: 'wrong' });
    expect(noted()).toMatchObject({ ok: false });
    const [segment = ''] = filesBelow(join(to, 'log'));
    writeFileSync(join(to, 'log', segment), readFileSync(join(to, 'log', segment)).subarray(0, -100));
    expect(await drill(to)).toMatchObject({ kind: 'refused', code: 'no_backup' });
    expect(noted()).toMatchObject({ ok: false });
  });
});

describe('a server that ships its log', () => {
  it('loses nothing shipped when its machine is lost, and nothing at all when it is stopped', async () => {
    const to = temporaryDirectory();
    const metrics = await freePort();
    const directory = join(temporaryDirectory(), 'lost');
    const env = { BACKUP_TO: to, BACKUP_KEY: key, BACKUP_SHIP: 'on', METRICS_PORT: String(metrics) };
    let server = await startServer(directory, undefined, env);
    onTestFinished(() => server.stop('SIGKILL'));
    const authorization = `Basic ${Buffer.from(`admin:${server.password}`).toString('base64')}`;
    const write = async (path: string, headers: Record<string, string>, body: string | Buffer) => {
      const answer = await fetch(`${server.root}cms/v2/${path}`, {
        method: 'POST',
        headers: { authorization, ...headers },
        body: new Uint8Array(Buffer.from(body)),
      });
      expect(answer.status).toBe(201);
      return Number(answer.headers.get('x-cms-position'));
    };
    const writePost = (title: string) =>
      write('posts', { 'content-type': 'application/json' }, JSON.stringify({ title }));
    const sample = async (name: string) => {
      const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
      return Number(new RegExp(`^palimpsest_${name} (.*)$`, 'm').exec(text)?.[1]);
    };
    const png = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' };
    let position = 0;
    for (let i = 0; i < 2; i++) {
      await writePost(`Post ${i}`);
      position = await write('media', png, pngOf(200, 100 + i));
      await eventually(async () => expect(await sample('backup_shipped_position')).toBe(position));
    }
    expect(await sample('backup_lag_seconds')).toBe(0);
    await server.stop('SIGKILL');
    const { target, outcome } = await restore(to, {}, { BACKUP_KEY: key });
    expect(outcome).toMatchObject({ kind: 'done' });
    expect(logOf(target).slice(0, position)).toEqual(logOf(directory).slice(0, position));
    server = await startServer(directory, undefined, env);
    // The site's new address is an event.
    const end = logOf(directory).length;
    await eventually(async () => expect(await sample('backup_shipped_position')).toBe(end));
    await writePost('The last one');
    await server.stop('SIGTERM');
    const again = await restore(to, {}, { BACKUP_KEY: key });
    expect([again.outcome.kind, logOf(again.target)]).toEqual(['done', logOf(directory)]);
  });
});
