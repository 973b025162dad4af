import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileKeyOf, MediaFiles, type MediaFilesOptions } from '#media/files.ts';
import { createGarbage } from '#media/garbage.ts';
import { FileCheck } from '#media/intact.ts';
import { startFileScan } from '#node/files.ts';
import { openFolder } from '#objects/folder.ts';
import { reporterOf } from '#process/reporter.ts';
import { eventually } from '../support/patience.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const filesIn = (folder: string, options: Partial<MediaFilesOptions> = {}) =>
  Object.assign(new MediaFiles(openFolder(folder), { scratch: join(folder, 'tmp'), ...options }), {
    path: (hash: string) => join(folder, fileKeyOf(hash)),
  });
type Files = ReturnType<typeof filesIn>;

async function* bytesOf(text: string): AsyncIterable<Buffer> {
  for (const char of text) yield Buffer.from(char);
}

async function receive(files: MediaFiles, text: string) {
  const arrived = await files.receive(bytesOf(text), { limit: 100, md5: true });
  if (arrived === null) throw new Error('too long');
  return arrived;
}

const never = () => false;
const always = () => true;

describe('the folder of files', () => {
  it('keeps bytes under their hash, once', async () => {
    const files = filesIn(temporaryDirectory());
    const [one, two] = [await files.keep(await receive(files, 'abc')), await files.keep(await receive(files, 'abc'))];
    expect(one).toEqual({ hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', bytes: 3 });
    expect(two).toEqual(one);
    expect(await files.has(one)).toBe(true);
  });

  it('removes an unneeded file when its last holder releases it', async () => {
    const files = filesIn(temporaryDirectory());
    const { hash } = await files.keep(await receive(files, 'abc'));
    await files.keep(await receive(files, 'abc'));
    await files.release(hash, never);
    expect(existsSync(files.path(hash))).toBe(true);
    await files.release(hash, never);
    expect(existsSync(files.path(hash))).toBe(false);
  });

  it('replaces a damaged file when its bytes are uploaded again', async () => {
    const files = filesIn(temporaryDirectory());
    const kept = await files.keep(await receive(files, 'abc'));
    writeFileSync(files.path(kept.hash), 'a');
    expect(await files.has(kept)).toBe(false);
    await files.keep(await receive(files, 'abc'));
    expect(await files.has(kept)).toBe(true);
  });

  it('leaves nothing behind of an upload that is too long or fails', async () => {
    const folder = temporaryDirectory();
    const files = filesIn(folder);
    expect(await files.receive(bytesOf('abcd'), { limit: 3, md5: false })).toBeNull();
    const broken = (async function* () {
      yield Buffer.from('ab');
      throw new Error('gone');
    })();
    await expect(files.receive(broken, { limit: 3, md5: false })).rejects.toThrow('gone');
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  });

  it('removes unfinished files of an earlier process at the start', () => {
    const folder = temporaryDirectory();
    mkdirSync(join(folder, 'tmp'));
    writeFileSync(join(folder, 'tmp', 'rest'), 'x');
    filesIn(folder);
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  });

  it('counts files as garbage that are neither needed nor held', async () => {
    const files = filesIn(temporaryDirectory());
    const [needed, held, left] = await Promise.all(
      ['a', 'b', 'c'].map(async (text) => files.keep(await receive(files, text))),
    );
    const isNeeded = (hash: string) => hash === needed?.hash;
    await files.release(needed?.hash ?? '', always);
    await files.release(left?.hash ?? '', always);
    const garbage = createGarbage({
      files,
      partials: { sweep: async () => undefined },
      isNamed: isNeeded,
      refresh: async () => undefined,
    });
    expect(await garbage.list()).toEqual([left]);
    expect(await garbage.sweep()).toEqual([left]);
    expect(await garbage.list()).toEqual([]);
    for (const one of [needed, held]) expect(one && (await files.has(one))).toBe(true);
  });

  it('contains exactly the needed or held files after any sequence of steps', async () => {
    const step = fc.record({ text: fc.constantFrom('a', 'b', 'c'), does: fc.constantFrom('keep', 'release', 'need') });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const files = filesIn(temporaryDirectory());
        const [held, needed, kept] = [[] as string[], new Set<string>(), new Map<string, string>()];
        for (const { text, does } of steps) {
          const at = held.indexOf(text);
          if (does === 'keep') {
            kept.set(text, (await files.keep(await receive(files, text))).hash);
            held.push(text);
          } else if (at >= 0) {
            if (does === 'need') needed.add(kept.get(text) ?? '');
            held.splice(at, 1);
            await files.release(kept.get(text) ?? '', (hash) => needed.has(hash));
          }
          for (const [one, hash] of kept)
            expect(existsSync(files.path(hash))).toBe(held.includes(one) || needed.has(hash));
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('a folder of files that several processes share', () => {
  const age = (path: string) => utimesSync(path, new Date(), new Date(Date.now() - 2 * 3_600_000));
  const garbageOf = (files: Files, refresh = async () => undefined) =>
    createGarbage({ files, partials: { sweep: async () => undefined }, isNamed: never, refresh });

  it('accepts files from each of them at the same time', async () => {
    const folder = temporaryDirectory();
    const each = [filesIn(folder, { sharedAs: 'one' }), filesIn(folder, { sharedAs: 'two' })];
    const kept = await Promise.all(
      each.flatMap((files) => ['a', 'b', 'a'].map(async (text) => files.keep(await receive(files, text)))),
    );
    for (const one of kept) expect(await each[0]?.has(one)).toBe(true);
  });

  it('keeps an upload in progress when another process starts, and removes old leftovers', async () => {
    const folder = temporaryDirectory();
    const one = filesIn(folder, { sharedAs: 'one' });
    const arrived = await receive(one, 'abc');
    const rest = join(folder, 'tmp', 'rest');
    writeFileSync(rest, 'x');
    age(rest);
    filesIn(folder, { sharedAs: 'two' });
    expect(existsSync(rest)).toBe(false);
    expect(await one.has(await one.keep(arrived))).toBe(true);
  });

  it('keeps a file that another process may be about to name, however old it is', async () => {
    const folder = temporaryDirectory();
    const [one, two] = [filesIn(folder, { sharedAs: 'one' }), filesIn(folder, { sharedAs: 'two' })];
    const kept = await one.keep(await receive(one, 'abc'));
    await one.release(kept.hash, never);
    age(one.path(kept.hash));
    await one.keep(await receive(one, 'abc'));
    await two.keep(await receive(two, 'abc'));
    await two.release(kept.hash, never);
    expect(await garbageOf(two).sweep()).toEqual([]);
    expect(await one.has(kept)).toBe(true);
    await one.release(kept.hash, never);
    age(one.path(kept.hash));
    expect(await garbageOf(two).sweep()).toEqual([kept]);
  });

  it('is not swept by a process that cannot learn which files are named', async () => {
    const files = filesIn(temporaryDirectory(), { sharedAs: 'one' });
    const kept = await files.keep(await receive(files, 'abc'));
    await files.release(kept.hash, never);
    age(files.path(kept.hash));
    const away = () => Promise.reject(new Error('away'));
    await expect(garbageOf(files, away).sweep()).rejects.toThrow('away');
    expect(await files.has(kept)).toBe(true);
  });
});

describe('bytes that change by themselves', () => {
  it('are found by the daily check, and not sent from then on', async () => {
    const folder = temporaryDirectory();
    const files = filesIn(folder);
    const { hash } = await files.keep(await receive(files, 'abc'));
    const told: unknown[] = [];
    const check = new FileCheck(openFolder(folder), fileKeyOf, (...damage) => told.push(damage));
    expect(await check.bytesOf(hash)).toBe(3);
    const { atime, mtime } = statSync(files.path(hash));
    writeFileSync(files.path(hash), 'abd');
    utimesSync(files.path(hash), atime, mtime);
    const errors: unknown[] = [];
    const next = (after: string) => (after === '' ? hash : null);
    const aged = { ageOf: (one: string) => check.ageOf(one) + 86_400_000, readAgain: check.readAgain.bind(check) };
    const stop = startFileScan({ next, check: aged, reporter: reporterOf({ fault: (error) => errors.push(error) }) });
    await eventually(() => expect(told).toEqual([[hash, true]]));
    stop();
    expect([await check.bytesOf(hash), errors]).toEqual([null, []]);
  });

  it('are not checked again on the same day', async () => {
    const folder = temporaryDirectory();
    const files = filesIn(folder);
    const { hash } = await files.keep(await receive(files, 'abc'));
    const check = new FileCheck(openFolder(folder), fileKeyOf, () => undefined);
    expect(check.ageOf(hash)).toBe(Number.POSITIVE_INFINITY);
    await check.bytesOf(hash);
    expect(check.ageOf(hash)).toBeLessThan(60_000);
  });
});
