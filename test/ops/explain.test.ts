import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '#config.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import { LogUnavailable } from '#eventstore/port.ts';
import { exitStatus, explain, requireFolder } from '#ops/explain.ts';
import { userVerbs } from '#ops/user.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const fault = (code: string, more: object) => Object.assign(new Error(`${code}: raw words`), { code, ...more });

describe('explaining why a start failed', () => {
  it('names the setting to change for a port in use', async () => {
    const first = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => first.once('listening', done));
    const address = first.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const error = await new Promise((done) => createServer().listen(port, '127.0.0.1').once('error', done));
    first.close();
    expect(explain(error)).toBe(`Port ${port} is taken; set PORT to another one (0 for a free one)`);
  });

  it('names the setting to change for a data directory that is a file, or lies in one', () => {
    const file = join(temporaryDirectory(), 'data');
    writeFileSync(file, '');
    expect(() => requireFolder(file)).toThrow(`${file} is a file, not a folder; set DATA_DIR`);
    const error = (() => {
      try {
        return mkdirSync(join(file, 'below'), { recursive: true });
      } catch (caught) {
        return caught;
      }
    })();
    expect(explain(error)).toMatch(/is a file, not a folder; set DATA_DIR$/);
  });

  it.each(['EACCES', 'EPERM', 'EROFS'])('names the path that the account may not use (%s)', (code) => {
    expect(explain(fault(code, { path: '/srv/data/log.db' }))).toBe(
      code === 'EROFS'
        ? '/srv/data/log.db lies on a read-only file system; set DATA_DIR, or change that'
        : '/srv/data/log.db may not be read and written by this account; set DATA_DIR, or change that',
    );
  });

  it('says why a data directory cannot be made', () => {
    expect(explain(fault('EROFS', { syscall: 'mkdir', path: '/srv/data' }))).toBe(
      '/srv/data cannot be made: the file system is read-only; set DATA_DIR',
    );
    const error = (() => {
      try {
        return lockDirectory('/proc/nope/deep');
      } catch (caught) {
        return caught;
      }
    })();
    expect(explain(error)).toBe('/proc/nope cannot be made: nothing can be put where it would be; set DATA_DIR');
  });

  it('names the setting of the port and of the host', () => {
    const taken = { syscall: 'listen', port: 9324, setting: 'METRICS_PORT' };
    expect(explain(fault('EADDRINUSE', taken))).toMatch(/^Port 9324 is taken; set METRICS_PORT /);
    expect(explain(fault('ENOTFOUND', { hostname: 'nonsense.invalid' }))).toContain('HOST');
  });

  it('ends with the status that the documentation promises', () => {
    expect([new ConfigError(''), new LogUnavailable(''), new Error('')].map(exitStatus)).toEqual([2, 3, 1]);
  });

  it('repeats the message of other errors', () => {
    expect(explain(new Error('plain'))).toBe('plain');
    expect(explain('text')).toBe('text');
  });

  it('does not complain about a folder that does not exist yet', () => {
    expect(() => requireFolder(join(temporaryDirectory(), 'none'))).not.toThrow();
  });
});

it('an unknown role is refused with the list of roles', async () => {
  const verb = userVerbs.find(({ name }) => name === 'user role');
  const roles = 'subscriber, contributor, author, editor, administrator';
  const call =
    verb !== undefined && 'run' in verb ? verb.run(undefined as never, { login: 'ada', role: 'boss' }) : null;
  await expect(call).rejects.toThrow(`<role> has to be one of ${roles}`);
});
