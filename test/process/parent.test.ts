import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const parent = pathToFileURL(`${import.meta.dirname}/../../src/process/child.ts`).href;
const script = `
import { tellParent } from '${parent}';
const staying = setInterval(() => undefined, 1000);
process.once('disconnect', () => {
  tellParent({ n: 2 });
  clearInterval(staying);
  setTimeout(() => console.log('still here'), 20);
});
tellParent({ n: 1 });
`;

it('a child process whose parent is gone runs to its own end', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = Promise.all([once(child, 'exit'), text(child.stdout as Readable), text(child.stderr as Readable)]);
  const [message] = await once(child, 'message');
  child.disconnect();
  const [[code], said, complained] = await ended;
  expect([message, code, said, complained]).toEqual([{ n: 1 }, 0, 'still here\n', '']);
});
