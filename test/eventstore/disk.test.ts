import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDisk } from '#eventstore/disk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe('the disk of a file', () => {
  it('stays closed when a sync was about to begin', async () => {
    const path = join(temporaryDirectory(), 'log.db');
    writeFileSync(path, 'x');
    const disk = createDisk(path);
    const sync = disk.sync();
    disk.close();
    await expect(sync).rejects.toThrow('has been closed');
    const open = readdirSync('/proc/self/fd').flatMap((name) => linkOf(`/proc/self/fd/${name}`));
    expect(open).not.toContain(path);
  });
});

function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    // The descriptor that listed the folder.
    return [];
  }
}
