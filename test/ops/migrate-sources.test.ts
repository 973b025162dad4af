import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockDirectory } from '#eventstore/lock.ts';
import { filesWith } from '../node/erasure/support.ts';
import { emptyTarget, listenFor, liveSource, startReached } from '../support/moved-sites.ts';
import { allAnswers } from '../support/site-answers.ts';
import { aComment, aFile, anAuthor, anItem, aSite, folderOf, sourceUrl } from '../support/source-records.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { pngOf } from '../support/uploads.ts';
import { runVerb, typeVerb } from '../support/verbs.ts';

type Row = Readonly<Record<string, unknown>>;

const png = Buffer.from(pngOf(300, 200));

/** Answers to every path with a text. */
async function serving(text: string | Buffer, type: string): Promise<string> {
  const server = createServer((_, answer) => answer.writeHead(200, { 'content-type': type }).end(text));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a source that cannot be read', () => {
  it('is refused with a code and what to do, and nothing is written', async () => {
    const target = await emptyTarget();
    const folder = temporaryDirectory();
    const file = (name: string, text: string | Buffer) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const [plain, json] = [await serving('<p>Hello', 'text/html'), await serving('{"a":1}', 'application/json')];
    const source = await startReached();
    liveSource(source);
    process.env['MIGRATE_PASSWORD'] = 'wrong wrong wrong';
    const before = stateOf(target.directory);
    const cases: [args: string[], status: number, code: RegExp][] = [
      [[plain], 1, /\(not_an_interface\)$/],
      [[json], 1, /\(not_an_interface\)$/],
      [[source.address, '--user', 'administrator'], 1, /\(password_refused\)$/],
      [[join(folder, 'none.xml')], 2, /there is no file or folder .*none\.xml/],
      [[file('empty.xml', '')], 1, /\(empty_file\)$/],
      [[file('page.xml', '<html><body>Sign in')], 1, /\(web_page\)$/],
      [[file('picture.xml', png)], 1, /\(\w+\)$/],
      [[], 2, /<source> is missing/],
    ];
    for (const [args, status, code] of cases) {
      for (const verb of ['plan', 'run', 'verify']) {
        const ended = await target.type('migrate', verb, ...args);
        expect([args, verb, ended.status, ended.err.split('\n')[0]]).toEqual([
          args,
          verb,
          status,
          expect.stringMatching(code),
        ]);
      }
    }
    const gone = await target.type('migrate', 'plan', 'http://127.0.0.1:9');
    expect([gone.status, gone.err]).toEqual([1, expect.stringContaining('(source_unreachable)')]);
    expect(stateOf(target.directory)).toEqual(before);
    const undone = await target.type('migrate', 'undo', 'http://127.0.0.1:9');
    expect([undone.status, undone.err]).toEqual([1, expect.stringContaining('(nothing_imported)')]);
    const verified = await target.type('migrate', 'verify', await folderOf([aSite()]));
    expect([verified.status, verified.err]).toEqual([1, expect.stringContaining('(nothing_imported)')]);
  });
});

/** Files of a data directory with their bytes, but for what reading alone changes. */
function stateOf(directory: string): Readonly<Record<string, string>> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(
      (one) => one.isFile() && /^log\.db$|^media/.test(join(one.parentPath, one.name).slice(directory.length + 1)),
    )
    .map((one) => join(one.parentPath, one.name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(name).toString('base64')]));
}

const small = [
  aSite({ title: 'Old <script>alert(1)</script> site' }),
  anAuthor({ id: 3, login: 'ada', displayName: '<img src=x onerror=alert(2)>' }),
  anAuthor({ id: 4, login: 'bede' }),
  anItem({ id: 20, slug: 'one', link: `${sourceUrl}/2019/03/one/`, title: '<script>alert(3)</script>' }),
  anItem({ id: 21, slug: 'two', author: { id: 4, name: 'bede' }, meta: [{ key: '_x', value: '<b>unread</b>' }] }),
  aFile(22, '2019/03/leaf.png', { slug: 'leaf' }),
  aComment({ id: 7, of: 20 }),
];

describe('an import', () => {
  it('keeps files inside the folder of uploads, whatever path the source names', async () => {
    const { type } = await emptyTarget();
    const beside = temporaryDirectory();
    const [media, file] = [join(beside, 'a', 'b', 'media'), join(beside, 'site.xml')];
    const server = await serving(png, 'image/png');
    const path = '../../../leaf.png';
    const item = `<item><title>Leaf</title><wp:post_id>5</wp:post_id><wp:post_type>attachment</wp:post_type>
      <wp:status>inherit</wp:status><wp:attachment_url>${server}/leaf.png</wp:attachment_url>
      <wp:postmeta><wp:meta_key>_wp_attached_file</wp:meta_key><wp:meta_value>${path}</wp:meta_value></wp:postmeta></item>`;
    const space = 'xmlns:wp="http://wordpress.org/export/1.2/"';
    writeFileSync(
      file,
      `<rss version="2.0" ${space}><channel><wp:wxr_version>1.2</wp:wxr_version>\n${item}\n</channel></rss>`,
    );
    const ran = await type('migrate', 'run', file, '--host', new URL(server).host);
    expect(ran.out).toContain('0 not imported');
    await type('export', '--wxr', join(beside, 'out.xml'), '--media', media);
    const written = readdirSync(beside, { recursive: true }).map(String);
    expect(written.filter((name) => name.endsWith('.png'))).toEqual([expect.stringMatching(/^a\/b\/media\//)]);
  });

  it('waits for no other: while one runs, a second is refused and disturbs nothing', async () => {
    const { directory, type } = await emptyTarget();
    const folder = await folderOf(small, png);
    const unlock = lockDirectory(join(directory, 'migrating'));
    const before = stateOf(directory);
    expect((await type('migrate', 'run', folder)).err).toContain('(migration_running)');
    expect(stateOf(directory)).toEqual(before);
    unlock();
    expect((await type('migrate', 'run', folder)).status).toBe(0);
  });
});

describe('a plan', () => {
  it('says what comes and writes nothing, beside a server and without one', async () => {
    const folder = await folderOf(small, png);
    const target = await emptyTarget();
    const before = stateOf(target.directory);
    const plan = await target.type('migrate', 'plan', folder, '--json');
    expect(plan).toMatchObject({ status: 0, err: '' });
    expect(JSON.parse(plan.out)).toMatchObject({
      what: 'plan',
      counts: { post: { comes: 2 }, attachment: { comes: 1 }, comment: { comes: 1 }, author: { comes: 2 } },
    });
    expect(stateOf(target.directory)).toEqual(before);
    const used = await startReached();
    await listenFor(used.site);
    const position = used.site.position();
    expect(await typeVerb(used.site.directory, ['migrate', 'plan', folder])).toMatchObject({ status: 0 });
    expect(used.site.position()).toBe(position);
  });
});

describe('a report', () => {
  it('shows texts of the source as texts, and is signed after a comparison', async () => {
    const folder = await folderOf(small, png);
    const target = await emptyTarget();
    const file = join(temporaryDirectory(), 'report.html');
    for (const verb of ['plan', 'run', 'verify']) {
      expect(await target.type('migrate', verb, folder, '--html', file)).toMatchObject({ status: 0 });
      const page = readFileSync(file, 'utf8');
      expect(page).toContain('Old &lt;script&gt;alert(1)&lt;/script&gt; site');
      expect(page.match(/<(?:script|img|b)\b[^>]*>/g)).toEqual(['<script type="application/json" id="report">']);
      expect(page.includes('<h2>Noted and signed</h2>')).toBe(verb === 'verify');
    }
    expect(readFileSync(file, 'utf8')).toContain('0 differences');
  });
});

describe('an address of the old site', () => {
  it('leads to where the item or the file is now', async () => {
    const folder = await folderOf(small, png);
    const target = await emptyTarget();
    expect(await target.type('migrate', 'run', folder)).toMatchObject({ status: 0 });
    const { site, address } = await startReached(target);
    const ask = async (path: string) => {
      const { status, headers } = await fetch(`http://127.0.0.1:${site.port}${path}`, { redirect: 'manual' });
      return [status, headers.get('location')];
    };
    expect(await ask('/2019/03/one/')).toEqual([301, `${address}/one/`]);
    expect(await ask('/2019/03/ONE')).toEqual([301, `${address}/one/`]);
    expect(await ask('/wp-content/uploads/2019/03/leaf.png')).toEqual([301, `${address}/uploads/2019/03/leaf.png`]);
    expect(await ask('/2019/03/none/')).toEqual([404, null]);
    expect((await ask('/uploads/2019/03/leaf.png'))[0]).toBe(200);
  });
});

/** A folder as generators of sites have it. */
function plainFolder(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporaryDirectory();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

describe('a folder of a generator', () => {
  const dated = (day: number, more = '') => `---\ndate: 2024-01-0${day}\n${more}---\n`;
  const texts = (at: string) => ({
    [`${at}posts/one.md`]: `${dated(1, 'aliases: [/old/one.html]\n')}![s](/images/s%20(1).png) [two](/posts/two/) [two](two.md#x) [up](/about/)`,
    [`${at}posts/two.md`]: `${dated(2)}<img src="/images/s%20(1).png"> [doc](/doc.txt)\n\n| a |\n|--:|\n| 1 |\n\nNote[^1]\n\n[^1]: [One](one.md)`,
    [`${at}about.md`]: `${dated(3)}[one](posts/one.md) and [nothing](none.md)`,
    'static/images/s (1).png': png,
    'static/doc.txt': 'A document',
  });
  const folders = [
    ['Hugo with an address', { 'hugo.toml': 'baseURL = "https://old.example/b"', ...texts('content/') }, '/b', 1],
    ['Hugo without one', { 'hugo.toml': 'title = "Kites"', ...texts('content/') }, '', 1],
    ['none that is known', texts(''), '', 1],
  ] as const;
  it.each(folders)(
    'has links that lead to what is here, and old addresses that do: %s',
    async (_, files, root, lost) => {
      const folder = plainFolder(files);
      const target = await emptyTarget();
      const run = await target.type('migrate', 'run', folder, '--json');
      expect(run).toMatchObject({ status: 0, err: '' });
      const { changes, notices } = JSON.parse(run.out);
      expect(changes).toEqual([]);
      expect(notices.map(({ code }: Row) => code)).toEqual(Array(lost).fill('leads_nowhere'));
      expect(await target.type('migrate', 'verify', folder)).toMatchObject({ status: 0 });
      const again = JSON.parse((await target.type('migrate', 'run', folder, '--json')).out);
      expect(again.counts.post).toEqual({ same: 2 });
      const { site, address } = await startReached(target);
      const ask = async (path: string) => {
        const answer = await fetch(`http://127.0.0.1:${site.port}${path}`, { redirect: 'manual' });
        await answer.arrayBuffer();
        return [answer.status, answer.headers.get('location')?.replace(address, '')];
      };
      const all = await allAnswers({ site, address, names: { root: 'cms-json', namespaces: {} } });
      const pages = [...(all['/posts?status=any,trash'] as Row[]), ...(all['/pages?status=any,trash'] as Row[])];
      const shown = pages.map(({ content }) => (content as Row)['rendered']).join('\n');
      const found = [...shown.matchAll(/\s(?:src|href)="([^"#]+)[^"]*"/g)];
      const paths = found.map(([, one = '']) => one.replace('http://site.example', ''));
      expect(paths).toHaveLength(9);
      const asked = await Promise.all(paths.map(async (one) => [one, (await ask(one))[0]] as const));
      expect(asked.filter(([, status]) => status !== 200).map(([one]) => one)).toEqual(['/about/none.md']);
      expect(shown).toContain('data-align="right"');
      expect(await ask(`${root}/images/s%20(1).png`)).toEqual([301, '/uploads/images/s-1.png']);
      expect(await ask(`${root}/doc.txt`)).toEqual([301, paths.find((one) => one.endsWith('/doc.txt'))]);
      expect(await ask(`${root}/posts/two/`)).toEqual([301, '/two/']);
      expect(await ask(`${root}/old/one.html`)).toEqual([301, '/one/']);
    },
  );
});

describe('authors of a source', () => {
  it('become the accounts that a file names; others are made without a password', async () => {
    const folder = await folderOf(small, png);
    const target = await emptyTarget('hilda');
    const csv = join(temporaryDirectory(), 'authors.csv');
    writeFileSync(csv, '\ufeff"ada", hilda\r\n\r\n');
    expect(await target.type('migrate', 'run', folder, '--authors', csv)).toMatchObject({ status: 0 });
    expect(await target.type('migrate', 'verify', folder, '--authors', csv)).toMatchObject({ status: 0 });
    const users = JSON.parse((await target.type('user', 'list', '--json')).out);
    expect(users.map(({ username }: Row) => username)).toEqual(['hilda', 'bede']);
    const posts = (await allAnswers(await startReached(target)))['/posts?status=any,trash'] as Row[];
    expect(posts.map(({ author }) => author)).toEqual([1, users[1].id]);
    for (const [text, said] of [
      ['ada', 'is not a login at the source, a comma, and a login here'],
      ['ada,nobody', 'there is no account nobody here'],
    ] as const) {
      writeFileSync(csv, text);
      const ended = await (await emptyTarget('hilda')).type('migrate', 'run', folder, '--authors', csv);
      expect([ended.status === 0, ended.err]).toEqual([false, expect.stringContaining(said)]);
    }
  });
});

describe('an imported account', () => {
  it('leaves no name behind when it is erased', async () => {
    const author = { id: 30, name: 'xenophonia' };
    const folder = await folderOf([
      aSite(),
      anAuthor({ id: 30, login: 'xenophonia' }),
      anItem({ id: 20, author, terms: [] }),
      aComment({
        id: 7,
        of: 20,
        author,
        name: 'Xenophonia',
        email: 'xenophonia@old.example',
        meta: [{ key: '_x', value: 'xenophonia' }],
      }),
    ]);
    const target = await emptyTarget('hilda');
    expect(await target.type('migrate', 'run', folder, '--as', 'hilda')).toMatchObject({ status: 0, err: '' });
    const order = ['--yes', '--as', 'hilda', '--reason', 'asked-for'];
    expect(await target.type('erase', 'user', 'xenophonia', ...order)).toMatchObject({ status: 0 });
    expect(filesWith(target.directory, 'xenophonia')).toEqual([]);
    expect(await target.type('verify')).toMatchObject({ status: 0 });
  });
});

describe('follow', () => {
  it('brings changes until it is stopped', async () => {
    const source = await startReached();
    const { args, env } = liveSource(source);
    const first = await source.site.make('administrator', '/posts', { title: 'First', status: 'publish' });
    const target = await startReached();
    await listenFor(target.site);
    const stop = new AbortController();
    const ending = runVerb(target.site.directory, ['follow', ...args, '--every', '1'], env, stop.signal);
    const titles = async () =>
      ((await target.site.call('anonymous', 'GET /posts?orderby=id&order=asc')).body as Row[]).map(
        ({ title }) => (title as Row)['rendered'],
      );
    await expect.poll(titles).toEqual(['First']);
    source.site.clock.now += 60_000;
    await source.site.call('administrator', `POST /posts/${first}`, { title: 'Changed' });
    await source.site.make('administrator', '/posts', { title: 'Second', status: 'publish' });
    await expect.poll(titles).toEqual(['Changed', 'Second']);
    stop.abort();
    expect((await ending).err).toContain('2');
  });
});
