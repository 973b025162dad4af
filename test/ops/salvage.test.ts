import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockDirectory } from '#eventstore/lock.ts';
import { openServingStore, openSqliteStore } from '#eventstore/sqlite/store.ts';
import { commit, event, time } from '../support/commits.ts';
import { carryOut } from '../support/place.ts';
import { appendTo, logOf } from '../support/plain-log.ts';
import { appendAtHead } from '../support/store-fixture.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const top = 200;
const pageSize = 8192;
/** Positions 2k+1 and 2k+2 form one commit; some texts span several pages. */
const commits = Array.from({ length: top / 2 }, (_, k) =>
  commit(
    [2 * k + 1, 2 * k + 2].map((position) =>
      event(`entry-${position % 7}`, {
        data: JSON.stringify({ mark: `data ${position}.` }),
        sealed: JSON.stringify({ text: `sealed ${position}. ${'ü'.repeat(position % 20 === 0 ? 9000 : 100)}` }),
      }),
    ),
    { at: time(k), actor: k % 3 === 0 ? null : k },
  ),
);

const whole = mkdtempSync(join(tmpdir(), 'palimpsest-'));
/** The lines of its export. */
let lines: readonly string[];
beforeAll(async () => {
  await write(whole, top);
  lines = (await carryOut(whole, 'export', { file: '-' })).written.trimEnd().split('\n');
});
afterAll(() => rmSync(whole, { recursive: true }));

/** Writes the log up to a position, with the same salts each time. */
async function write(directory: string, position: number): Promise<void> {
  let salts = 0;
  const salt = () => String(++salts).padStart(32, '0');
  const store = openSqliteStore({ path: join(directory, 'log.db'), salt });
  await appendAtHead(store, ...commits.slice(0, position / 2));
  store.close();
}

/** A copy of the log with damaged bytes in one of its files. */
function damaged(damage: (bytes: Buffer) => Buffer | undefined, of = whole, name = 'log.db'): string {
  const directory = temporaryDirectory();
  cpSync(of, directory, { recursive: true });
  const path = join(directory, name);
  const bytes = readFileSync(path);
  writeFileSync(path, damage(bytes) ?? bytes);
  return directory;
}

function flip(bytes: Buffer, at: number): undefined {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
}

function flipText(bytes: Buffer, text: string): undefined {
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  return flip(bytes, at + text.length - 2);
}

async function salvaged(directory: string) {
  const file = join(temporaryDirectory(), 'salvage.ndjson');
  const outcome = await carryOut(directory, 'verify', { salvage: file });
  expect(['done', 'wrong']).toContain(outcome.kind);
  const { missing } = ('value' in outcome ? outcome.value : {}) as { missing: { from: number; to: number }[] };
  const [first = '', ...rest] = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(JSON.parse(first)).toEqual({ format: 'palimpsest-log', version: 1, salvage: true });
  const gaps = rest.filter((line) => line.startsWith('{"gap"')).map((line) => JSON.parse(line).gap);
  const saved = rest.filter((line) => !line.startsWith('{"gap"'));
  return { file, kind: outcome.kind, missing, gaps, saved, text: 'text' in outcome ? outcome.text : '' };
}

const imported = (directory: string, file: string) => carryOut(directory, 'import', { file });

/** A backup from when the log ended at a position. */
async function backupAt(position: number): Promise<string> {
  const directory = temporaryDirectory();
  await write(directory, position);
  return directory;
}

const hashAt = (position: number) => logOf(whole)[position - 1]?.hash;

describe('a salvage', () => {
  it('of an intact log is complete, and is imported like an export', async () => {
    const { kind, file, missing, saved } = await salvaged(whole);
    expect({ kind, missing, saved }).toEqual({ kind: 'done', missing: [], saved: lines.slice(1) });
    const target = temporaryDirectory();
    expect(await imported(target, file)).toMatchObject({ kind: 'done', value: { events: top } });
    expect(logOf(target)).toEqual(logOf(whole));
  });

  it.each([
    ['the data of an event', '"data 101.'],
    ['a sealed text', '"sealed 102.'],
  ])('has a gap for the commit with a flipped bit in %s, and contains all later ones', async (_, text) => {
    const { kind, missing, gaps, saved } = await salvaged(damaged((bytes) => flipText(bytes, text)));
    expect({ kind, missing }).toEqual({ kind: 'wrong', missing: [{ from: 101, to: 102 }] });
    expect(gaps).toEqual([{ from: 101, to: 102, hash: hashAt(102) }]);
    expect(saved).toEqual(lines.slice(1).toSpliced(50, 1));
  });

  it.each([100, top])('is complete if only the hash at position %i is damaged', async (position) => {
    const { missing, saved } = await salvaged(damaged((bytes) => flipText(bytes, hashAt(position) ?? '')));
    expect({ missing, saved }).toEqual({ missing: [], saved: lines.slice(1) });
  });

  it.each([
    ['the header of the file', 0],
    ['the root of the table', 1],
    ['a page in the middle', 9],
  ])('lacks at most the events of one page when %s is overwritten', async (_, page) => {
    const directory = damaged((bytes) => void bytes.fill(0xa5, page * pageSize + 512, (page + 1) * pageSize));
    const { missing, saved } = await salvaged(directory);
    expect(saved.every((line) => lines.includes(line))).toBe(true);
    expect(missing.reduce((sum, { from, to }) => sum + to - from + 1, 0)).toBeLessThanOrEqual(page < 2 ? 0 : 40);
  });

  it('of a truncated file contains what is left, and reports the missing end', async () => {
    const { missing, saved, gaps } = await salvaged(damaged((bytes) => bytes.subarray(0, bytes.length * 0.6)));
    expect(saved.length).toBeGreaterThan(20);
    expect(lines.slice(1)).toEqual(expect.arrayContaining(saved));
    expect(missing.at(-1)?.to).toBe(top);
    expect(gaps.every(({ to }: { to: number }) => to < top)).toBe(true);
  });

  it('contains the commits after damage in the write-ahead log, where SQLite stops reading', async () => {
    const crashed = temporaryDirectory();
    const path = join(temporaryDirectory(), 'log.db');
    const store = openServingStore({ path });
    for (const each of commits) await appendAtHead(store, each);
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, join(crashed, `log.db${suffix}`));
    const all = [...store.chain()].map(({ position }) => position);
    store.close();
    for (const text of ['"data 101.', '"sealed 33.']) {
      const broken = damaged((bytes) => flipText(bytes, text), crashed, 'log.db-wal');
      expect(logOf(damaged(() => undefined, broken)).length).toBeLessThan(all.length);
      const { missing, saved } = await salvaged(broken);
      const positions = saved.flatMap((line) => [JSON.parse(line).position, JSON.parse(line).position + 1]);
      const lost = missing.flatMap(({ from, to }) => all.slice(from - 1, to));
      expect([...positions, ...lost].sort((a, b) => a - b)).toEqual(all);
      expect(lost.length).toBeLessThanOrEqual(2);
    }
  });

  it('contains only commits of the log, wherever a bit was flipped, and lacks at most a page of them', async () => {
    const size = readFileSync(join(whole, 'log.db')).length;
    await fc.assert(
      fc.asyncProperty(fc.nat(size - 1), async (at) => {
        const directory = damaged((bytes) => flip(bytes, at));
        const { missing, saved } = await salvaged(directory);
        rmSync(directory, { recursive: true });
        expect(saved.every((line) => lines.includes(line))).toBe(true);
        expect(missing.reduce((sum, { from, to }) => sum + to - from + 1, 0)).toBeLessThanOrEqual(40);
        expect(saved.length * 2).toBeGreaterThanOrEqual(top - 40);
      }),
      { numRuns: 40 },
    );
  });

  it('is refused for an existing file and beside a server, and leaves the log unchanged', async () => {
    const directory = damaged((bytes) => flipText(bytes, '"data 101.'));
    const before = readFileSync(join(directory, 'log.db'));
    const { file } = await salvaged(directory);
    expect(await carryOut(directory, 'verify', { salvage: file })).toMatchObject({
      kind: 'refused',
      code: 'file_exists',
    });
    const unlock = lockDirectory(directory);
    const other = join(temporaryDirectory(), 'other');
    await expect(carryOut(directory, 'verify', { salvage: other })).rejects.toThrow('Another process');
    unlock();
    expect(existsSync(other)).toBe(false);
    expect(readFileSync(join(directory, 'log.db')).equals(before)).toBe(true);
  });
});

describe('an import of a salvage', () => {
  let file: string;
  const salvage = async () => {
    const found = await salvaged(damaged((bytes) => flipText(bytes, '"data 101.')));
    file = found.file;
    return found;
  };

  it.each([102, 150])(
    'into a backup that ends at position %i, after the gap, restores the whole log',
    async (position) => {
      await salvage();
      const target = await backupAt(position);
      expect(await imported(target, file)).toMatchObject({
        kind: 'done',
        value: { position: top, events: top - position },
      });
      expect(logOf(target)).toEqual(logOf(whole));
      expect(await carryOut(target, 'verify', { quick: true, head: `${top}:${hashAt(top)}` })).toMatchObject({
        value: { checks: expect.arrayContaining([expect.objectContaining({ check: 'chain', result: 'ok' })]) },
      });
    },
  );

  it.each([0, 60, 100])(
    'into a log that ends at position %i, before the gap, stops there and names the backup needed',
    async (position) => {
      const { text } = await salvage();
      expect(text).toContain('restore a backup that has position 102');
      const target = await backupAt(position);
      expect(await imported(target, file)).toMatchObject({
        kind: 'refused',
        code: 'gap_not_bridged',
        message: expect.stringMatching(/positions 101 to 102 are missing .* restore a backup that has position 102/),
      });
      expect(logOf(target)).toEqual(logOf(whole).slice(0, 100));
    },
  );

  it('into a log with other events in place of the gap changes nothing', async () => {
    await salvage();
    const target = await backupAt(100);
    await appendTo(target, commit(['other', 'other'], { at: time(top) }));
    const before = logOf(target);
    expect(await imported(target, file)).toMatchObject({ kind: 'refused', code: 'target_differs' });
    expect(logOf(target)).toEqual(before);
  });

  it.each([
    ['a gap that is not where the commits end', '"from":101', '"from":99'],
    ['a gap with another hash', '"hash":"', '"hash":"0'],
    ['a gap in what says it is a plain export', ',"salvage":true', ''],
  ])('refuses %s', async (_, text, other) => {
    await salvage();
    const at = text.startsWith('"') ? '{"gap"' : '{"format"';
    const changed = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, changed.map((line) => (line.startsWith(at) ? line.replace(text, other) : line)).join('\n'));
    const target = await backupAt(120);
    expect(await imported(target, file)).toMatchObject({ kind: 'refused' });
    expect(logOf(target)).toEqual(logOf(whole).slice(0, 120));
  });
});
