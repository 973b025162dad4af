import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

describe('a server’s first start', () => {
  it('is ready only after it has printed the first password', async () => {
    const directory = temporaryDirectory();
    const port = await freePort();
    const printed = join(directory, 'printed');
    const env = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'silent' };
    const server = spawn(process.execPath, [main], { env, stdio: ['ignore', openSync(printed, 'w'), 'inherit'] });
    const gone = once(server, 'exit');
    onTestFinished(async () => {
      server.kill();
      await gone;
    });
    const answers = new Set<string>();
    for (let status = 0; status !== 200; await wait(5)) {
      const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
      if (response === null) continue;
      status = response.status;
      const body = await response.text();
      if (status !== 200) answers.add(JSON.parse(body).reasons[0].code);
    }
    expect(readFileSync(printed, 'utf8')).toContain('password');
    expect([...answers]).toEqual(answers.size === 0 ? [] : ['starting']);
  });
});
