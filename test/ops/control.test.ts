import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogInUse } from '#eventstore/port.ts';
import { callControl, controlPath, listenControl } from '#ops/control.ts';
import type { Perform } from '#ops/perform.ts';

const echo: Perform = async (verb, args) => ({ kind: 'done', value: { verb, args } });

let folder = '';
let path = '';
let closing: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'control-'));
  path = controlPath(folder);
});

afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
  rmSync(folder, { recursive: true, force: true });
});

async function listen(perform: Perform = echo) {
  const control = await listenControl(path, perform);
  closing.push(() => control.close());
  return control;
}

/** Leaves a socket file whose server was killed. */
async function leaveStaleSocket(): Promise<void> {
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('the control socket', () => {
  it('answers a command with its outcome', async () => {
    await listen();
    const value = { verb: 'user add', args: { login: 'ada', name: 'Ada “Æ” 🙂\nLovelace' } };
    expect(await callControl(path, value.verb, value.args)).toEqual({ kind: 'done', value });
  });

  it('returns refusals with their code', async () => {
    const refused = { kind: 'refused', code: 'existing_user_login', message: 'There is one.' } as const;
    await listen(async () => refused);
    expect(await callControl(path, 'user add', {})).toEqual(refused);
  });

  it('takes answers of any length', async () => {
    const value = Array.from({ length: 20_000 }, (_, id) => ({
      id,
      login: `user-${id}`,
      email: `${id}@users.example.org`,
    }));
    await listen(async () => ({ kind: 'done', value }));
    expect(await callControl(path, 'user list', {})).toEqual({ kind: 'done', value });
  });

  it('accepts arguments that span many packets', async () => {
    await listen();
    const args = { name: 'ä'.repeat(400_000) };
    expect(await callControl(path, 'x', args)).toEqual({ kind: 'done', value: { verb: 'x', args } });
  });

  it('accepts arguments of 20 MB, and says so where they are too long', async () => {
    await listen(async (_, args) => ({ kind: 'done', value: (args as { text: string }).text.length }));
    const text = '“\n'.repeat(10 * 2 ** 20);
    expect(await callControl(path, 'x', { text })).toEqual({ kind: 'done', value: text.length });
    expect(await callControl(path, 'x', { text: text.repeat(3) })).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('stop it, and do this without it'),
    });
  });

  it('serves several callers at once', async () => {
    await listen();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => callControl(path, `verb ${i}`, {})));
    expect(answers).toEqual(
      Array.from({ length: 20 }, (_, i) => ({ kind: 'done', value: { verb: `verb ${i}`, args: {} } })),
    );
  });

  it('can be opened by its owner only', async () => {
    await listen();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('gives callers null when there is no socket', async () => {
    expect(await callControl(path, 'x', {})).toBeNull();
  });

  it('gives callers null when a killed server left its socket', async () => {
    await leaveStaleSocket();
    expect(existsSync(path)).toBe(true);
    expect(await callControl(path, 'x', {})).toBeNull();
  });

  it('is replaced when a killed server left one', async () => {
    await leaveStaleSocket();
    await listen();
    expect(await callControl(path, 'x', {})).toMatchObject({ kind: 'done' });
  });

  it('is not taken over from a live server', async () => {
    await listen();
    await expect(listenControl(path, echo)).rejects.toThrow(LogInUse);
    expect(await callControl(path, 'x', {})).toMatchObject({ kind: 'done' });
  });

  it('is removed when it is closed', async () => {
    const control = await listen();
    await control.close();
    closing = [];
    expect(existsSync(path)).toBe(false);
  });

  it('finishes the running command before it closes, and drops silent callers', async () => {
    const work = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const control = await listen(async () => {
      begun.resolve();
      await work.promise;
      return { kind: 'done', value: 'late' };
    });
    const silent = connect(path);
    await once(silent, 'connect');
    const answer = callControl(path, 'x', {});
    await begun.promise;
    const closed = control.close();
    closing = [];
    work.resolve();
    expect(await answer).toEqual({ kind: 'done', value: 'late' });
    await closed;
    silent.destroy();
  });

  it.each(['{', '[]', '{"args":{}}', '"verb"'])('rejects the line %s as wrong usage', async (line) => {
    await listen();
    const socket = connect(path);
    socket.end(`${line}\n`);
    expect(JSON.parse(await text(socket))).toMatchObject({ kind: 'usage' });
  });

  it('survives callers that disconnect within a line', async () => {
    await listen();
    const socket = connect(path);
    socket.write('{"verb":');
    await once(socket, 'connect');
    socket.destroy();
    expect(await callControl(path, 'x', {})).toMatchObject({ kind: 'done' });
  });

  it('tells the caller when the server dies before it answers', async () => {
    const script = `require('node:net').createServer((s) => s.on('data', () => process.kill(process.pid, 'SIGKILL')))
      .listen(${JSON.stringify(path)}, () => console.log('up'))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    expect(await callControl(path, 'x', {})).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('look whether'),
    });
  });
});
