import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createEntry } from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { controlPath, listenControl } from '#ops/control.ts';
import { eraseControls } from '#ops/erase-orders.ts';
import { type Perform, performOn } from '#ops/perform.ts';
import { progressOn, type StartProgress, Stopped } from '#ops/progress.ts';
import type { RebuildTask } from '../../../src/node/rebuild/types.ts';
import { addOrderer, ordered } from '../../support/erasure-order.ts';
import { admin, openTestNode, type TestOptions } from '../../support/node.ts';
import { carryOut } from '../../support/place.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { filesWith } from './support.ts';

const SECRET = 'Hypatia';
let directory = '';

beforeEach(() => {
  directory = temporaryDirectory();
});

/** A site with one post that contains the secret. */
async function site(options: TestOptions = {}) {
  const { node } = await openTestNode(directory, options);
  await addOrderer(node.store);
  const fields = { title: 'Plain', content: SECRET, status: 'publish' } as const;
  const { value: id } = await node.store.submit(admin, (session) => createEntry(session, post, fields));
  return { node, args: { id: String(id), ...ordered } };
}

const silent: StartProgress = () => ({ at: async () => undefined, end: () => undefined });

async function listen(perform: Perform) {
  const control = await listenControl(controlPath(directory), perform);
  onTestFinished(() => control.close());
  return control;
}

/** A server that reports these stages of an erasure, one per request, and then its end. */
function serverThatIs(seen: readonly RebuildTask[]): Perform {
  const left = [...seen];
  return async (verb) => {
    if (verb.startsWith('erase order')) return { kind: 'done', value: { erased: 'entry-12' } };
    const task = left.shift() ?? null;
    return { kind: 'done', value: { isDone: task === null, task } };
  };
}

const erase = (args: object, options: Parameters<typeof carryOut>[3]) =>
  carryOut(directory, 'erase entry', { ...args }, options);

describe('erasing', () => {
  it('by a server reports its progress, rate and remaining time', async () => {
    const events = { total: 1000, unit: 'events' };
    const seen = [0, 200, 400].map((done) => ({ name: 'replaying', done, ...events }));
    await listen(serverThatIs([{ name: 'looking for texts', done: 500, ...events }, ...seen]));
    const written: string[] = [];
    const stream = { isTTY: false, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream;
    let now = 0;
    const clock = () => (now += 2000);
    const progress = progressOn({ stream, signal: new AbortController().signal, clock });
    expect(await erase({ id: '12', ...ordered }, { progress })).toMatchObject({
      kind: 'done',
      value: { erased: 'entry-12', state: 'done' },
    });
    expect(written).toEqual(['replaying: 400 of 1,000 events, 67/s, 9 s left\n']);
  });

  it('is carried out by the server that uses the directory; the command waits for its end', async () => {
    const shown = Promise.withResolvers<RebuildTask>();
    const openLog = (path: string) => {
      const log = openSqliteStore({ path });
      // Waits until progress was reported.
      return { ...log, erase: (positions: readonly number[]) => shown.promise.then(() => log.erase(positions)) };
    };
    const { node, args } = await site({ openLog });
    onTestFinished(() => node.close());
    await listen(performOn(node.store, eraseControls, (error) => expect.unreachable(String(error))));
    const progress: StartProgress = (task) => {
      shown.resolve({ done: 0, ...task });
      return silent(task);
    };
    expect(await erase(args, { progress })).toMatchObject({ kind: 'done', value: { state: 'done' } });
    expect(await shown.promise).toMatchObject({ name: 'emptying texts', total: 1 });
    expect(filesWith(directory, SECRET)).toEqual([]);
  });

  it('works without a server; stopped, it resumes when called again', async () => {
    const { node, args } = await site();
    await node.close();
    const stopped = erase(args, { signal: AbortSignal.abort(), progress: silent });
    await expect(stopped).rejects.toThrow(Stopped);
    await expect(stopped).rejects.toThrow('the same call again');
    expect(await erase(args, { progress: silent })).toMatchObject({ kind: 'done', value: { state: 'done' } });
    expect(filesWith(directory, SECRET)).toEqual([]);
  });

  it('reports that it resumes after the next start when the server stops', async () => {
    const perform = serverThatIs([{ name: 'replaying', done: 1, total: 2, unit: 'events' }]);
    const control = await listen(async (verb, args) => {
      if (verb === 'erase state') void control.close();
      return perform(verb, args);
    });
    const outcome = await erase({ id: '12', ...ordered }, { progress: silent });
    expect(outcome).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('after its next start') });
  });

  it('changes nothing without confirmation', async () => {
    const { node, args } = await site();
    await node.close();
    const asked = await erase({ id: args.id }, {});
    expect(asked).toMatchObject({ kind: 'refused', code: 'erasure_not_confirmed' });
    expect(filesWith(directory, SECRET)).not.toEqual([]);
  });
});
