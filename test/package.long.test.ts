import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { build } from '../tools/build.ts';
import { declare } from '../tools/build-types.ts';

const root = join(import.meta.dirname, '..');
const guide = readFileSync(join(root, 'docs/clients.md'), 'utf8');
const run = promisify(execFile);
const place = mkdtempSync(join(tmpdir(), 'package-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

function emptyFolder(name: string): string {
  const path = join(place, name);
  mkdirSync(path);
  return path;
}

/** A part of what `npm run types` writes. */
const interfaceTypes = `export interface paths {
  '/cms/v2/posts': { get: { parameters: { query?: { search?: string } }; responses: { 200: { content: { 'application/json': { id: number }[] } } } } };
}
`;
let folder = '';
let packed: readonly string[] = [];
const bin = () => join(folder, 'node_modules/palimpsest/dist/bin.js');
const env = { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'silent' };
const call = (...args: string[]) => run(process.execPath, [bin(), ...args], { cwd: folder, env });

/** Installs the packed file without the network, with the dependencies of the checkout. */
beforeAll(async () => {
  const [stage, packs] = [emptyFolder('stage'), emptyFolder('packs')];
  for (const name of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'docs', 'verifiers']) {
    cpSync(join(root, name), join(stage, name), { recursive: true });
  }
  build(join(stage, 'dist'));
  declare(join(stage, 'dist'));
  mkdirSync(join(stage, 'data'));
  mkdirSync(join(stage, 'dist/types'));
  writeFileSync(join(stage, 'dist/types/cms.d.ts'), interfaceTypes);
  for (const name of ['data/log.db', 'site.ndjson', 'dist/openapi.json', 'server.log'])
    writeFileSync(join(stage, name), 'x');
  const options = ['--json', '--ignore-scripts', '--offline', '--pack-destination', packs];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: stage });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  packed = files.map(({ path }) => path);
  folder = emptyFolder('site');
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'palimpsest'), { recursive: true });
  await run('tar', ['xzf', join(packs, filename), '--strip-components=1', '-C', join(modules, 'palimpsest')]);
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => !one.startsWith('.'))) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  cpSync(join(root, 'examples/guestbook'), join(folder, 'guestbook'), { recursive: true });
}, 60_000);

describe('the package', () => {
  it('contains the program and its guide, and no data of a site', () => {
    const strange = packed.filter(
      (path) =>
        !/^(dist\/.*\.(js|json)|dist\/(plugin|plugin-test|client|(?:client|domain|plugin|text)\/.*|types\/cms)\.d\.ts|docs\/.*|verifiers\/(proof\.html|verify_proof\.py)|(README|CHANGELOG)\.md|LICENSE|package\.json)$/.test(
          path,
        ),
    );
    expect(strange).toEqual([]);
    expect(packed).toEqual(
      expect.arrayContaining([
        'dist/bin.js',
        'dist/main.js',
        'docs/operations/README.md',
        'dist/types/cms.d.ts',
        'verifiers/proof.html',
      ]),
    );
    expect(packed).not.toContain('dist/openapi.json');
  });

  it('names the Node version it needs when started by an older one, installed or in a checkout', async () => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '20.11.1' });`;
    for (const entry of [bin(), join(root, 'src/bin.js')]) {
      const script = `${old} process.argv[2] = 'status'; import(${JSON.stringify(entry)});`;
      const stderr = expect.stringMatching(
        /^palimpsest: needs Node 24.12 or newer; this is Node 20.11.1. `npm install node@24` puts one/,
      );
      await expect(run(process.execPath, ['-e', script], { env })).rejects.toMatchObject({ code: 1, stderr });
    }
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const name of ['start', 'cli', 'demo']) expect(scripts[name]).toMatch(/ src\/bin\.js( |$)/);
  });

  it('prints its version, help and shell completion', async () => {
    expect((await call('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await call('help', 'user', 'add')).stdout).toContain('usage: palimpsest user add <login>');
    const script = join(folder, 'complete');
    writeFileSync(
      script,
      `${(await call('completion', 'bash')).stdout}
COMP_WORDS=(palimpsest user add --); COMP_CWORD=3; _palimpsest; echo "\${COMPREPLY[*]}"
COMP_WORDS=(palimpsest user pass); COMP_CWORD=2; _palimpsest; echo "\${COMPREPLY[*]}"`,
    );
    expect((await run('bash', [script])).stdout).toBe(
      '--role --name --email --until --json --reason --help\npassword passwords\n',
    );
  });

  it.each([
    ['plugins', 'guestbook/plugin.ts', []],
    ['tests of plugins', 'guestbook/guestbook.test.ts', ['node']],
  ])('includes the types that %s are checked with', async (_, file, types) => {
    const compilerOptions = { module: 'nodenext', target: 'es2024', noEmit: true, types };
    const options = {
      ...compilerOptions,
      strict: true,
      exactOptionalPropertyTypes: true,
      allowImportingTsExtensions: true,
    };
    const words = `import { book } from './guestbook/book.ts';\nexport const words: number = book.empty.entries[0]?.words;\n`;
    writeFileSync(join(folder, 'wrong.ts'), words);
    const files = [file, 'wrong.ts'];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
    const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', '.'], { cwd: folder }).catch((error) => error);
    expect(stdout).toMatch(/^wrong\.ts\(2,14\): error TS2322: .*\n$/);
  });

  it('includes the client, as JavaScript, with its types and those of the interface', async () => {
    const use = `import { CmsError, createClient, type paths } from 'palimpsest/client';
const cms = createClient<paths>('http://127.0.0.1:9/cms-json', { retries: 0 });
export const found = await cms.get('/cms/v2/posts', { query: { search: 'x' } }).catch((error) => error);
console.log(found instanceof CmsError && found.code);
`;
    writeFileSync(join(folder, 'use.mts'), `${use}await cms.get('/cms/v2/novels');\n`);
    const compilerOptions = { module: 'nodenext', target: 'es2024', noEmit: true, types: [], strict: true };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.mts'] }));
    const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', '.'], { cwd: folder }).catch((error) => error);
    expect(stdout).toMatch(/^use\.mts\(5,15\): error TS2345: .*\n$/);
    writeFileSync(join(folder, 'use.mts'), use);
    expect((await run(process.execPath, ['use.mts'], { cwd: folder })).stdout).toBe('no_answer\n');
  });

  it('runs the tests of a plugin', async () => {
    const { stdout } = await run(process.execPath, ['--test', 'guestbook/guestbook.test.ts'], { cwd: folder, env });
    expect(stdout).toMatch(/pass 4\n/);
  });

  it('starts in an empty folder, with a plugin beside it, and serves the tour', async () => {
    const server = spawn(process.execPath, [bin(), 'start'], {
      cwd: folder,
      env: { ...env, PLUGINS: './guestbook' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const gone = once(server, 'exit');
    onTestFinished(async () => {
      server.kill();
      await gone;
    });
    const { root: address, password } = await greeting(server.stdout);
    const api = async (
      request: string,
      { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
    ) => {
      const [method = '', path] = request.split(' ');
      const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const all = { authorization, 'content-type': 'application/json', ...headers };
      const answer = await fetch(`${address}cms/v2${path}`, { method, headers: all, ...sent });
      return { status: answer.status, headers: answer.headers, json: (await answer.json()) as Answer };
    };
    const entries = await fetch(`${address}guestbook/v1/entries`);
    expect(await entries.json()).toEqual([]);
    const { json: post } = await api('POST /posts', { body: { title: 'First words', content: 'In the beginning' } });
    await api(`POST /posts/${post.id}`, { body: { status: 'publish' } });
    const tag = (await api(`GET /posts/${post.id}`)).headers.get('etag') ?? '';
    const headers = { 'if-match': tag };
    expect((await api(`POST /posts/${post.id}`, { body: { title: 'Second thoughts' }, headers })).status).toBe(200);
    expect((await api(`POST /posts/${post.id}`, { body: { title: 'Lost update' }, headers })).status).toBe(412);
    expect((await api('GET /posts?search=thought')).json).toHaveLength(1);
    const position = Number(
      (await api(`POST /posts/${post.id}`, { body: { content: 'Revised' } })).headers.get('x-cms-position'),
    );
    const then = await api(`GET /posts/${post.id}?as_of=${position - 1}`);
    expect(then.json.content.rendered).toContain('In the beginning');
    // The example for authors of clients; its last line would not end.
    const [, example = ''] = /## The client.*?```js\n(.*?)\n[^\n]*cms\.changes[^\n]*\n```/s.exec(guide) ?? [];
    const named = example.replace('http://localhost:8080/cms-json', address).replace('application password', password);
    writeFileSync(join(folder, 'client.mjs'), named);
    const { stdout } = await run(process.execPath, ['client.mjs'], { cwd: folder });
    expect(stdout).toMatch(/^at position \d+\n1 Second thoughts, again\n$/);
    expect((await call('status', '--json')).stdout).toContain('"heldBy":"server"');
    expect((await call('verify', '--json')).stdout).toContain('"ok"');
    expect((await call('rebuild', '--check')).stdout).toContain('The live rows were those of the log');
  });
});

interface Answer {
  readonly id: number;
  readonly content: { readonly rendered: string };
}

/** Reads the root and the password from the output of the first start. */
async function greeting(output: NodeJS.ReadableStream): Promise<{ root: string; password: string }> {
  let text = '';
  for await (const piece of output) {
    text += String(piece);
    const [, address] = /interface +(\S+)/.exec(text) ?? [];
    const [, password] = /password +(\S.*?) {3}/.exec(text) ?? [];
    if (address !== undefined && password !== undefined) return { root: address, password };
  }
  throw new Error(`no greeting: ${text}`);
}
