// Runs the tests beside what has changed since a commit, by default the last one: `npm run test:changed -- main`.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [since = 'HEAD'] = process.argv.slice(2);

process.exitCode = await main();

async function main(): Promise<number> {
  const files = changed();
  const tests = [...new Set(files.flatMap(testsOf))];
  const checked = files.filter((file) => /\.(?:ts|json)$/.test(file) && existsSync(join(root, file)));
  const parts: (readonly [string, ...string[]])[] = [
    // A wrong type explains the tests that fail by it, so nothing runs after it.
    [process.execPath, 'node_modules/typescript-7/bin/tsc'],
    ...(checked.length === 0
      ? []
      : [['node_modules/.bin/biome', 'check', '--no-errors-on-unmatched', ...checked] as const]),
    ['node_modules/.bin/vitest', 'run', '--bail', '10', 'test/architecture', ...tests],
  ];
  for (const [command, ...args] of parts) {
    const [code] = await once(spawn(command, args, { cwd: root, stdio: 'inherit' }), 'exit');
    if (code !== 0) return Number(code ?? 1);
  }
  return 0;
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
