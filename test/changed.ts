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
  const steps = [
    ['npm', ['run', '-s', 'typecheck']],
    ...(checked.length > 0 ? ([['npx', ['biome', 'check', '--no-errors-on-unmatched', ...checked]]] as const) : []),
    ['npx', ['vitest', 'run', 'test/architecture', ...tests]],
  ] as const;
  let worst = 0;
  for (const [command, args] of steps) {
    const [code] = await once(spawn(command, args, { cwd: root, stdio: 'inherit' }), 'exit');
    worst = Math.max(worst, Number(code ?? 1));
  }
  return worst;
}

/** Files that differ from the commit, new ones included. */
function changed(): readonly string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')];
}

/** Tests of the same subject: `src/domain/entry/slug.ts` is tested in `test/domain/entry`, or in a file that begins with that name. */
function testsOf(file: string): readonly string[] {
  if (file.startsWith('test/')) return file.endsWith('.test.ts') && existsSync(join(root, file)) ? [file] : [];
  if (!file.startsWith('src/')) return [];
  const events = file.startsWith('src/domain/') ? ['test/golden.test.ts'] : [];
  for (let place = file.slice('src/'.length).replace(/\.\w+$/, ''); place !== '.'; place = dirname(place)) {
    const near = globSync([`test/${place}.test.ts`, `test/${place}.*.test.ts`, `test/${place}/**/*.test.ts`], {
      cwd: root,
    });
    if (near.length > 0) return [...events, ...near];
  }
  return events;
}
