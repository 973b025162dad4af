import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEntry } from '#commands/entries.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import type { Node } from '#node/node.ts';
import { prepare } from '#ops/prepare.ts';
import type { StartProgress } from '#ops/progress.ts';
import { positionIn } from '#projections/projector/belonging.ts';
import { readConfig } from '../../src/config.ts';
import { filesWith, typed } from '../node/erasure/support.ts';
import { addOrderer, ordered } from '../support/erasure-order.ts';
import { makeOfAnotherVersion } from '../support/long-log.ts';
import { admin, dump, openTestNode } from '../support/node.ts';
import { eventually } from '../support/patience.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { typeVerb } from '../support/verbs.ts';

const live = (directory: string) => join(directory, 'projections.db');
const prepared = (directory: string) => join(directory, 'prepared', 'projections.db');
const fileOf = (path: string) => statSync(path).ino;

async function post(node: Node, title: string): Promise<number> {
  const fields = { title, slug: 'plain', content: `${title}.`, status: 'publish' } as const;
  const { value } = await node.store.submit(admin, (session) => createEntry(session, kindOf('post'), fields));
  if (isRefusal(value)) throw new Error(value.code);
  return value;
}

/** A server of an older version, with some posts. */
async function olderServer(): Promise<{ readonly directory: string; readonly node: Node }> {
  const directory = temporaryDirectory();
  const { node } = await openTestNode(directory);
  onTestFinished(() => node.close());
  for (const title of ['Alpha', 'Beta', 'Gamma']) await post(node, title);
  makeOfAnotherVersion(live(directory));
  return { directory, node };
}

/** Stops the older server and starts this version. Returns its warnings, too. */
async function upgraded(directory: string, older: Node) {
  await older.close();
  rmSync(`${live(directory)}-sum`, { force: true });
  return started(directory);
}

async function started(directory: string) {
  const warnings: string[] = [];
  const { node } = await openTestNode(directory, { reporter: { warning: (text) => warnings.push(text) } });
  onTestFinished(() => node.close());
  return { node, warnings };
}

/** Runs the verb, until it is stopped, in this process. */
function following(directory: string) {
  const stop = new AbortController();
  const output = new PassThrough();
  let said = '';
  output.on('data', (text: Buffer) => {
    said += text.toString();
  });
  const progress: StartProgress = () => ({ at: async () => undefined, end: () => undefined });
  const config = readConfig({ DATA_DIR: directory, REBUILD_PRIORITY: 'normal' });
  const { signal } = stop;
  const place = { config, json: true, progress, signal, input: process.stdin, output };
  const ended = prepare.here(place, {});
  return { ended, said: () => said, stop: () => stop.abort() };
}

/** The tables of a stopped node are those that a start makes from the log alone. */
async function expectAsFromTheLog(directory: string): Promise<void> {
  const found = dump(directory);
  rmSync(live(directory));
  await (await started(directory)).node.close();
  expect(dump(directory)).toEqual(found);
}

describe('the command `prepare`', () => {
  it('makes projections that the next start of this version takes, with what was written meanwhile', async () => {
    const { directory, node } = await olderServer();
    const { status, out } = await typeVerb(directory, ['prepare', '--once']);
    expect({ status, out }).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^ready: the next start takes them/),
    });
    const late = await post(node, 'Delta');
    const made = fileOf(prepared(directory));
    const { node: next, warnings } = await upgraded(directory, node);
    expect(fileOf(live(directory))).toBe(made);
    expect(existsSync(join(directory, 'prepared'))).toBe(false);
    expect(next.store.reader.entry(late)?.title).toBe('Delta');
    expect(warnings).toEqual([]);
    await next.close();
    await expectAsFromTheLog(directory);
  });

  it('does nothing to a start of an older version, which keeps what was prepared', async () => {
    const { directory, node } = await olderServer();
    await typeVerb(directory, ['prepare', '--once']);
    // Now this program is the older version, and what was prepared is of another one.
    makeOfAnotherVersion(prepared(directory));
    const made = readFileSync(prepared(directory));
    const { node: again, warnings } = await upgraded(directory, node);
    expect(again.store.reader.entry(await post(again, 'Delta'))?.title).toBe('Delta');
    expect(readFileSync(prepared(directory))).toEqual(made);
    expect(warnings).toEqual([]);
  });

  it('goes on following until a start takes what was prepared, and then says so', async () => {
    const { directory, node } = await olderServer();
    const running = following(directory);
    await eventually(() => expect(JSON.parse(running.said())).toMatchObject({ state: 'ready' }));
    const late = await post(node, 'Delta');
    const { node: next } = await upgraded(directory, node);
    expect(next.store.reader.entry(late)?.title).toBe('Delta');
    expect(await running.ended).toMatchObject({ kind: 'done', value: { state: 'taken' } });
    expect(existsSync(join(directory, 'prepared'))).toBe(false);
  });

  it('brings up what it has made when much has been written since', async () => {
    const { directory, node } = await olderServer();
    const running = following(directory);
    await eventually(() => expect(running.said()).toContain('ready'));
    for (let number = 0; number < 600; number++) await post(node, `Post ${number}`);
    await eventually(() => expect(positionIn(prepared(directory))).toBeGreaterThan(600));
    running.stop();
    await running.ended;
    const { node: next, warnings } = await upgraded(directory, node);
    expect(warnings).toEqual([]);
    await next.close();
    await expectAsFromTheLog(directory);
  });

  it('replaces what another version has prepared', async () => {
    const { directory, node } = await olderServer();
    await typeVerb(directory, ['prepare', '--once']);
    makeOfAnotherVersion(prepared(directory));
    expect(await typeVerb(directory, ['prepare', '--once'])).toMatchObject({ status: 0 });
    const made = fileOf(prepared(directory));
    await upgraded(directory, node);
    expect(fileOf(live(directory))).toBe(made);
  });

  it('ends when it is stopped, and keeps what it has', async () => {
    const { directory, node } = await olderServer();
    const running = following(directory);
    await eventually(() => expect(running.said()).toContain('ready'));
    running.stop();
    expect(await running.ended).toMatchObject({ kind: 'done' });
    const made = fileOf(prepared(directory));
    await upgraded(directory, node);
    expect(fileOf(live(directory))).toBe(made);
  });

  it('keeps nothing of what is erased meanwhile', async () => {
    const { directory, node } = await olderServer();
    await addOrderer(node.store);
    const secret = await post(node, 'Quetzalcoatlus');
    const running = following(directory);
    await eventually(() => expect(running.said()).toContain('ready'));
    expect(filesWith(join(directory, 'prepared'), 'Quetzalcoatlus')).not.toEqual([]);
    await typed(node, 'erase entry', { id: String(secret), ...ordered });
    await eventually(() => expect(existsSync(join(directory, 'prepared', 'ready'))).toBe(true));
    running.stop();
    await running.ended;
    const { node: next, warnings } = await upgraded(directory, node);
    expect(filesWith(directory, 'Quetzalcoatlus')).toEqual([]);
    expect(next.store.reader.entry(await post(next, 'Delta'))?.title).toBe('Delta');
    expect(warnings).toEqual([]);
  });

  it('has nothing to do when the projections are of this version', async () => {
    const directory = temporaryDirectory();
    await (await openTestNode(directory)).node.close();
    const { status, out } = await typeVerb(directory, ['prepare', '--json']);
    expect({ status, value: JSON.parse(out) }).toEqual({ status: 0, value: { state: 'needless' } });
    expect(existsSync(join(directory, 'prepared'))).toBe(false);
  });

  it('needs a log', async () => {
    const { status, err } = await typeVerb(temporaryDirectory(), ['prepare']);
    expect({ status, err }).toMatchObject({ status: 3, err: expect.stringContaining('there is no event log at') });
  });
});

describe('a start while `prepare` works', () => {
  it('waits for it once all was ready', async () => {
    const { directory, node } = await olderServer();
    await typeVerb(directory, ['prepare', '--once']);
    const made = fileOf(prepared(directory));
    const unlock = lockDirectory(join(directory, 'prepared'));
    const starting = upgraded(directory, node);
    setTimeout(unlock, 300);
    expect((await starting).warnings).toEqual([]);
    expect(fileOf(live(directory))).toBe(made);
  });

  it('makes its own before', async () => {
    const { directory, node } = await olderServer();
    await typeVerb(directory, ['prepare', '--once']);
    rmSync(join(directory, 'prepared', 'ready'));
    const unlock = lockDirectory(join(directory, 'prepared'));
    onTestFinished(unlock);
    const { node: next, warnings } = await upgraded(directory, node);
    expect(warnings).toEqual([expect.stringContaining('not ready yet')]);
    expect(next.store.reader.entry(await post(next, 'Delta'))?.title).toBe('Delta');
  });
});

describe('a start that was killed while it took prepared projections', () => {
  const others = ['-sum', '-search', '-lists'];
  const moveTo = (to: string, suffixes: readonly string[]) => (from: string) => {
    for (const suffix of suffixes) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  };

  it.each([
    ['when the old ones were away', (path: string) => moveTo(`${path}.old`, ['', ...others])(path)],
    [
      'when the rows were taken alone',
      (path: string, from: string) => {
        moveTo(`${path}.old`, ['', ...others])(path);
        moveTo(path, [''])(from);
      },
    ],
  ])('leaves one or the other: %s', async (_, kill) => {
    const { directory, node } = await olderServer();
    await typeVerb(directory, ['prepare', '--once']);
    const made = fileOf(prepared(directory));
    await node.close();
    kill(live(directory), prepared(directory));
    const { node: next, warnings } = await started(directory);
    expect(warnings).toEqual([]);
    expect(fileOf(live(directory))).toBe(made);
    expect(next.store.reader.entry(await post(next, 'Delta'))?.title).toBe('Delta');
    expect(existsSync(join(directory, 'prepared'))).toBe(false);
  });
});

describe('prepared projections that cannot be used', () => {
  const flip = (path: string) => {
    const bytes = readFileSync(path);
    bytes[bytes.length - 100] = (bytes.at(-100) ?? 0) ^ 255;
    writeFileSync(path, bytes);
  };
  const asOfAnotherLog = (path: string) => {
    const other = new DatabaseSync(path);
    other.exec('UPDATE checkpoint SET position = position + 1000000');
    other.close();
    rmSync(`${path}-sum`);
  };

  it.each([
    ['damaged', flip],
    ['not a database', (path: string) => writeFileSync(path, 'nothing of use')],
    ['of another log', asOfAnotherLog],
  ])('are ignored with a message, and made again: %s', async (_, spoil) => {
    const { directory, node } = await olderServer();
    await typeVerb(directory, ['prepare', '--once']);
    spoil(prepared(directory));
    const { node: next, warnings } = await upgraded(directory, node);
    expect(warnings).toEqual([expect.stringContaining('the prepared projections in')]);
    expect(next.store.reader.entry(await post(next, 'Delta'))?.title).toBe('Delta');
  });

  it('are made again by the next `prepare`', async () => {
    const { directory, node } = await olderServer();
    await typeVerb(directory, ['prepare', '--once']);
    flip(prepared(directory));
    expect(await typeVerb(directory, ['prepare', '--once'])).toMatchObject({ status: 0 });
    expect((await upgraded(directory, node)).warnings).toEqual([]);
  });
});
