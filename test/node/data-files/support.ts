import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { createEntry } from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { startingAt } from '#domain/hooks/progress.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { leafOf } from '#eventstore/leaf.ts';
import { FileDamaged } from '#node/checked-file.ts';
import { type DataFile, dataFiles } from '#node/data-files.ts';
import { writePending } from '#node/erasure/pending.ts';
import { writeLastDrill } from '#node/last-backup.ts';
import type { Node } from '#node/node.ts';
import { openSessionsFile } from '#node/sessions-file.ts';
import { readCheckpoints } from '#node/tree/checkpoints.ts';
import { reporterOf } from '#process/reporter.ts';
import { wordIndexSchema } from '#projections/audit/word-index.ts';
import { parseCheckpoint } from '#tlog/checkpoint.ts';
import { cosignerOf } from '#tlog/cosignature.ts';
import { COSIGNATURE, encodeVerifier, newSigner, parseNote, parseVerifier, verifiedKeys } from '#tlog/note.ts';
import { GrowingRoot, leafHash } from '#tlog/tree.ts';
import { openTestJournal } from '../../support/journal.ts';
import { admin, openTestNode } from '../../support/node.ts';
import { carryOut } from '../../support/place.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

export interface Damage {
  readonly name: string;
  readonly to: (path: string) => void;
}

const file = (name: string, change: (bytes: Buffer) => Buffer): Damage => ({
  name,
  to: (path) => writeFileSync(path, change(readFileSync(path))),
});

/** A flipped bit at a part of a file from its beginning (0) to its end (1). */
export const flipAt = (part: number): Damage =>
  file(`a bit flipped at ${part}`, (bytes) => {
    const at = Math.min(bytes.length - 1, Math.floor(bytes.length * part));
    if (at >= 0) bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.round(part * 6)), at);
    return bytes;
  });

const cut: readonly Damage[] = [
  file('empty', () => Buffer.alloc(0)),
  file('half of it', (bytes) => bytes.subarray(0, bytes.length >> 1)),
  file('garbage', () => Buffer.from('{"what":"ever"}\nnot what it was\n')),
];

const misplaced: Damage = {
  name: 'a folder where a file has to be, or the other way round',
  to(path) {
    const isFolder = statSync(path).isDirectory();
    rmSync(path, { recursive: true });
    if (isFolder) writeFileSync(path, 'a file');
    else mkdirSync(path);
  },
};

const erased = `address-${'a'.repeat(64)}`;

/** A data directory with all files that a site has in the course of time, and what it has signed. */
export interface Whole {
  readonly directory: string;
  readonly id: number;
  readonly keys: readonly string[];
  readonly partners: readonly unknown[];
  readonly notes: readonly string[];
}

/** `isKilled`: as a killed server leaves it, with the write-ahead files of all databases. */
export async function wholeSite({ isKilled = false } = {}): Promise<Whole> {
  const { node, directory: own } = await openTestNode();
  let directory = own;
  const journal = openTestJournal({ dataDir: directory, days: 30, clock: Date.now, reporter: reporterOf() });
  const { store } = node;
  const write = (title: string) =>
    store.submit(admin, (session) => createEntry(session, post, { title, status: 'publish' }));
  const { value } = await write('Good morning');
  if (isRefusal(value)) throw new Error(value.message);
  while (node.work());
  journal.note({ position: 3, correlationId: 'c', address: '192.0.2.1' });
  store.uses.note('password', () => '192.0.2.2');
  store.feeds.of('https://feeds.example/a');
  store.feeds.keep('https://feeds.example/a', '[]');
  store.logins.note(1, true);
  store.hooks.progress.since(2);
  store.hooks.progress.put(1, startingAt(3));
  const words = new DatabaseSync(join(directory, 'words.db'));
  words.exec(wordIndexSchema);
  words.close();
  const { checkpoints, witnesses, keys } = store.transparency;
  const partner = newSigner('archive.example');
  witnesses.add({
    ...{ organisation: 'archive', address: 'http://127.0.0.1:1', log: encodeVerifier(partner) },
    witness: encodeVerifier(cosignerOf(partner), COSIGNATURE),
  });
  checkpoints.make();
  keys.replace();
  for (const title of ['One more', 'And another']) {
    await write(title);
    checkpoints.make();
  }
  const about = { id: value, keys: keys.verifiers, partners: witnesses.partners };
  openSessionsFile(directory, reporterOf());
  const views = join(directory, 'images/aa', 'a'.repeat(64));
  mkdirSync(views, { recursive: true });
  writeFileSync(join(views, `w=300.${'b'.repeat(64)}`), 'x');
  if (isKilled) {
    await wait(300);
    directory = temporaryDirectory();
    cpSync(own, directory, { recursive: true });
  }
  await node.close();
  journal.close();
  await carryOut(directory, 'verify');
  await carryOut(directory, 'backup', { to: join(temporaryDirectory(), 'place') });
  writeLastDrill(directory, { ok: true, position: 3 });
  for (const name of ['erased.json', 'clock.json'])
    writeFileSync(join(directory, name), readFileSync(join(directory, 'verified.json')));
  writePending(directory, [{ stream: erased, by: null, reason: '' }]);
  for (const folder of ['timestamps', 'rebuild', 'prepared', 'projections.db-search'])
    mkdirSync(join(directory, folder), { recursive: true });
  const notes = readCheckpoints(join(directory, 'checkpoints.jsonl')).map(({ note }) => note);
  return { directory, notes, ...about };
}

/** The files of a directory that no row of the table describes. */
export function undescribed(directory: string): readonly string[] {
  const beside = ({ name, isDatabase, isSealed }: DataFile) => [
    ...[name, `${name}.new`],
    ...(isDatabase ? [`${name}-wal`, `${name}-shm`] : []),
    ...(isSealed ? [`${name}-sum`] : []),
  ];
  const known = new Set(dataFiles.flatMap(beside));
  return readdirSync(directory).filter((name) => !known.has(name) && !/\.(?:damaged|earlier)-\d{8}T/.test(name));
}

export interface Target {
  readonly row: DataFile;
  readonly name: string;
}

/** All files and folders that can be damaged, and what is damaged in each. Flips in the log itself are tried where it is read. */
export function targets(): readonly Target[] {
  return dataFiles
    .filter(({ kind }) => kind !== 'passing')
    .flatMap((row) => [
      { row, name: row.name },
      ...(row.isSealed ? [{ row, name: `${row.name}-sum` }] : []),
      ...(row.isDatabase && row.kind !== 'log' ? [{ row, name: `${row.name}-wal` }] : []),
    ]);
}

export function damagesOf({ row, name }: Target, flips: readonly Damage[]): readonly Damage[] {
  const isWhole = row.isFolder === true || row.kind === 'log';
  return isWhole && name === row.name ? [misplaced] : [...flips, ...cut, misplaced];
}

/** Damages a copy of a directory, and looks at what a site on it does. */
export async function tryDamage(whole: Whole, { row, name }: Target, damage: Damage): Promise<void> {
  const directory = temporaryDirectory();
  cpSync(whole.directory, directory, { recursive: true });
  const path = join(directory, name);
  damage.to(path);
  const warnings: string[] = [];
  const reporter = {
    warning: (text: string) => void warnings.push(text),
    fault: (error: unknown) => void warnings.push(String(error)),
  };
  const opened = await openTestNode(directory, { reporter, keepSite: true }).catch((error: Error) => error);
  if (opened instanceof Error) {
    expect([row.kind, opened.message]).toEqual(['log', expect.stringContaining(path)]);
    return;
  }
  const { node } = opened;
  try {
    node.start();
    expect(node.store.reader.entry(whole.id)?.title).toBe('Good morning');
    await node.store.submit(admin, (session) => createEntry(session, post, { title: 'Later', status: 'publish' }));
    const told = () => [...warnings, ...node.integrity.warnings.map(({ message }) => message)].join('\n');
    if (row.kind === 'kept' && !told().includes(join(directory, row.name))) expectWhole(whole, node);
    expectTruth(node, told);
  } finally {
    await node.close();
  }
}

/** What cannot be made again is as it was. */
function expectWhole({ keys, partners, notes }: Whole, { store, log }: Node): void {
  const { checkpoints, ...known } = store.transparency;
  expect([known.keys.verifiers, known.witnesses.partners]).toEqual([keys, partners]);
  // A power failure, too, leaves half a line: it is one that nobody has seen.
  expect(notes).toContain(checkpoints.latest?.note);
  expect([...log.read({ stream: erased })]).toHaveLength(1);
}

/** What is signed and served follows from the log, or nothing is signed and a file is named. */
function expectTruth({ store, log, readiness }: Node, told: () => string): void {
  const { checkpoints, keys } = store.transparency;
  const before = checkpoints.latest?.note;
  try {
    checkpoints.make();
    expect(parseCheckpoint(parseNote(checkpoints.latest?.note ?? '').text).size).toBe(log.head().position);
    expect(
      verifiedKeys(parseNote(checkpoints.latest?.note ?? ''), keys.verifiers.slice(0, 1).map(parseVerifier)),
    ).toHaveLength(1);
  } catch (error) {
    if (!(error instanceof FileDamaged)) throw error;
    expect([checkpoints.latest?.note, told()]).toEqual([before, expect.stringContaining(error.path)]);
  }
  if (checkpoints.latest === null) return;
  const made = new GrowingRoot();
  const { size, root } = parseCheckpoint(parseNote(checkpoints.latest.note).text);
  for (const found of log.read({ to: size })) made.append(leafHash(leafOf(found)));
  expect([size, Buffer.from(root)]).toEqual([size, Buffer.from(made.root)]);
  const leaves = Array.from(log.read({ to: size }), (found) => leafHash(leafOf(found)));
  const tile = store.publicLog.tile({ level: 0, index: 0, width: size });
  expect(Buffer.from(tile ?? [])).toEqual(Buffer.concat(leaves));
  expect(readiness.reasons).toEqual([]);
}
