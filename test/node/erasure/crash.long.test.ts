import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createEntry, saveEntry } from '#commands/entries.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { startChild } from '../../support/child.ts';
import { addOrderer, ordered } from '../../support/erasure-order.ts';
import { admin, openTestNode } from '../../support/node.ts';
import { eventually } from '../../support/patience.ts';
import { carryOut } from '../../support/place.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { filesWith, typed } from './support.ts';

const SECRET = 'Hypatia';
const root = fileURLToPath(new URL('../../..', import.meta.url));

let directory = '';
let [gone, stays] = [0, 0];

/** In both posts where an erasure should find it again, which takes a rebuild. */
const quotation = '(what one of them says the other one says as well)';

/** A site with two posts, both of them revised. */
async function makeSite(shared = ''): Promise<void> {
  directory = temporaryDirectory();
  const { node } = await openTestNode(directory);
  const { submit } = node.store;
  await addOrderer(node.store);
  const make = async (title: string) => {
    const fields = {
      title,
      slug: `plain-${title.length}`,
      content: `${title.repeat(50)} ${shared}`,
      status: 'publish',
    } as const;
    const { value } = await submit(admin, (session) => createEntry(session, kindOf('post'), fields));
    if (isRefusal(value)) throw new Error(value.code);
    for (const times of [60, 70]) {
      await submit(admin, (session) => saveEntry(session, value, { content: `${title.repeat(times)} ${shared}` }));
    }
    return value;
  };
  gone = await make(SECRET);
  stays = await make('Plotinus');
  await node.close();
  expect(filesWith(directory, SECRET)).not.toEqual([]);
}

/** Asserts a completed erasure. */
async function expectErased(): Promise<void> {
  expect(filesWith(directory, SECRET)).toEqual([]);
  expect(existsSync(join(directory, 'rebuild'))).toBe(false);
  expect(await carryOut(directory, 'verify')).toMatchObject({ kind: 'done' });
  const { node } = await openTestNode(directory);
  expect(node.store.reader.entry(gone)).toBeUndefined();
  expect(node.store.reader.entry(stays)).toMatchObject({ title: 'Plotinus' });
  const orders = [...node.log.read()].filter(({ type }) => type === 'EntryErased');
  expect(orders.map(({ stream }) => stream)).toEqual([`entry-${gone}`]);
  await node.close();
}

describe('kill -9 during an erasure', () => {
  it.each([
    ...['ordered', 'emptying', 'emptied', 'rewriting rows', 'overwriting remains'].map((moment) => [moment, '']),
    ...['replaying', 'indexing', 'rebuilt'].map((moment) => [moment, quotation]),
  ])('leaves a valid log, and the next run finishes the erasure (%s)', async (moment = '', shared) => {
    await makeSite(shared);
    const child = startChild('erase-load.ts', directory, String(gone), moment);
    await eventually(() => expect(child.lines).toContain('there'), { interval: 1 });
    await child.kill();
    expect(await carryOut(directory, 'verify', { quick: true })).toMatchObject({ kind: 'done' });
    const { node } = await openTestNode(directory);
    expect(await typed(node, 'erase entry', { id: String(gone), ...ordered })).toEqual({
      kind: 'done',
      value: { erased: `entry-${gone}`, state: 'done' },
    });
    await node.close();
    await expectErased();
  });

  it('of the command itself is repaired by running it again', async () => {
    await makeSite(quotation);
    const argv = [
      'src/cli.ts',
      'erase',
      'entry',
      String(gone),
      '--yes',
      '--as',
      ordered.as,
      '--reason',
      'an order',
      '--json',
    ];
    const env = { PATH: process.env['PATH'], DATA_DIR: directory };
    const child = spawn(process.execPath, argv, { cwd: root, env, stdio: 'ignore' });
    const exited = once(child, 'exit');
    await eventually(() => expect(existsSync(join(directory, 'rebuild'))).toBe(true), { interval: 1 });
    child.kill('SIGKILL');
    expect(await exited).toEqual([null, 'SIGKILL']);
    const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: root, env });
    expect(JSON.parse(stdout)).toEqual({ erased: `entry-${gone}`, state: 'done' });
    await expectErased();
  });
});
