import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, sourcesOf } from '../../../tools/build.ts';
import { declare, publishedBy } from '../../../tools/build-types.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const own = join(root, 'packages/tlog');
const readme = readFileSync(join(own, 'README.md'), 'utf8');
const [, example = '', printed = ''] = /```js\n(.*?)```\n\nprints\n\n```\n(.*?)```/s.exec(readme) ?? [];

const place = mkdtempSync(join(tmpdir(), 'tlog-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

function emptyFolder(name: string): string {
  const path = join(place, name);
  mkdirSync(path);
  return path;
}

let folder = '';
let packed: readonly string[] = [];

beforeAll(async () => {
  const [stage, packs] = [emptyFolder('stage'), emptyFolder('packs')];
  for (const name of ['package.json', 'README.md', 'LICENSE']) cpSync(join(own, name), join(stage, name));
  build(join(stage, 'dist'), sourcesOf('packages/tlog'));
  declare(join(stage, 'dist'), publishedBy('packages/tlog'));
  const options = ['--json', '--ignore-scripts', '--pack-destination', packs];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: stage });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  packed = files.map(({ path }) => path);
  folder = emptyFolder('folder');
  await run('npm', ['install', '--offline', join(packs, filename)], { cwd: folder });
});

describe('the package', () => {
  it('contains its modules with their types, a guide and a licence, and nothing else', () => {
    const modules = publishedBy('packages/tlog').entries.map((name) => name.replace('.ts', ''));
    const built = modules.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]);
    expect([...packed].sort()).toEqual([...built, 'LICENSE', 'README.md', 'package.json'].sort());
  });

  it('runs the example of its guide in an empty folder', async () => {
    writeFileSync(join(folder, 'example.mjs'), example);
    const { stdout } = await run(process.execPath, ['example.mjs'], { cwd: folder });
    expect(stdout).toBe(printed);
    expect(printed).not.toBe('');
  });

  it('has an entry and types for each of its modules, as its guide says', async () => {
    const named = [...readme.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name = '']) => name);
    const modules = publishedBy('packages/tlog').entries.map((name) => name.replace('.ts', ''));
    expect([...named, 'index'].sort()).toEqual([...modules].sort());
    const lines = named.map((name, i) => `import * as m${i} from 'palimpsest-tlog/${name}';\nm${i};`);
    const wrong = `import { rootOf } from 'palimpsest-tlog';\nexport const root: string = rootOf(0, { hash: () => new Uint8Array() });`;
    writeFileSync(join(folder, 'use.ts'), `${lines.join('\n')}\n${wrong}\n`);
    const compilerOptions = { module: 'nodenext', target: 'es2024', noEmit: true, strict: true, types: ['node'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types']) {
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    }
    const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', '.'], { cwd: folder }).catch((error) => error);
    expect(stdout).toMatch(/^use\.ts\(\d+,14\): error TS2322: .*\n$/);
  });
});
