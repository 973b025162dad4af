// Runs all parts of the tests, each whether or not another failed. The exit code is 1 if any failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const parts = [
  ['types', 'npm', 'run', '-s', 'typecheck'],
  ['lint', 'npm', 'run', '-s', 'lint'],
  ['tests', 'npm', 'run', '-s', 'unit'],
  ['conformance', process.execPath, 'test/conformance/both.ts'],
] as const;

const failed: string[] = [];
for (const [name, command, ...args] of parts) {
  console.log(`\n${name}`);
  const [code] = await once(spawn(command, args, { cwd: root, stdio: 'inherit' }), 'exit');
  if (code !== 0) failed.push(name);
}
console.log(
  `\nnot run: files *.long.test.ts (npm run test:long) and those that need containers (npm run test:containers)`,
);
console.log(failed.length === 0 ? 'all parts passed' : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
