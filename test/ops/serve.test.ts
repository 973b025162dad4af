import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const program = join(import.meta.dirname, '../../src/bin.js');

describe('a server’s first start', () => {
  it('is ready only after it has printed the first password', async () => {
    const directory = temporaryDirectory();
    const port = await freePort();
    const printed = join(directory, 'printed');
    const env = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'silent' };
    const server = spawn(process.execPath, [program, 'start'], {
      env,
      stdio: ['ignore', openSync(printed, 'w'), 'inherit'],
    });
    const gone = once(server, 'exit');
    onTestFinished(async () => {
      server.kill();
      await gone;
    });
    const answers = new Set<string>();
    for (let status = 0; status !== 200 && server.exitCode === null; await wait(5)) {
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

it('a start prints an IPv6 address as one in a URL, and names a variable that looks like a setting', async () => {
  const env = { HOST: '::1', PORT: '0', DATA_DIR: temporaryDirectory(), LOG_LEVEL: 'warn', SITE_NAMME: 'A site' };
  const server = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(server, 'exit');
  let output = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  while (!output.includes('listens on') && server.exitCode === null) await wait(5);
  server.kill();
  await gone;
  expect(output).toMatch(/listens on http:\/\/\[::1\]:\d+\n/);
  expect(output).toContain('SITE_NAMME is no setting; is SITE_NAME meant?');
});
