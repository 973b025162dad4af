// Runs the test files that have properties, with multiplied runs: `npm run properties -- 200 test/text test/domain`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { importsOf, sources } from '../architecture/sources.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const usual = 50;

process.exitCode = await main(process.argv.slice(2));

async function main([first = '', ...others]: readonly string[]): Promise<number> {
  const given = Number(first) > 0;
  const factor = given ? Number(first) : usual;
  const args = given ? others : [first, ...others];
  const under = args.filter((arg) => arg !== '' && !arg.startsWith('-'));
  const files = withProperties().filter((file) => under.length === 0 || under.some((part) => file.includes(part)));
  if (files.length === 0) {
    console.error('No test with a property is there.');
    return 2;
  }
  const options = ['--test-timeout=0', ...args.filter((arg) => arg.startsWith('-'))];
  console.log(`${files.length} files, ${factor} times the runs of each property`);
  const vitest = spawn('npx', ['vitest', 'run', ...files, ...options], {
    cwd: root,
    env: { ...process.env, PROPERTIES_FACTOR: String(factor) },
    stdio: 'inherit',
  });
  const [code] = await once(vitest, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** Tests that have properties, or import them from a contract or a list of cases. */
function withProperties(): string[] {
  const files = [...sources('test/'), ...sources('packages/')];
  const imports = new Map(files.map((file) => [file.path, importsOf(file).map(({ to }) => to)]));
  const having = new Set(
    files.filter(({ code }) => /\bfc\.(assert|check|sample)\(/.test(code)).map(({ path }) => path),
  );
  const has = (path: string, seen = new Set<string>()): boolean => {
    if (having.has(path)) return true;
    seen.add(path);
    return (imports.get(path) ?? []).some(
      (to) => /[.-](contract|cases)\.ts$/.test(to) && !seen.has(to) && has(to, seen),
    );
  };
  return files.map(({ path }) => path).filter((path) => path.endsWith('.test.ts') && has(path));
}
