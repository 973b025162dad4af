import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../support/server.ts';
import { runVerb } from '../support/verbs.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cli = (args: readonly string[], more?: Record<string, string>) => runVerb(folder, args, more);

describe('the command line beside a server', () => {
  it('lets the server carry out the command', async () => {
    const server = await startServer(folder);
    try {
      const added = await cli(['user', 'add', 'ada', '--role', 'editor', '--json']);
      expect({ status: added.status, err: added.err }).toEqual({ status: 0, err: '' });
      const { out } = await cli(['user', 'list', '--json']);
      expect(JSON.parse(out)).toEqual(expect.arrayContaining([expect.objectContaining({ username: 'ada' })]));
      const again = await cli(['user', 'add', 'ada', '--role', 'editor']);
      expect(again).toMatchObject({ status: 1, err: expect.stringMatching(/ \(existing_user_login\)\n$/) });
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
