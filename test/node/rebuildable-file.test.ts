import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createEntry } from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { startingAt } from '#domain/hooks/progress.ts';
import { openNodeFile } from '#node/node-file.ts';
import { controlPath, listenControl } from '#ops/control.ts';
import { reporterOf } from '#process/reporter.ts';
import { openHookProgress } from '../../src/node/hook-progress.ts';
import { forgetOrigins } from '../../src/node/origins.ts';
import { openSessionsFile } from '../../src/node/sessions-file.ts';
import { fullDiskFor } from '../support/full-disk.ts';
import { openTestJournal } from '../support/journal.ts';
import { admin, openTestNode } from '../support/node.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const origin = { position: 1, correlationId: 'c', address: '192.0.2.1' };

function open(dataDir: string) {
  const warnings: string[] = [];
  const fault = (error: unknown) => warnings.push(String(error));
  const reporter = reporterOf({ fault, warning: (text) => warnings.push(text) });
  const journal = openTestJournal({ dataDir, clock: () => 1e12, days: 30, reporter });
  return { journal, warnings };
}

it('a journal of origins with any flipped bit opens, or is moved aside and replaced with a warning', () => {
  const whole = temporaryDirectory();
  const first = open(whole).journal;
  first?.note(origin);
  first?.close();
  const bytes = readFileSync(join(whole, 'node.db'));
  for (let at = 0; at < bytes.length; at += 61) {
    const directory = temporaryDirectory();
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 4, at);
    writeFileSync(join(directory, 'node.db'), damaged);
    const { journal, warnings } = open(directory);
    journal?.note({ ...origin, position: 2 });
    expect(journal?.originOf({ position: 2, correlationId: 'c' })).toBe('192.0.2.1');
    journal?.close();
    const aside = readdirSync(directory).filter((name) => name.startsWith('node.db.damaged-'));
    expect(warnings).toHaveLength(aside.length > 0 ? 1 : 0);
    rmSync(directory, { recursive: true });
  }
});

it('a session key that cannot be saved is used until the restart with one warning, and revives no ended session', () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'sessions.json');
  const warnings: string[] = [];
  const { record, save } = openSessionsFile(directory, reporterOf({ warning: (message) => warnings.push(message) }));
  const makeRoom = fullDiskFor(path);
  for (const id of ['a', 'b']) save({ ...record, ended: [[id, 1e15]] });
  expect(warnings).toEqual([expect.stringMatching(/sessions.json cannot be written.* ENOSPC/)]);
  expect(existsSync(path)).toBe(false);
  const again = openSessionsFile(directory, reporterOf({ warning: (message) => warnings.push(message) }));
  expect(again.record.secret).not.toBe(record.secret);
  makeRoom();
  save({ ...record, ended: [['a', 1e15]] });
  expect(openSessionsFile(directory, reporterOf()).record).toEqual({ ...record, ended: [['a', 1e15]] });
  expect(warnings).toHaveLength(2);
});

it('a site shuts down properly when the disk has no space for its ready answers', async () => {
  const warnings: string[] = [];
  const { node, directory } = await openTestNode(undefined, {
    reporter: { warning: (message) => warnings.push(message) },
  });
  await node.store.submit(admin, (session) => createEntry(session, post, { title: 'Hello', status: 'publish' }));
  while (node.work());
  symlinkSync('/dev/full', join(directory, 'views', 'slots.last'));
  await node.close();
  expect(warnings).toEqual([expect.stringContaining('the ready answers cannot be written down: ENOSPC')]);
  const again = await openTestNode(directory);
  expect(again.node.store.reader.entry(1)?.title).toBe('Hello');
  await again.node.close();
});

it('a site starts when a file is in the place of an expendable folder, or the other way round', async () => {
  const { node, directory } = await openTestNode();
  await node.close();
  for (const name of ['views', 'projections.db-search']) {
    rmSync(join(directory, name), { recursive: true, force: true });
    writeFileSync(join(directory, name), 'something');
  }
  mkdirSync(join(directory, 'erased.json'));
  const warnings: string[] = [];
  const again = await openTestNode(directory, { reporter: { warning: (message) => warnings.push(message) } });
  await again.node.close();
  expect(warnings.map((text) => /(\S+) is not what/.exec(text)?.[1]?.slice(directory.length + 1)).sort()).toEqual([
    'erased.json',
    'projections.db-search',
    'views',
  ]);
  expect(readdirSync(directory).filter((name) => name.includes('.damaged-'))).toHaveLength(3);
});

function openHooks(dataDir: string) {
  const warnings: string[] = [];
  const file = openNodeFile(dataDir, reporterOf({ warning: (text) => warnings.push(text) }));
  return { progress: openHookProgress(file), close: () => file.close(), warnings };
}

it('the progress of hooks is read correctly, or dropped with a warning, whichever bit of its file is flipped', () => {
  const whole = temporaryDirectory();
  const { progress: first, close: end } = openHooks(whole);
  expect(first.since(4)).toBe(4);
  first.put(1, { ...startingAt(378, 2), attempts: 3, error: 'unreachable' });
  first.put(2, startingAt(5));
  const written = [1, 2].map((hook) => first.of(hook));
  end();
  const bytes = readFileSync(join(whole, 'node.db'));
  for (let at = 0; at < bytes.length; at += 29) {
    const directory = temporaryDirectory();
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << (at % 8)), at);
    writeFileSync(join(directory, 'node.db'), damaged);
    const { progress, close, warnings } = openHooks(directory);
    const began = progress.since(400);
    const read = [1, 2].map((hook) => progress.of(hook));
    const isWhole = read.every((one, i) => JSON.stringify(one) === JSON.stringify(written[i])) && began === 4;
    for (const [i, one] of read.entries()) expect([null, written[i]]).toContainEqual(one);
    expect([at, warnings.length > 0]).toEqual([at, !isWhole]);
    progress.put(1, startingAt(390));
    expect(progress.of(1)?.position).toBe(390);
    close();
    rmSync(directory, { recursive: true });
  }
});

it('a node starts with damaged notes; forgetting origins deletes what was damaged', async () => {
  const { node, directory } = await openTestNode();
  await node.store.submit(admin, (session) => createEntry(session, post, { title: 'x' }));
  await node.close();
  writeFileSync(join(directory, 'node.db'), 'not a database, whatever it is called');
  const warnings: string[] = [];
  const again = await openTestNode(directory, { reporter: { warning: (text) => warnings.push(text) } });
  again.node.store.uses.note('p', () => '192.0.2.1');
  expect(again.node.store.uses.of('p')?.address).toBe('192.0.2.1');
  expect(again.node.store.hooks.progress.of(1)).toBe(null);
  expect(warnings).toEqual([expect.stringContaining('node.db cannot be used')]);
  forgetOrigins(directory, again.node.store.nodeFile, ['any']);
  expect(readdirSync(directory).filter((name) => name.includes('.damaged-'))).toEqual([]);
  await again.node.close();
});

it('a server starts when folders are in the place of the checksum of its projections and of its socket', async () => {
  const { node, directory } = await openTestNode();
  await node.store.submit(admin, (session) => createEntry(session, post, { title: 'Hello', status: 'publish' }));
  await node.close();
  for (const name of ['projections.db-sum', 'control.sock']) {
    rmSync(join(directory, name), { force: true });
    mkdirSync(join(directory, name, 'in it'), { recursive: true });
  }
  const again = await openTestNode(directory);
  expect(again.node.store.reader.entry(1)?.title).toBe('Hello');
  const { close } = await listenControl(controlPath(directory), async () => ({ kind: 'done', value: null }));
  await close();
  await again.node.close();
});

it('a folder in the place of the lock is named', async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'lock.db'));
  await expect(openTestNode(directory)).rejects.toThrow(`${join(directory, 'lock.db')} is a folder`);
});
