import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockDirectory } from '#eventstore/lock.ts';
import type { Commit } from '#eventstore/port.ts';
import { type StartProgress, Stopped } from '#ops/progress.ts';
import { commit, event, time } from '../support/commits.ts';
import { carryOut } from '../support/place.ts';
import { appendTo, directoryWith, logOf } from '../support/plain-log.ts';
import { type Site, startSite } from '../support/site.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { filesKept, pngOf, uploadBody } from '../support/uploads.ts';

const sealed = (text: string) => event('entry-1', { sealed: JSON.stringify({ text }) });
const commits = [
  commit([sealed('Grüße, 世界 \u2028 "\\'), 'entry-2', 'entry-1'], { at: time(1), actor: null }),
  commit(['entry-1'], { at: time(2), causationId: 'cause' }),
  commit([event('a b', { data: '{"n":1.50, "n":2}' }), sealed('x')], { at: time(3) }),
];

/** The path of a file to export to. */
const someFile = () => join(temporaryDirectory(), 'log.ndjson');

async function exported(directory: string, file = someFile(), media?: string): Promise<string> {
  expect(await carryOut(directory, 'export', { file, ...(media === undefined ? {} : { media }) })).toMatchObject({
    kind: 'done',
  });
  return file;
}

const imported = (directory: string, file: string) => carryOut(directory, 'import', { file });
const text = (file: string) => readFileSync(file, 'utf8');

/** Stops the work once this much is done. */
const stoppingAt =
  (enough: number): StartProgress =>
  () => ({
    at: async (done) => {
      if (done >= enough) throw new Stopped('stopped');
    },
    end: () => undefined,
  });

describe('an export', () => {
  it('begins with a header line, followed by one line per commit', async () => {
    const [first, ...lines] = text(await exported(await directoryWith(...commits))).split('\n');
    expect(JSON.parse(first ?? '')).toEqual({ format: 'palimpsest-log', version: 1 });
    expect(lines.pop()).toBe('');
    const read = lines.map((line) => JSON.parse(line));
    expect(read.map(({ position, id }) => [position, id])).toEqual(commits.map(({ id }, i) => [[1, 4, 5][i], id]));
    expect(read[2]).toMatchObject({ at: time(3), actor: 1, events: [{ stream: 'a b', revision: 1 }, { revision: 4 }] });
  });

  it('is imported as the same log, whose export is identical to the byte', async () => {
    const directory = await directoryWith(...commits);
    const file = await exported(directory);
    const target = temporaryDirectory();
    const { events, hash } = ((await imported(target, file)) as unknown as { value: Record<string, unknown> }).value;
    expect({ events, hash }).toEqual({ events: 6, hash: logOf(directory).at(-1)?.hash });
    expect(logOf(target)).toEqual(logOf(directory));
    expect(text(await exported(target))).toBe(text(file));
  });

  it('and its import preserve any log exactly', async () => {
    const anything = fc.string({ unit: 'binary' }).map((each) => each.replaceAll('\0', ''));
    const texts = fc.oneof(anything.map(JSON.stringify as (text: string) => string), anything);
    const events = fc.array(
      fc.record({
        stream: fc.constantFrom('a', 'b', 'entry-1'),
        type: fc.constantFrom('A', 'B'),
        v: fc.integer({ min: 1, max: 9 }),
        data: texts,
        sealed: fc.option(texts),
      }),
      { minLength: 1, maxLength: 4 },
    );
    const history = fc.array(fc.tuple(events, fc.nat(1000), fc.option(fc.nat(5))), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(history, async (given) => {
        const directory = await directoryWith(
          ...given.map(([each, ms, actor]) => commit(each, { at: time(ms), actor })),
        );
        const file = await exported(directory);
        const lines = text(file).trimEnd().split('\n');
        expect(lines.map((line) => JSON.stringify(JSON.parse(line)))).toEqual(lines);
        const target = temporaryDirectory();
        await imported(target, file);
        expect(logOf(target)).toEqual(logOf(directory));
        expect(text(await exported(target))).toBe(text(file));
      }),
      { numRuns: 15 },
    );
  });

  it('of a log without events can be imported, too', async () => {
    const target = temporaryDirectory();
    await imported(target, await exported(await directoryWith()));
    expect(logOf(target)).toEqual([]);
  });

  it('can be written to standard output and read from standard input', async () => {
    const directory = await directoryWith(...commits);
    const { written, ...outcome } = await carryOut(directory, 'export', { file: '-' });
    expect(outcome).toMatchObject({ kind: 'done', text: '' });
    expect(written).toBe(text(await exported(directory)));
    const target = temporaryDirectory();
    expect(await carryOut(target, 'import', { file: '-' }, { input: written })).toMatchObject({ kind: 'done' });
    expect(logOf(target)).toEqual(logOf(directory));
  });

  it('continues an existing export, also one truncated within a line', async () => {
    const directory = await directoryWith(...commits.slice(0, 1));
    const file = await exported(directory);
    await appendTo(directory, ...commits.slice(1));
    const whole = text(await exported(directory));
    for (const length of [0, 10, statSync(file).size, whole.length - 7, whole.length]) {
      writeFileSync(file, whole);
      truncateSync(file, length);
      expect(await carryOut(directory, 'export', { file })).toMatchObject({ kind: 'done' });
      expect(text(file)).toBe(whole);
    }
  });

  it('is refused for a file with another log or that is not an export, which stays unchanged', async () => {
    const file = await exported(await directoryWith(...commits));
    const other = await directoryWith(commit(['x']), commit(['y', 'z']), commit(['x', 'y', 'z']));
    const before = text(file);
    expect(await carryOut(other, 'export', { file })).toMatchObject({ kind: 'refused', code: 'export_differs' });
    expect(text(file)).toBe(before);
    writeFileSync(file, 'Dear diary\n');
    expect(await carryOut(other, 'export', { file })).toMatchObject({ kind: 'refused', code: 'not_an_export' });
    expect(text(file)).toBe('Dear diary\n');
  });

  it('keeps erased texts erased', async () => {
    const directory = await directoryWith(...commits);
    const log = new DatabaseSync(join(directory, 'log.db'));
    log.exec('UPDATE events SET sealed = NULL, salt = NULL WHERE position = 1');
    log.close();
    const file = await exported(directory);
    expect(text(file)).not.toContain('Grüße');
    const target = temporaryDirectory();
    await imported(target, file);
    expect(logOf(target)).toEqual(logOf(directory));
  });

  it('is not made of a log whose chain is broken', async () => {
    const directory = await directoryWith(...commits);
    const log = new DatabaseSync(join(directory, 'log.db'));
    log.exec("DROP TRIGGER events_are_final; UPDATE events SET data = '[]' WHERE position = 4");
    log.close();
    await expect(carryOut(directory, 'export', { file: someFile() })).rejects.toThrow('damaged at position 4');
  });

  it.each([0, 4, 5])(
    'that is stopped at position %i ends with a whole line, and can be continued',
    async (position) => {
      const directory = await directoryWith(...commits);
      const whole = text(await exported(directory));
      const file = someFile();
      const progress = stoppingAt(position);
      await expect(carryOut(directory, 'export', { file }, { progress })).rejects.toThrow(Stopped);
      expect(text(file).endsWith('\n')).toBe(true);
      expect(whole.startsWith(text(file))).toBe(true);
      await exported(directory, file);
      expect(text(file)).toBe(whole);
    },
  );
});

describe('an import', () => {
  const lines = async () =>
    text(await exported(await directoryWith(...commits)))
      .trimEnd()
      .split('\n');
  async function importLines(target: string, ...each: readonly string[]) {
    const file = someFile();
    writeFileSync(file, each.map((line) => `${line}\n`).join(''));
    return imported(target, file);
  }

  it('adds only the events that the log lacks', async () => {
    const source = await directoryWith(...commits);
    const file = await exported(source);
    const target = temporaryDirectory();
    await importLines(target, ...(await lines()).slice(0, 2));
    rmSync(target, { recursive: true });
    const part = text(file).split('\n').slice(0, 2);
    await importLines(target, ...part);
    expect(await imported(target, file)).toMatchObject({ kind: 'done', value: { position: 6, events: 3 } });
    expect(await imported(target, file)).toMatchObject({ kind: 'done', value: { position: 6, events: 0 } });
    expect(logOf(target)).toEqual(logOf(source));
  });

  it('gives the same log however its JSON is escaped', async () => {
    const source = await directoryWith(...commits);
    const escaped = text(await exported(source)).replace(
      /[\u007f-\uffff]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const target = temporaryDirectory();
    expect(escaped).toContain('Gr\\u00fc\\u00dfe');
    expect(await importLines(target, ...escaped.trimEnd().split('\n'))).toMatchObject({ kind: 'done' });
    expect(logOf(target)).toEqual(logOf(source));
  });

  it('that is stopped has stored whole commits, and continues after them', async () => {
    const large = (i: number) => commit([event('a', { data: JSON.stringify('ü'.repeat(600_000)) })], { at: time(i) });
    const source = await directoryWith(...[1, 2, 3, 4].map(large));
    const file = await exported(source);
    const target = temporaryDirectory();
    const progress = stoppingAt(2_000_000);
    await expect(carryOut(target, 'import', { file }, { progress })).rejects.toThrow(Stopped);
    const taken = logOf(target);
    expect([1, 2, 3]).toContain(taken.length);
    expect(taken).toEqual(logOf(source).slice(0, taken.length));
    expect(await imported(target, file)).toMatchObject({ kind: 'done', value: { events: 4 - taken.length } });
    expect(logOf(target)).toEqual(logOf(source));
  });

  it.each<[string, readonly Commit[]]>([
    ['another history', [commit(['x']), commit(['y'])]],
    ['commits of other lengths', [commit(['x', 'y'])]],
    ['more than the export', [...Array(9)].map(() => commit(['x']))],
  ])('refuses a log with %s, and leaves it unchanged', async (_, present) => {
    const target = await directoryWith(...present);
    const before = logOf(target);
    const outcome = await imported(target, await exported(await directoryWith(...commits)));
    expect(outcome).toMatchObject({ kind: 'refused', code: 'target_differs' });
    expect(logOf(target)).toEqual(before);
  });

  it('refuses a log that is longer than the export', async () => {
    const source = await directoryWith(...commits.slice(0, 2));
    const file = await exported(source);
    await appendTo(source, ...commits.slice(2));
    expect(await imported(source, file)).toMatchObject({ kind: 'refused', code: 'target_differs' });
    expect(logOf(source)).toHaveLength(6);
  });

  it.each<[string, (lines: string[]) => string[], string]>([
    ['nothing in it', () => [], 'not_an_export'],
    ['no first line', (all) => all.slice(1), 'not_an_export'],
    ['a first line of another version', (all) => [(all[0] ?? '').replace('1', '2'), ...all.slice(1)], 'not_an_export'],
    ['a line that is no commit', (all) => [...all, '{}'], 'not_an_export'],
    ['a line that is no JSON', (all) => [...all, '{'], 'not_an_export'],
    ['a commit less', (all) => [all[0] ?? '', ...all.slice(2)], 'export_damaged'],
    ['a commit twice', (all) => [...all.slice(0, 2), ...all.slice(1)], 'export_damaged'],
    ['another text', (all) => all.map((line) => line.replace('世界', '世间')), 'export_damaged'],
    ['another actor', (all) => all.map((line) => line.replace('"actor":null', '"actor":9')), 'export_damaged'],
    ['another revision', (all) => all.map((line) => line.replace('"revision":3', '"revision":4')), 'export_damaged'],
    ['another id', (all) => all.map((line) => line.replace('"events":[{"id":"', '$&0')), 'not_an_export'],
    ['another hash', (all) => all.map((line) => line.replace('"hash":"', '$&0')), 'export_damaged'],
    ['half a surrogate pair', (all) => all.map((line) => line.replace('entry-2', '\\ud800')), 'export_damaged'],
  ])('refuses a file with %s', async (_, change, code) => {
    const target = temporaryDirectory();
    expect(await importLines(target, ...change(await lines()))).toMatchObject({ kind: 'refused', code });
    expect(logOf(target)).toEqual([]);
  });

  it('stores the whole commits of a truncated file, reports the line, and can be continued', async () => {
    const directory = await directoryWith(...commits);
    const file = await exported(directory);
    const whole = text(file);
    truncateSync(file, Buffer.byteLength(whole) - 9);
    const target = temporaryDirectory();
    const outcome = await imported(target, file);
    expect(outcome).toMatchObject({
      kind: 'refused',
      code: 'not_an_export',
      message: expect.stringContaining('line 4'),
    });
    expect(logOf(target)).toEqual(logOf(directory).slice(0, 4));
    writeFileSync(file, whole);
    await imported(target, file);
    expect(logOf(target)).toEqual(logOf(directory));
  });

  it('is refused for a directory that a server uses', async () => {
    const target = temporaryDirectory();
    const unlock = lockDirectory(target);
    await expect(imported(target, await exported(await directoryWith()))).rejects.toThrow('Another process');
    unlock();
    expect(existsSync(join(target, 'log.db'))).toBe(false);
  });

  it('fails for a file that does not exist', async () => {
    await expect(imported(temporaryDirectory(), '/nowhere')).rejects.toThrow('there is no file /nowhere');
  });
});

describe('files', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
    await uploadBody(site, 'author', { name: 'a.png', type: 'image/png', bytes: pngOf(400, 300) });
  });
  afterAll(() => site.close());

  it('are exported to a given folder, once, and restored by the import', async () => {
    const [media, target] = [temporaryDirectory(), temporaryDirectory()];
    const file = await exported(site.directory, someFile(), media);
    expect(readdirSync(media, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())).toHaveLength(
      3,
    );
    expect(await carryOut(site.directory, 'export', { file, media })).toMatchObject({ value: { files: 0, events: 0 } });
    expect(await carryOut(target, 'import', { file, media })).toMatchObject({ kind: 'done', value: { files: 3 } });
    expect(filesKept({ directory: target })).toEqual(filesKept(site));
    expect(await carryOut(target, 'verify')).toMatchObject({ kind: 'done' });
  });

  it('that are missing or wrong prevent the import of the commit that names them', async () => {
    const media = temporaryDirectory();
    const file = await exported(site.directory, someFile(), media);
    const [one = ''] = filesKept(site);
    for (const content of [null, 'something else']) {
      if (content === null) rmSync(join(media, one));
      else writeFileSync(join(media, one), content);
      const target = temporaryDirectory();
      const outcome = await carryOut(target, 'import', { file, media });
      expect(outcome).toMatchObject({ kind: 'refused', code: 'file_missing' });
      expect(logOf(target).some(({ type }) => type === 'MediaUploaded')).toBe(false);
    }
  });
});
