import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockDirectory } from '#eventstore/lock.ts';
import { LogInUse } from '#eventstore/port.ts';
import { startChild } from '../support/child.ts';
import { eventually } from '../support/patience.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe('the lock of a data directory', () => {
  it('is refused while another process holds it, and free as soon as that process is killed', async () => {
    const directory = temporaryDirectory();
    const child = startChild('hold-lock.ts', directory);
    await eventually(() => expect(child.lines).toEqual(['held']));
    expect(() => lockDirectory(directory)).toThrow(LogInUse);
    expect(() => lockDirectory(directory)).toThrow(directory);
    // Only Linux lists who holds it.
    if (existsSync('/proc/locks')) expect(() => lockDirectory(directory)).toThrow(`Another process, ${child.pid},`);
    await child.kill();
    lockDirectory(directory)();
  });

  it('is refused to the same process until it is released', () => {
    const directory = temporaryDirectory();
    const release = lockDirectory(directory);
    expect(() => lockDirectory(directory)).toThrow(LogInUse);
    release();
    const again = lockDirectory(directory);
    release();
    expect(() => lockDirectory(directory)).toThrow(LogInUse);
    again();
  });

  it('creates the directory, and leaves a single file that does not count as a lock', () => {
    const directory = join(temporaryDirectory(), 'deep', 'data');
    const release = lockDirectory(directory);
    // No further file that would need disk space.
    expect(readdirSync(directory)).toEqual(['lock.db']);
    release();
    expect(readdirSync(directory)).toEqual(['lock.db']);
    lockDirectory(directory)();
  });

  it('works with a damaged file', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'lock.db'), 'no lock at all '.repeat(1000));
    const release = lockDirectory(directory);
    expect(() => lockDirectory(directory)).toThrow(LogInUse);
    release();
  });

  it('stays with the process that holds it when its file is damaged', async () => {
    const directory = temporaryDirectory();
    const child = startChild('hold-lock.ts', directory);
    await eventually(() => expect(child.lines).toEqual(['held']));
    writeFileSync(join(directory, 'lock.db'), 'no lock at all '.repeat(1000));
    expect(() => lockDirectory(directory)).toThrow(LogInUse);
    await child.kill();
    lockDirectory(directory)();
  });

  it('of one directory does not affect another', () => {
    const [one, two] = [lockDirectory(temporaryDirectory()), lockDirectory(temporaryDirectory())];
    one();
    two();
  });
});
