import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runVerb } from '../support/verbs.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cli = (args: readonly string[], more?: Record<string, string>) => runVerb(folder, args, more);

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
    expect(err).toMatch(/ \(invalid_username\)\n$/);
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

  it.each([['start'], ['help', 'start'], ['-h', 'start']])('explains start without starting: %j', async (...words) => {
    const typed = words[0] === 'start' ? ['start', '--help'] : words;
    const { status, out, err } = await cli(typed);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    for (const name of ['DATA_DIR', 'PORT', 'SITE_URL', 'MEDIA_URL', 'BACKUP_TO']) expect(out).toMatch(`\n${name} `);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses what start does not take, and names the setting that may be meant', async () => {
    const { status, out, err } = await cli(['start', '--port', '9333']);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^Unknown argument '--port'; PORT is a setting/);
    expect((await cli(['start', 'now'])).status).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('exits with 2 on an unknown command', async () => {
    expect((await cli(['user', 'remove', 'ada'])).status).toBe(2);
  });
});
