import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { controlPath, listenControl } from '#ops/control.ts';
import { performOn } from '#ops/perform.ts';
import { type ShownProgress, type StartProgress, Stopped } from '#ops/progress.ts';
import { rebuild, rebuildControls } from '#ops/rebuild.ts';
import { commitOn } from '#projections/kernel/versions.ts';
import { TermTable, terms } from '#projections/terms/definition.ts';
import { readConfig } from '../../src/config.ts';
import { openTestNode } from '../support/node.ts';
import { temporaryDirectory } from '../support/temporary.ts';

let directory = '';

beforeEach(() => {
  directory = temporaryDirectory();
});

/** Runs the command. Returns its outcome and the tasks that were shown. */
async function type(args: object, { signal = new AbortController().signal } = {}) {
  const tasks: string[] = [];
  const progress: StartProgress = ({ name }): ShownProgress => {
    tasks.push(name);
    return { at: async () => undefined, end: () => undefined };
  };
  const config = readConfig({ DATA_DIR: directory });
  const place = { config, json: false, progress, signal, input: process.stdin, output: process.stdout };
  return { outcome: await rebuild.here(place, { projection: [], ...args }), tasks };
}

/** A server that holds the directory. */
async function serve() {
  const { node } = await openTestNode(directory);
  const perform = performOn(node.store, rebuildControls, (error) => expect.unreachable(String(error)));
  const control = await listenControl(controlPath(directory), perform);
  onTestFinished(async () => {
    await control.close();
    await node.close();
  });
  return node;
}

function plant(): void {
  const db = new DatabaseSync(join(directory, 'projections.db'), { timeout: 60_000 });
  commitOn(db).since = 1000;
  const table = new TermTable(db);
  table.apply({ type: 'TermChanged', data: { id: 1, taxonomy: 'category', name: 'Planted' } }, 1);
  db.close();
}

describe('the command `rebuild`', () => {
  it('is carried out by the server that uses the directory, and shows its progress', async () => {
    const node = await serve();
    const { outcome, tasks } = await type({});
    expect(outcome).toMatchObject({ kind: 'done', value: { outcome: 'replaced', differences: [] } });
    expect(tasks[0]).toBe('starting');
    expect(node.store.rebuilding.state.run).toBe(1);
  });

  it('works without a server', async () => {
    const { node } = await openTestNode(directory);
    await node.close();
    expect((await type({})).outcome).toMatchObject({ kind: 'done', value: { outcome: 'replaced', differences: [] } });
  });

  it('reports a check that finds differences as wrong', async () => {
    const node = await serve();
    expect((await type({ check: true })).outcome.kind).toBe('done');
    plant();
    expect((await type({ check: true })).outcome).toMatchObject({
      kind: 'wrong',
      value: {
        outcome: 'compared',
        differences: [
          { table: 'terms', changed: 1, examples: ['1'] },
          { table: 'terms_history', surplus: 1 },
        ],
      },
    });
    expect(node.store.reader.of(terms).named('category', 'Planted')).toHaveLength(1);
  });

  it('stops the rebuild when it is aborted', async () => {
    const node = await serve();
    await expect(type({}, { signal: AbortSignal.abort() })).rejects.toThrow(Stopped);
    expect(node.store.rebuilding.state).toMatchObject({ task: null, ended: { outcome: 'stopped' } });
  });

  it('is refused while another one is running', async () => {
    const node = await serve();
    node.store.rebuilding.start({ projections: [], check: true });
    expect((await type({})).outcome).toMatchObject({ kind: 'refused', code: 'rebuild_under_way' });
  });

  it('can check rows only, and refuses unknown projections', async () => {
    await expect(type({ projection: ['search'], check: true })).rejects.toThrow('--check compares rows');
    await expect(type({ projection: ['posts'] })).rejects.toThrow('<projection> has to be one of rows, search, views');
  });
});
