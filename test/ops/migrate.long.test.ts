import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { codec } from '#catalogue/events.ts';
import { migrations } from '#domain/migration/area.ts';
import { siteRecords } from '#ops/migrate/site-records.ts';
import type { SourceRecord } from '#wxr/records.ts';
import { openTestNode } from '../support/node.ts';
import { serverProcess } from '../support/server-process.ts';
import { aComment, aFile, anAuthor, anItem, aRevision, aSite, aTerm, folderOf } from '../support/source-records.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { pngOf } from '../support/uploads.ts';
import { typeVerb } from '../support/verbs.ts';

const kills = 25;
const root = new URL('../../', import.meta.url).pathname;
const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i);
const at = (minute: number) => {
  const moment = new Date(Date.UTC(2020, 0, 1, 0, minute)).toISOString().slice(0, 19);
  return { date: moment, dateGmt: moment };
};

/** 600 posts and pages with revisions, comments, files, terms and things that the store does not know. */
const records: readonly SourceRecord[] = [
  aSite({ timezone: 'UTC' }),
  anAuthor({ id: 3, login: 'ada' }),
  ...numbers(20, 10).map((id) => anAuthor({ id, login: `author${id}` })),
  ...numbers(60).map((id) => aTerm({ id: id + 1, slug: `term-${id}`, taxonomy: id % 2 ? 'category' : 'post_tag' })),
  ...numbers(40, 5000).map((id) => aFile(id, `2020/01/file-${id}.png`, { slug: `file-${id}` })),
  ...numbers(600, 100).flatMap((id) => [
    anItem({
      ...{
        id,
        type: id % 7 === 0 ? 'page' : 'post',
        title: `Item ${id}`,
        content: `Words ${id}`.repeat(40),
        ...at(id),
      },
      ...{ author: { id: 10 + (id % 20), name: `author${10 + (id % 20)}` }, featured: 5000 + (id % 40) },
      terms:
        id % 7 === 0
          ? []
          : [{ taxonomy: 'category', id: 2 + 2 * (id % 30), name: `term-${1 + 2 * (id % 30)}`, label: '' }],
      meta: id % 5 === 0 ? [{ key: '_of_a_plugin', value: `value ${id}` }] : [],
    }),
    ...numbers(2).map((n) => aRevision({ id: 10_000 + id * 3 + n, of: id, content: `Before ${n}`, ...at(id + n) })),
    ...(id % 3 === 0 ? [aComment({ id, of: id, ...at(id) })] : []),
  ]),
  ...numbers(80, 20_000).map((id) => anItem({ id, type: 'recipe', slug: `recipe-${id}`, title: `Recipe ${id}` })),
];

const env = (directory: string) => ({
  ...{ PATH: process.env['PATH'], DATA_DIR: directory, PORT: '0', REBUILD_PRIORITY: 'normal' },
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
});

function runChild(directory: string, folder: string): { child: ChildProcess; ended: Promise<number | null> } {
  const args = ['src/bin.js', 'migrate', 'run', folder, '--sizes', 'none'];
  const child = spawn(process.execPath, args, { cwd: root, env: env(directory), stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, ended: once(child, 'exit').then(([code]) => code as number | null) };
}

async function newTarget(): Promise<string> {
  const directory = temporaryDirectory();
  await typeVerb(directory, ['user', 'add', 'hilda', '--role', 'administrator']);
  return directory;
}

/** Asserts that all of the source is there once, and that the log and the move are proved. */
async function expectWhole(directory: string, folder: string): Promise<void> {
  const verified = await typeVerb(directory, ['migrate', 'verify', folder]);
  expect(verified).toMatchObject({
    status: 0,
    out: expect.stringContaining(', 0 differences, 80 carried along unread'),
  });
  expect(await typeVerb(directory, ['verify'])).toMatchObject({ status: 0 });
  expect(existsSync(join(directory, 'migrating'))).toBe(false);
  const { node } = await openTestNode(directory);
  const found = [...siteRecords(node.store.reader, node.log, 'plain')];
  expect(tally(found)).toEqual(tally(records));
  const keys = [...node.log.read({ stream: migrations.stream })].flatMap((stored) => {
    const { type, data } = codec.decode(stored);
    return type === 'UnreadKept' ? [(data as { key: string }).key] : [];
  });
  expect(new Set(keys).size).toBe(keys.length);
  await node.close();
}

/** What there is, by what tells it apart; accounts and terms that a site has from the beginning are left out. */
function tally(all: readonly SourceRecord[]): readonly string[] {
  return all
    .flatMap((one) => {
      if (one.kind === 'author') return one.login === 'hilda' ? [] : [`author ${one.login}`];
      if (one.kind === 'term') return /^term-/.test(one.slug) ? [`term ${one.slug}`] : [];
      if (one.kind === 'item') return one.slug === 'navigation' ? [] : [`${one.type} ${one.id} ${one.slug}`];
      if (one.kind === 'revision') return [`revision ${one.id} of ${one.of} ${one.content} ${one.dateGmt}`];
      return one.kind === 'comment' ? [`comment ${one.id} on ${one.of} ${one.content}`] : [];
    })
    .sort();
}

describe('an import that is killed and started again', () => {
  it('loses nothing and brings nothing twice, without a server', { timeout: 1_800_000 }, async () => {
    const folder = await folderOf(records, Buffer.from(pngOf(60, 40)));
    const began = performance.now();
    const first = await newTarget();
    expect(await runChild(first, folder).ended).toBe(0);
    const whole = performance.now() - began;
    await expectWhole(first, folder);
    let [killed, wholes] = [0, 0];
    while (killed < kills) {
      const directory = await newTarget();
      for (let code: number | null = null; code !== 0; ) {
        const { child, ended } = runChild(directory, folder);
        if (killed < kills) await Promise.race([ended, wait(whole * (0.15 + 0.85 * Math.random()))]);
        if (killed < kills && child.kill('SIGKILL')) killed += 1;
        code = await ended;
      }
      await expectWhole(directory, folder);
      wholes += 1;
    }
    console.log(`${killed} kills, ${wholes} imports`);
  });

  it('loses nothing and brings nothing twice when the server is killed', { timeout: 1_800_000 }, async () => {
    const folder = await folderOf(records, Buffer.from(pngOf(60, 40)));
    let [killed, wholes, whole] = [0, 0, 4000];
    while (killed < kills) {
      const directory = await newTarget();
      const server = await serverProcess(directory, { NODE_COMPILE_CACHE: String(process.env['NODE_COMPILE_CACHE']) });
      onTestFinished(() => server.kill());
      for (let code: number | null = null; code !== 0; ) {
        await server.start();
        const began = performance.now();
        const { child, ended } = runChild(directory, folder);
        if (killed < kills) await Promise.race([ended, wait(whole * (0.15 + 0.85 * Math.random()))]);
        if (killed < kills && child.exitCode === null) {
          killed += 1;
          await server.kill();
        }
        code = await ended;
        if (code === 0) whole = performance.now() - began;
        // Without its server a verb may have gone on by itself.
        else expect(code).not.toBe(2);
      }
      await server.stop();
      await expectWhole(directory, folder);
      wholes += 1;
    }
    console.log(`${killed} kills, ${wholes} imports`);
  });
});
