import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CheckpointKeys, keyFault } from '#node/tree/checkpoint-keys.ts';
import { temporaryDirectory } from '../support/temporary.ts';

it('a link instead of the key that leads nowhere is told, and no other key is made', () => {
  const dataDir = temporaryDirectory();
  const away = join(temporaryDirectory(), 'key');
  symlinkSync(away, join(dataDir, 'checkpoint.key'));
  const keys = new CheckpointKeys({ dataDir, given: null, name: () => 'log.example', clock: Date.now });
  expect(() => keys.verifiers).toThrow('it is a link to a file that is not there');
  expect(keyFault({ dataDir, given: null }, null)?.message).toContain('checkpoint.key');
  expect([existsSync(away), readdirSync(dataDir)]).toEqual([false, ['checkpoint.key']]);
  rmSync(join(dataDir, 'checkpoint.key'));
  expect(keys.verifiers).toHaveLength(2);
});
