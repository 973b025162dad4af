// Runs the tests beside what has changed since a commit, by default the last one: `npm run test:changed -- main`.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [since = 'HEAD'] = process.argv.slice(2);

process.exitCode = await main();

async function main(): Promise<number> {
  const files = changed();
  const tests = [...new Set(files.flatMap(testsOf))];
  const checked = files.filter((file) => /\.(?:ts|json)$/.test(file) && existsSync(join(root, file)));
  // Types are checked beside the tests: these are at first read and started by a single process.
  const types = run([process.execPath, 'node_modules/typescript-7/bin/tsc'], { output: 'pipe' });
  const codes: number[] = [];
  if (checked.length > 0) {
    codes.push((await run(['node_modules/.bin/biome', 'check', '--no-errors-on-unmatched', ...checked])).code);
  }
  codes.push((await run(['node_modules/.bin/vitest', 'run', 'test/architecture', ...tests])).code);
  const { code, told } = await types;
  process.stdout.write(told);
  return Math.max(code, ...codes);
}

async function run(
  [command, ...args]: readonly [string, ...string[]],
  { output = 'inherit' as 'inherit' | 'pipe' } = {},
) {
  const child = spawn(command, args, { cwd: root, stdio: ['inherit', output, 'inherit'] });
  const [[code], told] = await Promise.all([once(child, 'exit'), child.stdout === null ? '' : text(child.stdout)]);
  return { code: Number(code ?? 1), told };
}

/** Files that differ from the commit, new ones included. */
function changed(): readonly string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')];
}

/** Tests of the same subject: `src/domain/entry/slug.ts` is tested in `test/domain/entry`, or in a file that begins with that name. */
function testsOf(file: string): readonly string[] {
  if (/^(?:packages\/[\w-]+\/)?test\//.test(file)) {
    return file.endsWith('.test.ts') && existsSync(join(root, file)) ? [file] : [];
  }
  const [ofPackage] = /^packages\/[\w-]+\//.exec(file) ?? [];
  if (ofPackage !== undefined) return [`${ofPackage}test`];
  if (file.startsWith('plugins/')) return ['test/http/plugins', 'test/domain/plugins', 'test/golden.test.ts'];
  if (!/^(?:src|tools)\//.test(file)) return [];
  const events = file.startsWith('src/domain/') ? ['test/golden.test.ts'] : [];
  for (let place = file.replace(/^src\/|\.\w+$/g, ''); place !== '.'; place = dirname(place)) {
    const near = globSync([`test/${place}.test.ts`, `test/${place}.*.test.ts`, `test/${place}/**/*.test.ts`], {
      cwd: root,
    });
    if (near.length > 0) return [...events, ...near];
  }
  return events;
}
