import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../support/server.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

const environment = (more: Record<string, string>) => ({
  PATH: process.env['PATH'],
  DATA_DIR: folder,
  PORT: '0',
  ...more,
});

function cli(args: readonly string[], more: Record<string, string> = {}): Promise<Ended> {
  const options = { cwd: root, env: environment(more) };
  return new Promise((done) => {
    const child = execFile(process.execPath, ['src/bin.js', ...args], options, (_, out, err) =>
      done({ status: child.exitCode ?? -1, out, err }),
    );
  });
}

describe('the command line without a server', () => {
  it('prints the new account as one line of JSON and nothing else', async () => {
    const { status, out, err } = await cli(['user', 'add', 'ada', '--role', 'editor', '--json']);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(out)).toEqual({ id: 1, username: 'ada', password: expect.any(String) });
  });

  it('exits with 1 and prints the code when it is refused', async () => {
    await cli(['user', 'add', 'ada', '--role', 'editor']);
    const { status, out, err } = await cli(['user', 'role', 'nobody', 'editor']);
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toMatch(/^invalid_username: /);
  });

  it.each([
    ['erase', 'entry', '1'],
    ['rebuild', '--check'],
    ['user', 'list'],
  ])('does not create a site by %s %s', async (...args) => {
    const { status, err } = await cli(args.filter((word) => word !== undefined));
    expect({ status, err }).toEqual({ status: 3, err: `there is no event log at ${join(folder, 'log.db')}\n` });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('exits with 2 on invalid settings', async () => {
    const { status, err } = await cli(['user', 'list'], { PORT: 'many' });
    expect(status).toBe(2);
    expect(err).toMatch(/^PORT is "many"; allowed: /);
  });

  it('exits with 2 on an unknown command', async () => {
    expect((await cli(['user', 'remove', 'ada'])).status).toBe(2);
  });
});

describe('the command line beside a server', () => {
  it('lets the server carry out the command', async () => {
    const server = await startServer(folder);
    try {
      const added = await cli(['user', 'add', 'ada', '--role', 'editor', '--json']);
      expect({ status: added.status, err: added.err }).toEqual({ status: 0, err: '' });
      const { out } = await cli(['user', 'list', '--json']);
      expect(JSON.parse(out)).toEqual(expect.arrayContaining([expect.objectContaining({ username: 'ada' })]));
      const again = await cli(['user', 'add', 'ada', '--role', 'editor']);
      expect(again).toMatchObject({ status: 1, err: expect.stringMatching(/^existing_user_login: /) });
    } finally {
      await server.stop();
    }
    expect(existsSync(join(folder, 'control.sock'))).toBe(false);
  });

  it('works after the server was killed, with everything it had written', async () => {
    const server = await startServer(folder);
    const { out } = await cli(['user', 'add', 'ada', '--role', 'editor', '--json']);
    await server.stop('SIGKILL');
    expect(existsSync(join(folder, 'control.sock'))).toBe(true);
    const { id } = JSON.parse(out);
    const list = await cli(['user', 'list', '--json']);
    expect(list.status).toBe(0);
    expect(JSON.parse(list.out)).toContainEqual(expect.objectContaining({ id, username: 'ada' }));
  });
});
