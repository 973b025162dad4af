import { closeSync, openSync, readdirSync, readSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { healthOf } from '#ops/metrics/health.ts';
import { media } from '#projections/media/definition.ts';
import { eventually } from '../support/patience.ts';
import { type Site, startSite } from '../support/site.ts';
import { keptPath } from '../support/uploads.ts';

const addresses = [
  ...['/posts', '/posts?per_page=2&orderby=title', '/posts?search=word3', '/pages', '/media', '/categories', '/tags'],
  ...['/posts?context=edit&status=any', '/posts?categories=2', '/users?context=edit', '/posts?slug=post-4'],
  ...['/posts/1', '/posts/1?context=edit', '/posts/1/revisions?context=edit', '/posts?page=2&per_page=3'],
];
let site: Site;

beforeEach(async () => {
  site = await startSite();
  await site.make('editor', '/categories', { name: 'Parchment', description: 'Old skin' });
  await site.make('editor', '/tags', { name: 'Ink' });
  for (let i = 1; i <= 8; i++) {
    const content = Array.from({ length: 60 }, (_, k) => `word${(i * k) % 17}`).join(' ');
    const id = await site.make('editor', '/posts', { title: `Post ${i}`, content, status: 'publish', categories: [2] });
    if (i < 3) await site.call('editor', `POST /posts/${id}`, { title: `Post ${i} again` });
  }
  await site.make('editor', '/pages', { title: 'Page', content: 'More', status: 'publish' });
  while (site.node.work());
});
afterEach(() => site.close());

/** Returns the answers at all addresses. */
async function answers(): Promise<string[]> {
  const all: string[] = [];
  for (const as of ['anonymous', 'administrator'] as const) {
    for (const address of addresses) {
      const { status, text } = await site.call(as, `GET ${address}`).catch(() => ({ status: 599, text: 'no JSON' }));
      all.push(status >= 500 && status !== 599 ? 'error' : `${as} ${address} ${status} ${text}`);
    }
  }
  return all;
}

function wrong(now: readonly string[], before: readonly string[]): string[] {
  return now.filter((answer, i) => answer !== 'error' && answer !== before[i]);
}

function flip(path: string, share: number, bit: number): void {
  const file = openSync(path, 'r+');
  const at = Math.floor(share * statSync(path).size);
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, at);
  writeSync(file, Buffer.of((byte[0] ?? 0) ^ (1 << bit)), 0, 1, at);
  closeSync(file);
}

const projections = () => join(site.directory, 'projections.db');
const unseal = () => rmSync(`${projections()}-sum`, { force: true });

describe('a flipped bit', () => {
  const place = fc.record({ share: fc.double({ min: 0, max: 0.999_999, noNaN: true }), bit: fc.nat(7) });

  it('in the tables of a stopped server never causes a wrong answer', async () => {
    const before = await answers();
    await fc.assert(
      fc.asyncProperty(place, async ({ share, bit }) => {
        await site.restart(() => flip(projections(), share, bit));
        expect(wrong(await answers(), before)).toEqual([]);
      }),
      { numRuns: 6 },
    );
  });

  it('in the ready answers never causes a wrong answer', async () => {
    const before = await answers();
    const folder = join(site.directory, 'views');
    const flips = fc.record({ place, file: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(flips, async ({ place: { share, bit }, file }) => {
        while (site.node.work());
        await site.restart(() => {
          const files = readdirSync(folder);
          flip(join(folder, files[file % files.length] ?? ''), share, bit);
        });
        expect(wrong(await answers(), before)).toEqual([]);
      }),
      { numRuns: 6 },
    );
  });
});

describe('damage to a row', () => {
  const damages = [
    ['a title', "UPDATE entries SET title = 'Pest 1' WHERE id = 1"],
    [
      'what is sent of a text',
      "UPDATE entries SET content_json = replace(content_json, 'word1', 'wird1') WHERE id = 1",
    ],
    ['a stored text', "UPDATE texts SET content = replace(content, 'word1', 'wird1') WHERE id = 1"],
    ['a status', "UPDATE entries SET status = 'private' WHERE id = 5"],
    ['a category', "UPDATE terms SET description = 'Old skim' WHERE id = 2"],
    ['a count', 'UPDATE terms SET published = published + 1 WHERE id = 2'],
    ['a user', "UPDATE users SET state = replace(state, 'editor@', 'aditor@') WHERE id = 2"],
    ['a revision', 'UPDATE revisions SET title_at = title_at - 1'],
    ['the settings', "UPDATE site SET state = replace(state, 'site.example', 'sitf.example')"],
  ] as const;

  for (const [what, sql] of damages) {
    it(`is never served (${what}), makes the node not ready and is repaired from the log`, async () => {
      const before = await answers();
      const db = new DatabaseSync(projections(), { timeout: 60_000 });
      // Ready answers would hide the tables; a server damaged at run time has them open.
      await site.restart(() => {
        unseal();
        rmSync(join(site.directory, 'views'), { recursive: true });
      });
      db.exec(sql);
      db.close();
      site.node.store.reader.forgetAll();
      expect(wrong(await answers(), before)).toEqual([]);
      await eventually(() => {
        site.node.work();
        expect(site.node.integrity.found.rows).toBeGreaterThan(0);
        expect(healthOf(site.node).reasons()).toEqual([]);
      });
      expect(await answers()).toEqual(before);
    });
  }

  it.each(['texts', 'revisions', 'terms'])(
    'that makes a page of the file unreadable (%s) is repaired while the rest is served',
    async (table) => {
      const before = await answers();
      await site.restart(() => {
        unseal();
        rmSync(join(site.directory, 'views'), { recursive: true });
        const db = new DatabaseSync(projections());
        const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').get(table) ?? {};
        const { page_size: size } = db.prepare('PRAGMA page_size').get() ?? {};
        db.close();
        const file = openSync(projections(), 'r+');
        writeSync(file, Buffer.alloc(Number(size), 0xa5), 0, Number(size), (Number(rootpage) - 1) * Number(size));
        closeSync(file);
      });
      const { status } = await site.call('anonymous', 'GET /statuses');
      expect(status).toBe(200);
      expect(wrong(await answers(), before)).toEqual([]);
      await eventually(() => expect(healthOf(site.node).reasons()).toEqual([]));
      expect(await answers()).toEqual(before);
    },
  );

  it('never reaches the log through a save of other fields', async () => {
    await site.restart(() => {
      unseal();
      const db = new DatabaseSync(projections());
      db.exec("UPDATE texts SET content = replace(content, 'word1', 'wird1') WHERE id = 1");
      db.close();
    });
    const { status } = await site.call('editor', 'POST /posts/1', { title: 'Another' });
    expect([200, 503]).toContain(status);
    await eventually(() => expect(healthOf(site.node).reasons()).toEqual([]));
    await site.call('editor', 'POST /posts/1', { title: 'Another still' });
    expect([...site.node.log.read()].filter(({ sealed }) => sealed?.includes('wird1'))).toEqual([]);
    const { body } = await site.call('editor', 'GET /posts/1?context=edit');
    expect([body.title.raw, body.content.raw]).toEqual(['Another still', expect.stringContaining('word1')]);
  });

  it('is counted at the start when it is found there', async () => {
    const before = await answers();
    await site.restart(() => truncateSync(projections(), statSync(projections()).size - 1));
    expect(site.node.integrity.found.rows).toBe(1);
    expect(await answers()).toEqual(before);
  });

  it('is found in idle time without any request for it', async () => {
    await site.restart(() => {
      unseal();
      const db = new DatabaseSync(projections());
      db.exec("UPDATE texts SET content = replace(content, 'word1', 'wird1') WHERE id = 1");
      db.close();
    });
    await eventually(() => {
      site.node.work();
      expect(site.node.integrity.found.rows).toBe(1);
    });
    await eventually(() => expect(healthOf(site.node).reasons()).toEqual([]));
  });
});

describe('a damaged uploaded file', () => {
  it('is refused alone while the node stays ready with a warning; another upload of it restores it', async () => {
    const send = (name: string, text: string) =>
      site.call('editor', 'POST /media', Buffer.from(text), {
        headers: { 'content-type': 'text/plain', 'content-disposition': `attachment; filename="${name}"` },
      });
    const [one, two] = [await send('one.txt', 'The first file'), await send('two.txt', 'The second file')];
    const load = async ({ body }: typeof one) => {
      const answer = await fetch(`http://127.0.0.1:${site.port}${new URL(body.source_url).pathname}`);
      return { status: answer.status, text: await answer.text() };
    };
    expect(await load(one)).toEqual({ status: 200, text: 'The first file' });
    const [{ hash = '' } = {}] = [...site.node.log.read()]
      .filter(({ type }) => type === 'MediaUploaded')
      .map(({ data }) => JSON.parse(data) as { hash?: string });
    const path = keptPath(site, hash);
    await site.restart(() => flip(path, 0.5, 3));
    const refused = await load(one);
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([503, 'rest_file_damaged']);
    expect(await load(two)).toEqual({ status: 200, text: 'The second file' });
    const health = healthOf(site.node);
    expect(health.reasons()).toEqual([]);
    expect(health.warnings?.()).toMatchObject([{ code: 'files_damaged' }]);
    await send('three.txt', 'The first file');
    expect(await load(one)).toEqual({ status: 200, text: 'The first file' });
    expect(health.warnings?.()).toEqual([]);
  });

  it('is found in idle time without any request for it, and so is a missing one', async () => {
    const wide = { headers: { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="a.txt"' } };
    await site.call('editor', 'POST /media', Buffer.from('Some file'), wide);
    const hash = site.node.store.reader.of(media).nextHash('') ?? '';
    const path = keptPath(site, hash);
    await site.restart(() => rmSync(path));
    site.node.start();
    await eventually(() => expect(site.node.integrity.found.files).toBe(1));
  });
});
