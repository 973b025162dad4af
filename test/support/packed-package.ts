import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, sourcesOf } from '../../tools/build.ts';
import { declare, publishedBy } from '../../tools/build-types.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** A package of the folder `packages`, packed and installed in an empty folder. */
export interface InstalledPackage {
  /** Files in the packed package. */
  readonly packed: readonly string[];
  /** Its modules, by the path under which they are imported. */
  readonly modules: readonly string[];
  readonly readme: string;
  /** Runs the example of its guide with these arguments; what the guide says that it prints is `printed`. */
  runExample(args?: readonly string[]): Promise<{ readonly stdout: string; readonly printed: string }>;
  /** What the compiler says about TypeScript that uses the package. */
  checkTypes(code: string): Promise<string>;
}

export async function installPacked(name: string, place: string): Promise<InstalledPackage> {
  const own = join(root, 'packages', name);
  const [stage, packs, folder] = ['stage', 'packs', 'folder'].map((part) => join(place, part)) as [
    string,
    string,
    string,
  ];
  for (const path of [stage, packs, folder]) mkdirSync(path);
  for (const file of ['package.json', 'README.md', 'LICENSE']) cpSync(join(own, file), join(stage, file));
  build(join(stage, 'dist'), sourcesOf(`packages/${name}`));
  declare(join(stage, 'dist'), publishedBy(`packages/${name}`));
  const options = ['--json', '--ignore-scripts', '--pack-destination', packs];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: stage });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  await run('npm', ['install', '--offline', join(packs, filename)], { cwd: folder });
  const readme = readFileSync(join(own, 'README.md'), 'utf8');
  return {
    packed: files.map(({ path }) => path),
    modules: publishedBy(`packages/${name}`).entries.map((file) => file.replace('.ts', '')),
    readme,
    runExample: async (args = []) => {
      const [, example = '', printed = ''] = /```js\n(.*?)```\n\nprints\n\n```\n(.*?)```/s.exec(readme) ?? [];
      writeFileSync(join(folder, 'example.mjs'), example);
      return { printed, ...(await run(process.execPath, ['example.mjs', ...args], { cwd: folder })) };
    },
    checkTypes: (code) => checkTypes(code, folder),
  };
}

async function checkTypes(code: string, folder: string): Promise<string> {
  writeFileSync(join(folder, 'use.ts'), code);
  const compilerOptions = { module: 'nodenext', target: 'es2024', noEmit: true, strict: true, types: ['node'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', '.'], { cwd: folder }).catch((error) => error);
  return stdout;
}
