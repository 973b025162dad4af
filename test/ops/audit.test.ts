import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as entries from '#commands/entries.ts';
import { addUser } from '#commands/users.ts';
import { page, post } from '#domain/entry/kinds.ts';
import { audit } from '#ops/audit.ts';
import { Stopped } from '#ops/progress.ts';
import type { Config } from '../../src/config.ts';
import { openTestNode } from '../support/node.ts';
import { carryOut } from '../support/place.ts';
import { temporaryDirectory } from '../support/temporary.ts';

let node: Awaited<ReturnType<typeof openTestNode>>['node'];
let directory = '';
let config: Config;

const red = '\u001b[31mred\u001b[0m';

/** The history of a server, which holds the data directory while the command reads. */
beforeAll(async () => {
  const opened = await openTestNode(mkdtempSync(join(tmpdir(), 'palimpsest-')));
  ({ node, directory, config } = opened);
  const { clock } = opened;
  const { store } = node;
  const as = (id: number, request: string) => ({
    viewer: { id, role: 'administrator' as const },
    correlationId: request,
  });
  const bySystem = { viewer: null, correlationId: 'setup' };
  for (const login of ['ada', 'grace']) {
    await store.submit(bySystem, (session) => addUser(session, { login, role: 'administrator' }));
  }
  clock.now += 60_000;
  const draft = { title: 'First words', content: 'It began.\n\nNobody read it.' };
  await store.submit(as(1, 'r1'), (session) => entries.createEntry(session, post, { ...draft, status: 'draft' }));
  clock.now += 24 * 60 * 60_000;
  const content = 'It began.\n\nHardly anybody read it.';
  await store.submit(as(2, 'r2'), (session) => entries.saveEntry(session, 1, { content, status: 'publish' }));
  clock.now += 60_000;
  const hostile = { title: `=cmd("x")|, ${red}`, content: 'c', status: 'publish' as const };
  await store.submit(as(1, 'r3'), (session) => entries.createEntry(session, page, hostile));
});

afterAll(async () => {
  await node.close();
  rmSync(directory, { recursive: true, force: true });
});

type Args = Readonly<Record<string, string | boolean>>;

const run = (args: Args, json = false) => carryOut(directory, 'audit', args, { json });

const lines = async (args: Args) => {
  const { written } = await run(args, true);
  return written.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
};
const types = async (args: Args) => (await lines(args)).map(({ type }) => type);

describe('audit', () => {
  it('prints what each request did to each item, day by day, beside a running server', async () => {
    const { written, ...outcome } = await run({ entry: '1' });
    expect(outcome).toEqual({ kind: 'done', value: { shown: 5 }, text: '' });
    expect(written).toBe(
      [
        '2026-03-02',
        '12:01:00  grace  post 1 “First words”  #8–11 r2',
        '          edited content',
        '          set the date to 2026-03-02 12:01:00',
        '          published',
        '          gave the slug “first-words”',
        '',
        '2026-03-01',
        '12:01:00  ada  post 1 “First words”  #7 r1',
        '          wrote it as a draft',
        '',
      ].join('\n'),
    );
  });

  it('lists log-ins, and what auditors read', async () => {
    const { readings, logins } = node.store;
    logins.note(1, true);
    for (const item of ['/cms-json/cms/v2/users/2', '/cms-audit/day', '/cms-json/cms/v2/users/2'])
      readings.note({ user: 2, route: 'r', item });
    // The command reads what is written.
    expect([logins.all().length, readings.all().length]).toEqual([1, 2]);
    const { written } = await run({ logins: true });
    expect(written).toBe(
      [
        '2026-03-02  ada  1 times, 0 in vain',
        '2026-03-02 12:02:00  grace  read /cms-audit/day',
        '2026-03-02 12:02:00  grace  read /cms-json/cms/v2/users/2, 2 times that day',
        '',
      ].join('\n'),
    );
    expect((await lines({ logins: true })).at(-1)).toEqual({
      ...{ day: '2026-03-02', user: 2, who: 'grace', route: 'r', item: '/cms-json/cms/v2/users/2' },
      ...{ last: '2026-03-02T11:02:00.000Z', times: 2 },
    });
  });

  it('answers every question as CSV, too', async () => {
    const rows = async (args: Args) => (await run({ ...args, csv: true })).written.trim().split('\r\n');
    expect((await rows({ public: true }))[0]).toBe(
      'id,kind,title,from,from position,from user id,from user,from reason,until,until position,until user id,until user,until reason',
    );
    const [, post] = await rows({ public: true, entry: '1' });
    expect(post).toBe('1,post,First words,2026-03-02T11:01:00.000Z,10,2,grace,published,,,,,');
    expect(await rows({ logins: true })).toEqual([
      'day,user id,user,what,times,route,address,last time',
      '2026-03-02,1,ada,logged in,1,,,',
      '2026-03-02,2,grace,read,1,r,/cms-audit/day,2026-03-02T11:02:00.000Z',
      '2026-03-02,2,grace,read,2,r,/cms-json/cms/v2/users/2,2026-03-02T11:02:00.000Z',
    ]);
    expect(await rows({ blame: true, entry: '1' })).toEqual([
      'sentence,paragraph,text,position,time,user id,user',
      '1,1,It began.,7,2026-03-01T11:01:00.000Z,1,ada',
      '2,2,Hardly anybody read it.,8,2026-03-02T11:01:00.000Z,2,grace',
    ]);
  });

  it.each(['first-words', 'https://example.org/first-words/', 'FIRST words'])(
    'finds an item by “%s”',
    async (entry) => {
      expect((await run({ entry })).written).toBe((await run({ entry: '1' })).written);
      expect((await run({ entry, blame: true })).written).toBe((await run({ entry: '1', blame: true })).written);
    },
  );

  it('shows how a change altered the texts', async () => {
    const { written } = await run({ entry: '1', diff: true, type: 'EntryRevised' });
    expect(written).toContain(
      [
        '          edited content',
        '            content',
        '            - Nobody read it.',
        '            + Hardly anybody read it.',
        '',
      ].join('\n'),
    );
    const [revised] = await lines({ entry: '1', diff: true, type: 'EntryRevised' });
    expect(revised.changes).toMatchObject([{ name: 'content' }]);
    const pieces: { op: string; text: string }[] = revised.changes[0].pieces;
    expect(pieces.map((piece) => (piece.op === 'insert' ? '' : piece.text)).join('')).toBe(
      'It began.\n\nNobody read it.',
    );
  });

  it('filters by user, event type, period and correlation id, also combined', async () => {
    expect(await types({ user: 'grace', type: 'EntryPublished' })).toEqual(['EntryPublished']);
    expect(await types({ user: '1', oldest: true })).toEqual([
      ...['EntryCreated', 'EntryCreated', 'StepCompleted', 'EntryCreated'],
    ]);
    expect(await types({ user: 'system', type: 'accounts,SiteConfigured', oldest: true, limit: '2' })).toEqual([
      'SiteConfigured',
      'UserAdded',
    ]);
    expect(await types({ from: '2026-03-01', to: '2026-03-01', type: 'entries' })).toEqual(['EntryCreated']);
    expect(await types({ correlation: 'r3' })).toEqual(['EntryCreated', 'StepCompleted', 'EntryCreated']);
    expect(await types({ stream: 'term-1' })).toEqual(['TermCreated']);
    expect(await types({ correlation: 'r3', user: 'grace' })).toEqual([]);
    expect((await lines({ before: '3' })).map(({ position }) => position)).toEqual([2, 1]);
  });

  it('prints one JSON record per event', async () => {
    const [event] = await lines({ type: 'EntryPublished' });
    expect(event).toMatchObject({
      ...{ at: '2026-03-02T11:01:00.000Z', actor: 2, who: 'grace', type: 'EntryPublished', what: 'published' },
      ...{ stream: 'entry-1', kind: 'post', id: 1, title: 'First words', correlationId: 'r2', erased: false },
    });
  });

  it('prints CSV in which no title is a formula', async () => {
    const { written } = await run({ csv: true, correlation: 'r3', type: 'entries' });
    const [head, , row, rest] = written.split('\r\n');
    expect(head).toMatch(/^position,time,user id,user,event,/);
    expect(row).toContain(`,page,3,"'=cmd(""x"")|, `);
    expect(rest).toBe('');
  });

  it('prints no control characters', async () => {
    const { written } = await run({ diff: true });
    expect(written).toContain('red');
    expect(written).not.toMatch(/[^\n\P{Cc}]/u);
  });

  it('tells when there is more, and how to see it', async () => {
    const { written } = await run({ limit: '2' });
    const [, before = ''] = /go on with --before (\d+)\.$/m.exec(written) ?? [];
    expect((await lines({ before, limit: '1' }))[0].position).toBe(Number(before) - 1);
    expect((await run({ correlation: 'none' })).written).toBe('nothing\n');
  });

  it.each([
    [{ user: 'nobody' }, 'invalid_username'],
    [{ type: 'EntryEaten' }, 'invalid_type'],
    [{ from: 'yesterday' }, 'invalid_period'],
    [{ to: '2026-02-30' }, 'invalid_period'],
    [{ entry: 'no such title' }, 'invalid_entry'],
    [{ entry: 'no such title', public: true }, 'invalid_entry'],
  ])('refuses %j', async (args, code) => {
    expect(await run(args)).toMatchObject({ kind: 'refused', code });
  });

  it.each([
    [{ limit: '-1' }],
    [{ limit: '0' }],
    [{ entry: '1', stream: 'site' }],
    [{ csv: true, diff: true }],
    [{ colour: 'blue' }],
  ])('rejects %j as wrong usage', async (args: Args) => {
    await expect(run(args)).rejects.toMatchObject({ name: 'UsageError' });
  });

  it('ends when it is stopped while its reader is slow', async () => {
    const stop = new AbortController();
    const output = new PassThrough({ highWaterMark: 1 });
    const progress = () => ({ at: async () => undefined, end: () => undefined });
    const place = { config, json: true, progress, signal: stop.signal, input: process.stdin, output };
    const ended = audit.here(place, {});
    stop.abort();
    await expect(ended).rejects.toThrow(Stopped);
  });

  it('fails with a message if there is no log', async () => {
    await expect(carryOut(temporaryDirectory(), 'audit')).rejects.toThrow('there is no event log');
  });
});

describe('the command line of audit', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const env = () => ({ PATH: process.env['PATH'], DATA_DIR: directory });
  const call = promisify(execFile);

  it('needs no server and no projections', async () => {
    const bare = temporaryDirectory();
    for (const file of ['log.db', 'log.db-wal']) cpSync(join(directory, file), join(bare, file));
    const { stdout } = await call(process.execPath, ['src/bin.js', 'audit', '--json', '--user', 'grace'], {
      ...{ cwd: root, env: { ...env(), DATA_DIR: bare } },
    });
    expect(stdout.trim().split('\n')).toHaveLength(5);
  });

  it('exits without an error when its reader closes the pipe', async () => {
    const child = spawn(process.execPath, ['src/bin.js', 'audit', '--json'], { cwd: root, env: env() });
    const err = text(child.stderr);
    child.stdout.destroy();
    const [status] = await once(child, 'close');
    expect({ status, err: await err }).toEqual({ status: 0, err: '' });
  });
});
