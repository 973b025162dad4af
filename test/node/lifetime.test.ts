import { describe, expect, it } from 'vitest';
import { viewMaker } from '#http/tables/entries/reads.ts';
import { assembleNode } from '#node/node.ts';
import { nodeParts } from '#node/parts/all.ts';
import type { NodeParts } from '#node/parts/parts.ts';
import { readConfig } from '../../src/config.ts';
import { expectNothingLeft, failing, fault, left, unending } from '../support/parts.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const answers = { viewMaker, rebuildScript: new URL('../../src/ops/rebuild-script.ts', import.meta.url) };

describe('a node', () => {
  it.each(nodeParts.map(({ name }) => name as keyof NodeParts))(
    'closes everything when %s fails to open',
    async (name) => {
      const folder = temporaryDirectory();
      const before = left(folder);
      const config = readConfig({ DATA_DIR: folder });
      await expect(assembleNode(config, { answers }, failing(nodeParts, name))).rejects.toThrow(fault);
      await expectNothingLeft(folder, before);
      const node = await assembleNode(config, { answers });
      await node.close();
    },
  );

  it.each(nodeParts.map(({ name }) => name as keyof NodeParts))(
    'closes all others when %s fails to end',
    async (name) => {
      const folder = temporaryDirectory();
      const before = left(folder);
      const config = readConfig({ DATA_DIR: folder });
      const node = await assembleNode(config, { answers }, unending(nodeParts, name));
      node.start();
      await expect(node.close()).rejects.toThrow(fault);
      await expectNothingLeft(folder, before);
      await (await assembleNode(config, { answers })).close();
    },
  );

  it('opens no part before those that it needs', async () => {
    const [first, ...others] = nodeParts;
    const config = readConfig({ DATA_DIR: temporaryDirectory() });
    const parts = [...others, first].flatMap((part) => part ?? []);
    await expect(assembleNode(config, { answers }, parts)).rejects.toThrow('log needs lock, which opens after it');
  });
});
