import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainedEvent } from '#eventstore/chain.ts';
import { LogDamaged, type NewEvent } from '#eventstore/port.ts';
import { openLogReader } from '#eventstore/sqlite/log-reader.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { HistoryDiffers } from '#node/tree/checkpoints.ts';
import { readLastVerify } from '#node/verified.ts';
import { checkProjections } from '#ops/verify/projections.ts';
import { acts, perform } from '../support/acts.ts';
import { commit } from '../support/commits.ts';
import { failingFile } from '../support/failing-file.ts';
import { admin, openTestNode } from '../support/node.ts';
import { carryOut, placeOf } from '../support/place.ts';
import { appendTo, logOf } from '../support/plain-log.ts';
import { signLog } from '../support/signing.ts';
import { type Site, startSite } from '../support/site.ts';
import { appendAtHead } from '../support/store-fixture.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { filesKept, pngOf, uploadBody } from '../support/uploads.ts';

/** A site with a little of everything; tests work on copies of its data. */
let site: Site;
let hash = '';
beforeAll(async () => {
  site = await startSite();
  const post = await site.make('editor', '/posts', { title: 'One', content: 'First words', status: 'publish' });
  await site.call('editor', `PUT /posts/${post}`, { content: 'Second words' });
  await site.make('editor', '/pages', { title: 'Page', content: 'x', status: 'publish' });
  const { body } = await uploadBody(site, 'author', { name: 'a.png', type: 'image/png', bytes: pngOf(400, 300) });
  await site.call('editor', `PUT /posts/${post}`, { featured_media: body.id });
  hash = site.node.log.head().hash;
});
afterAll(() => site.close());

/** A copy of the site's data that no process has open. */
async function copy(): Promise<string> {
  const directory = temporaryDirectory();
  // Write-ahead logs are copied, too.
  cpSync(site.directory, directory, { recursive: true, filter: (path) => !path.endsWith('control.sock') });
  return directory;
}

/** Has another user in the first commit of a log, and chains it again: all else is as it was. */
async function rewrite(directory: string): Promise<void> {
  const commits = [...Map.groupBy(logOf(directory), ({ commit: { id } }) => id).values()];
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(directory, `log.db${suffix}`), { force: true });
  rmSync(join(directory, 'head'), { force: true });
  await appendTo(
    directory,
    ...commits.map((events, i) => {
      const [{ commit: of, at, actor, correlationId, causationId }] = events as [ChainedEvent];
      const sealed = events.map(({ salt, sealedDigest: digest, ...event }) =>
        digest === null ? event : { ...event, seal: { salt, digest } },
      );
      return { id: of.id, at, actor: i === 0 ? 7 : actor, correlationId, causationId, events: sealed };
    }),
  );
}

interface Found {
  readonly head: { readonly position: number; readonly hash: string } | null;
  readonly checks: readonly {
    readonly check: string;
    readonly result: string;
    readonly found: readonly { readonly position: number | null; readonly message: string }[];
  }[];
}

async function verify(directory: string, args: Readonly<Record<string, unknown>> = {}) {
  const outcome = await carryOut(directory, 'verify', args);
  if (!('value' in outcome)) throw new Error(outcome.message);
  const { head, checks } = outcome.value as Found;
  const wrong = checks.filter(({ result }) => result === 'wrong');
  return {
    kind: outcome.kind,
    text: outcome.text ?? '',
    head,
    wrong: wrong.map(({ check }) => check),
    messages: wrong.flatMap(({ found }) => found.map(({ message }) => message)).join('\n'),
    positions: wrong.flatMap(({ found }) => found.map(({ position }) => position)),
  };
}

/** Changes files as somebody with access to them could. */
function forge(directory: string, file: 'log' | 'projections', sql: string): void {
  const db = new DatabaseSync(join(directory, `${file}.db`));
  db.exec('DROP TRIGGER IF EXISTS events_stay');
  db.exec('DROP TRIGGER IF EXISTS events_are_final');
  db.exec('DROP TRIGGER IF EXISTS sealed_texts_only_go');
  db.exec(sql);
  db.close();
}

/** Appends events that no decider produces, with a valid chain. */
async function append(directory: string, ...events: readonly Partial<NewEvent>[]): Promise<void> {
  const store = openSqliteStore({ path: join(directory, 'log.db') });
  const whole = events.map((event) => ({
    stream: 'entry-1',
    type: 'EntrySaved',
    v: 1,
    data: '{}',
    sealed: null,
    ...event,
  }));
  await appendAtHead(store, commit(whole, { at: '2026-03-01T12:00:00.000Z' }));
  store.close();
}

const saved = { modified: '2026-03-01T12:00:00', modifiedGmt: '2026-03-01T11:00:00' };
const termOf = (id: number, slug: string) => ({
  stream: `term-${id}`,
  type: 'TermCreated',
  data: JSON.stringify({ id, taxonomy: 'category', name: 'X', slug, description: '', parent: 0 }),
});

describe('verify', () => {
  it('finds nothing wrong with data written by the server, and prints the head', async () => {
    const directory = await copy();
    const { kind, wrong, text, head } = await verify(directory, { head: `${site.position()}:${hash}` });
    expect({ kind, wrong }).toEqual({ kind: 'done', wrong: [] });
    expect(head).toEqual({ position: site.position(), hash, at: expect.any(String) });
    const ofLog = ['chain', 'events', 'ids', 'texts', 'tree', 'head', 'revisions', 'sequences'];
    const checks = [...ofLog, 'files', 'projections', 'slugs', 'answers'];
    expect(text.split('\n').map((line) => line.split(' ')[0])).toEqual([...checks, '', 'The', 'head']);
    expect(text.endsWith(`head  ${site.position()}:${hash}`)).toBe(true);
    expect(text.match(/ ok /g)).toHaveLength(checks.length - 2);
    // Nothing has asked for ready answers here, or for the tree.
    expect(text).toMatch(/tree +skipped.*answers +skipped/s);
  });

  it('works beside a running server, and leaves nothing behind', async () => {
    const { kind, wrong } = await verify(site.directory);
    expect({ kind, wrong }).toEqual({ kind: 'done', wrong: [] });
    expect(readdirSync(site.directory).filter((name) => name.startsWith('verify'))).toEqual([]);
  });

  it('removes what a killed one left that had the same process id, as in containers', async () => {
    const left = join(site.directory, `verify-${process.pid}`);
    mkdirSync(left);
    writeFileSync(join(left, 'projections.db'), 'unfinished');
    const { kind, wrong } = await verify(site.directory);
    expect({ kind, wrong, isLeft: existsSync(left) }).toEqual({ kind: 'done', wrong: [], isLeft: false });
  });

  it('ignores what the server writes while it runs', async () => {
    const log = openLogReader(join(site.directory, 'log.db'));
    await site.make('editor', '/posts', { title: 'Meanwhile', content: 'x', status: 'publish' });
    const checks = await checkProjections(log, placeOf(site.directory));
    expect(checks.map(({ check, result }) => [check, result])).toEqual([
      ['projections', 'ok'],
      ['slugs', 'ok'],
    ]);
    log.close();
    hash = site.node.log.head().hash;
  });

  it('accepts a log without projections', async () => {
    const directory = await copy();
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(directory, `projections.db${suffix}`), { force: true });
    const { wrong, text } = await verify(directory);
    expect(wrong).toEqual([]);
    expect(text).toMatch(/projections +skipped/);
  });

  it('states what it proves: the identity of the log only with a noted head', async () => {
    const directory = await copy();
    const compared = await verify(directory, { quick: true, head: `${site.position()}:${hash}` });
    expect(compared.text).toContain(`up to position ${site.position()} the one whose head was noted`);
    const alone = await verify(directory, { quick: true });
    expect(alone.text).toContain('Whether it was rewritten as a whole, only something tells that was kept elsewhere');
  });

  it('finds a log that was rewritten and chained again, by checkpoints in the directory or kept elsewhere', async () => {
    const directory = await copy();
    signLog(directory);
    const elsewhere = join(temporaryDirectory(), 'kept.jsonl');
    cpSync(join(directory, 'checkpoints.jsonl'), elsewhere);
    const honest = await verify(directory, { quick: true, checkpoints: elsewhere });
    expect(honest.wrong).toEqual([]);
    expect(honest.text).toMatch(/checkpoints +ok +1 checkpoint since 2026-03-01 up to position \d+, signed by /);
    expect(honest.text).toContain('has not been rewritten since it was signed at 2026-03-01T11:00:00.000Z');
    const missing = join(directory, 'missing');
    await expect(verify(directory, { quick: true, checkpoints: missing })).rejects.toThrow('has no checkpoints');
    await rewrite(directory);
    expect(() => signLog(directory)).toThrow(HistoryDiffers);
    expect((await verify(directory, { quick: true })).wrong).toEqual(['checkpoints']);
    for (const name of ['checkpoints.jsonl', 'checkpoint.key']) rmSync(join(directory, name));
    expect((await verify(directory, { quick: true })).wrong).toEqual([]);
    expect((await verify(directory, { quick: true, checkpoints: elsewhere })).wrong).toEqual(['checkpoints']);
  });

  it('records in the data directory when and by whom it was last run, and its result', async () => {
    const directory = await copy();
    rmSync(join(directory, 'verified.json'), { force: true });
    expect(readLastVerify(directory)).toBeNull();
    await verify(directory, { quick: true });
    const head = { position: site.position(), hash };
    const by = expect.stringMatching(/./);
    const at = expect.stringMatching(/Z$/);
    expect(readLastVerify(directory)).toEqual({ at, by, head, result: 'ok', noted: false, quick: true });
    forge(directory, 'log', 'UPDATE events SET actor = 77 WHERE position = 3');
    await verify(directory, { head: `${site.position()}:${hash}` });
    expect(readLastVerify(directory)).toMatchObject({ head: null, result: 'wrong', noted: true, quick: false });
    writeFileSync(join(directory, 'log.db'), 'no database');
    await expect(verify(directory, {})).rejects.toThrow();
    expect(readLastVerify(directory)).toMatchObject({ result: 'wrong', noted: false });
  });

  it('accepts missing texts only if the log orders their erasure', async () => {
    const directory = await copy();
    forge(directory, 'log', "UPDATE events SET sealed = NULL, salt = NULL WHERE stream = 'entry-1'");
    const { wrong, messages, text } = await verify(directory, { quick: true, head: `${site.position()}:${hash}` });
    expect(wrong).toEqual(['texts']);
    expect(messages).toContain('The texts of EntryCreated in entry-1 are gone, and nothing orders that');
    expect(text).toContain(`${site.position()}:${hash}`);
    await append(directory, { type: 'EntryErased', data: '{"id":1}' });
    expect((await verify(directory, { quick: true })).wrong).not.toContain('texts');
  });

  it('fails if there is no log', async () => {
    await expect(carryOut(temporaryDirectory(), 'verify')).rejects.toThrow('there is no event log');
  });

  it('rejects a malformed head', async () => {
    await expect(carryOut(await copy(), 'verify', { head: 'x' })).rejects.toThrow(
      '--head is not of the form position:hash',
    );
  });

  const first = "position = (SELECT min(position) FROM events WHERE stream = 'entry-1')";
  it.each<[string, string, readonly string[]]>([
    ['a text', `UPDATE events SET data = replace(data, 'publish', 'private') WHERE ${first}`, ['chain']],
    ['a sealed text', `UPDATE events SET sealed = replace(sealed, 'First', 'Last') WHERE ${first}`, ['chain']],
    ['an actor', `UPDATE events SET actor = 99 WHERE ${first}`, ['chain']],
    ['a time', `UPDATE events SET at = '2001-01-01T00:00:00.000Z' WHERE ${first}`, ['chain']],
    ['the last hash', "UPDATE events SET hash = '00' WHERE position = (SELECT max(position) FROM events)", ['chain']],
    ['a missing event', `DELETE FROM events WHERE ${first}`, ['chain', 'revisions', 'sequences']],
    ['a gap of revisions', `UPDATE events SET revision = 70 WHERE ${first}`, ['chain', 'revisions']],
    ['a missing end of a commit', 'UPDATE events SET n = n + 1 WHERE position = 1', ['chain']],
    ['an event of another type', `UPDATE events SET type = 'EntryForged' WHERE ${first}`, ['chain', 'events']],
    ['an unreadable event', `UPDATE events SET data = '{' WHERE ${first}`, ['chain', 'events']],
  ])('finds %s changed in the log', async (_, sql, checks) => {
    const directory = await copy();
    forge(directory, 'log', sql);
    const { kind, wrong, head, text } = await verify(directory, { quick: true });
    expect({ kind, head }).toEqual({ kind: 'wrong', head: null });
    expect(wrong).toEqual(expect.arrayContaining([...checks]));
    expect(text).toContain('the chain does not hold');
    expect(text).toMatch(/^The log is not as it was written, first at position \d+/m);
    expect(text).toMatch(/^Stop the server, .* restore a backup .*docs\/operations\/incidents\.md/m);
  });

  it('names the item and what happened to it', async () => {
    const directory = await copy();
    forge(directory, 'log', `UPDATE events SET sealed = replace(sealed, 'First', 'Last') WHERE ${first}`);
    const { text } = await verify(directory, { quick: true });
    expect(text).toMatch(/first at position \d+: post 1 “.+”, Written\.$/m);
  });

  it('reports the position of a change', async () => {
    const directory = await copy();
    forge(directory, 'log', 'UPDATE events SET actor = 99 WHERE position = 4');
    const { positions } = await verify(directory, { quick: true });
    expect(positions).toEqual([4]);
  });

  it('finds that a log lost its end, by the projections, its last head and a noted head', async () => {
    const directory = await copy();
    const { position } = site.node.log.head();
    forge(directory, 'log', `DELETE FROM events WHERE position > ${position - 1}`);
    expect((await verify(directory)).wrong).toEqual(['head', 'projections']);
    expect((await verify(directory, { quick: true })).wrong).toEqual(['head']);
    const { wrong, messages } = await verify(directory, { quick: true, head: `${position}:${hash}` });
    expect(wrong).toEqual(['chain', 'head']);
    expect(messages).toContain('ends before');
  });

  it('finds that a valid log was replaced, by the projections, its last head and a noted head', async () => {
    const directory = await copy();
    const path = join(temporaryDirectory(), 'log.db');
    const other = openSqliteStore({ path });
    for (let i = 0; i < site.position(); i++) await appendAtHead(other, commit([termOf(i + 1, `t-${i}`)].map(whole)));
    other.close();
    for (const suffix of ['-wal', '-shm']) rmSync(join(directory, `log.db${suffix}`), { force: true });
    cpSync(path, join(directory, 'log.db'));
    expect((await verify(directory)).wrong).toContain('projections');
    expect((await verify(directory, { quick: true })).wrong).toEqual(['head']);
    rmSync(join(directory, 'head'));
    expect((await verify(directory, { quick: true })).wrong).toEqual([]);
    expect((await verify(directory, { quick: true, head: `${site.position()}:${hash}` })).wrong).toEqual(['chain']);
  });

  it.each<[string, string, Partial<NewEvent>]>([
    ['what cannot happen', 'sequences', { type: 'EntryReleased', data: '{"categories":[]}' }],
    ['a stream of no known kind', 'sequences', { stream: 'nobody-1', data: JSON.stringify(saved) }],
    ['an event that nobody knows', 'events', { type: 'EntryForged' }],
    ['an event of a later version', 'events', { v: 99 }],
    ['an event without what it should hold', 'events', { data: '{"modified":1}' }],
    ['an id that was given before', 'ids', termOf(1, 'one')],
    ['a slug that is given twice', 'slugs', termOf(70, 'uncategorized')],
    ['a deletion of what is not there', 'sequences', { stream: 'media-999', type: 'MediaDeleted', data: '{"id":999}' }],
  ])('finds %s in a log with a valid chain', async (_, check, event) => {
    const directory = await copy();
    await append(directory, event);
    const { kind, wrong } = await verify(directory);
    expect(kind).toBe('wrong');
    expect(wrong).toContain(check);
    expect(wrong).not.toContain('chain');
  });

  it.each<[string, string, string]>([
    ['another value', "UPDATE entries SET title = 'Forged' WHERE id = 1", 'entries: 0 missing, 0 too many, 1 other'],
    ['a row less', 'DROP TRIGGER revisions_deleted; DELETE FROM revisions', 'revisions: 1 missing'],
    [
      'another row of the past',
      "UPDATE entries_history SET title = 'Forged'",
      'entries_history: 0 missing, 0 too many, ',
    ],
    ['a row more', "INSERT INTO lost_terms VALUES (1, 1, '{}')", 'lost_terms: 0 missing, 1 too many'],
    ['another count', 'UPDATE users SET published = 99 WHERE id = 2', 'users: 0 missing, 0 too many, 1 other'],
    ['another hash', "UPDATE checkpoint SET hash = '00'", 'checkpoint: 0 missing, 0 too many, 1 other'],
  ])('finds %s in the projections than in the log', async (_, sql, message) => {
    const directory = await copy();
    forge(directory, 'projections', sql);
    const { kind, wrong, messages } = await verify(directory);
    expect({ kind, wrong }).toEqual({ kind: 'wrong', wrong: ['projections'] });
    expect(messages).toContain(message);
  });

  it.each<[string, string]>([
    ['missing', 'DROP TABLE terms'],
    ['of no use', 'CREATE TABLE others (id INTEGER PRIMARY KEY)'],
  ])('finds a projection table that is %s', async (_, sql) => {
    const directory = await copy();
    forge(directory, 'projections', sql);
    expect((await verify(directory)).wrong).toEqual(['projections']);
  });

  it('reports pages of the log that are damaged wherever they are, and keeps that', async () => {
    const size = 4096;
    const whole = await copy();
    const log = new DatabaseSync(join(whole, 'log.db'));
    log.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    log.close();
    const bytes = readFileSync(join(whole, 'log.db'));
    const pages = bytes.length / size;
    for (const part of [0.3, 0.5, 0.7, 0.9]) {
      const directory = temporaryDirectory();
      cpSync(whole, directory, { recursive: true });
      const damaged = Buffer.from(bytes);
      damaged.fill(0xff, Math.floor(pages * part) * size, (Math.floor(pages * part) + 1) * size);
      writeFileSync(join(directory, 'log.db'), damaged);
      const said = await verify(directory).then(
        ({ text }) => text,
        (error: unknown) => (error instanceof LogDamaged ? error.message : `${error}`),
      );
      expect([part, said]).toEqual([
        part,
        expect.stringMatching(/The log is not as it was written|^The event log is damaged/),
      ]);
      expect(readLastVerify(directory)?.result).toBe('wrong');
    }
  });

  it('reports a damaged file of projections, and completes the other checks', async () => {
    const directory = await copy();
    for (const suffix of ['-wal', '-shm']) rmSync(join(directory, `projections.db${suffix}`), { force: true });
    writeFileSync(join(directory, 'projections.db'), 'something else');
    const { kind, wrong, messages, head } = await verify(directory);
    expect({ kind, wrong, position: head?.position }).toEqual({
      kind: 'wrong',
      wrong: ['projections'],
      position: site.position(),
    });
    expect(messages).toContain('The file cannot be read: file is not a database');
  });

  it('finds modified ready answers, and skips missing ones', async () => {
    const directory = await copy();
    while (site.node.work());
    await site.restart();
    cpSync(join(site.directory, 'views'), join(directory, 'views'), { recursive: true });
    const path = join(directory, 'views', '0.views');
    writeFileSync(path, Buffer.from(readFileSync(path, 'latin1').replaceAll('Second words', 'Forged words'), 'latin1'));
    const { wrong, messages } = await verify(directory);
    expect(wrong).toEqual(['answers']);
    expect(messages).toContain('The answer that is kept ready for 1 is not what was made');
    rmSync(join(directory, 'views'), { recursive: true });
    expect((await verify(directory)).text).toMatch(/answers +skipped/);
  });

  it('never accepts a log truncated anywhere', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'log.db');
    await append(directory, ...Array.from({ length: 20 }, (_, i) => termOf(i + 1, `t-${i}`)));
    const isWhole = async (work: Promise<{ readonly kind: string }>) =>
      work.then(({ kind }) => kind === 'done').catch((error) => !(error instanceof LogDamaged));
    const whole = (await carryOut(directory, 'export', { file: '-' })).written;
    const taken: unknown[] = [];
    for (let size = statSync(path).size - 4096; size > 0; size -= 4096) {
      truncateSync(path, size);
      if (await isWhole(verify(directory, { quick: true }))) taken.push(['verify', size]);
      const exported = carryOut(directory, 'export', { file: '-' });
      // The lost part may be only an index of the table.
      if ((await isWhole(exported)) && (await exported).written !== whole) taken.push(['export', size]);
    }
    expect(taken).toEqual([]);
  });

  it('finds missing files, and files with wrong contents', async () => {
    const directory = await copy();
    const [one = '', two = ''] = filesKept(site);
    rmSync(join(directory, 'media', one));
    writeFileSync(join(directory, 'media', two), 'something else');
    const { wrong, messages } = await verify(directory);
    expect(wrong).toEqual(['files']);
    expect(messages).toContain(`The file ${basename(one)} is missing`);
    expect(messages).toContain(`The file ${basename(two)} holds something else`);
  });

  it('ends when it is stopped, and leaves nothing behind', async () => {
    const directory = temporaryDirectory();
    await append(directory, ...Array.from({ length: 3000 }, (_, i) => termOf(i + 1, `t-${i}`)));
    const left = () => readdirSync(directory).filter((name) => name.startsWith('verify'));
    const stop = new AbortController();
    // In the middle of the replay.
    const watch = setInterval(() => left().length > 0 && stop.abort(), 1);
    await expect(carryOut(directory, 'verify', {}, { signal: stop.signal })).rejects.toThrow('stopped');
    clearInterval(watch);
    expect(left()).toEqual([]);
  });

  it('finds nothing wrong after any sequence of acts', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (given) => {
        const { node, directory } = await openTestNode();
        for (const act of given) await node.store.submit(admin, (session) => perform(session, act));
        await node.close();
        const { wrong } = await verify(directory);
        // The acts name files that never existed.
        expect(wrong.filter((check) => check !== 'files')).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });
});

function whole(event: Partial<NewEvent>): NewEvent {
  return { stream: 'entry-1', type: 'EntrySaved', v: 1, data: '{}', sealed: null, ...event };
}

it('a full disk is no finding: verify ends without a result', async () => {
  const directory = await copy();
  failingFile('projections.db').failing = true;
  await expect(carryOut(directory, 'verify')).rejects.toThrow(/could not be replayed .*disk is full/);
});
