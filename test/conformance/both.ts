// Replays all scenarios twice at the same time: with the usual names of the interface, and with different ones.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const start = fileURLToPath(new URL('start.ts', import.meta.url));

const usual = spawn(process.execPath, [start], { stdio: 'inherit' });
const renamed = spawn(process.execPath, [start, '--renamed', '--skip', 'clock'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [told, ...ends] = await Promise.all([text(renamed.stdout), once(usual, 'exit'), once(renamed, 'exit')]);
console.log(`\nwith other names:\n${told}`);
process.exitCode = ends.every(([code]) => code === 0) ? 0 : 1;
