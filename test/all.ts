// Runs all parts of the tests, each whether or not another failed. The exit code is 1 if any failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const npm = (script: string) => ['npm', 'run', '-s', script] as const;
const failed: string[] = [];

async function run(name: string, [command, ...args]: readonly [string, ...string[]]): Promise<void> {
  console.log(`\n${name}`);
  const [code] = await once(spawn(command, args, { cwd: root, stdio: 'inherit' }), 'exit');
  if (code !== 0) failed.push(name);
}

/** Starts a part whose output is shown when `show` is called: it mostly waits for its own server. */
function begin(name: string, [command, ...args]: readonly [string, ...string[]]): { show(): Promise<void> } {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = Promise.all([once(child, 'exit'), text(child.stdout)]);
  return {
    async show() {
      const [[code], output] = await ended;
      console.log(`\n${name}\n${output}`);
      if (code !== 0) failed.push(name);
    },
  };
}

console.log(`Node ${process.version}`);
await run('types', npm('typecheck'));
await run('lint', npm('lint'));
const conformance = begin('conformance', npm('conformance'));
await run('tests', npm('unit'));
await conformance.show();
console.log(
  'not run: files *.long.test.ts (npm run test:long) and those that need containers (npm run test:containers)',
);
console.log(failed.length === 0 ? 'all parts passed' : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
