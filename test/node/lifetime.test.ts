import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { viewMaker } from '#http/tables/entries/reads.ts';
import { openNode } from '#node/node.ts';
import { nodeParts } from '#node/parts/all.ts';
import type { NodeParts } from '#node/parts/parts.ts';
import { serve } from '#ops/serve.ts';
import { serverParts } from '#ops/server/all.ts';
import type { ServerParts } from '#ops/server/parts.ts';
import type { ProgramPart } from '#process/parts.ts';
import { readConfig } from '../../src/config.ts';
import { patience } from '../support/patience.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const answers = { viewMaker, rebuildScript: new URL('../../src/ops/rebuild-script.ts', import.meta.url) };
const fault = new Error('this part does not work');
const fails = () => {
  throw fault;
};

/** The parts, of which one opens and then fails. */
function failing<All>(parts: readonly ProgramPart<All>[], name: keyof All): ProgramPart<All>[] {
  return parts.map((part) => {
    const open: ProgramPart<All>['open'] = async (opened, scope) => {
      await part.open(opened, scope);
      fails();
    };
    return part.name === name ? { ...part, open } : part;
  });
}

/** The parts, of which one fails to end. */
function unending<All>(parts: readonly ProgramPart<All>[], name: keyof All): ProgramPart<All>[] {
  return parts.map((part) => {
    const open: ProgramPart<All>['open'] = (opened, scope) => {
      scope.defer(fails);
      return part.open(opened, scope);
    };
    return part.name === name ? { ...part, open } : part;
  });
}

/** What this process has open below a folder, and what keeps it running. */
function left(folder: string): readonly string[] {
  const files = readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      // Closed meanwhile.
      return [];
    }
  });
  const running = process.getActiveResourcesInfo().filter((name) => /Timeout|Server|Process/.test(name));
  return [...files.filter((path) => path.startsWith(folder)), ...running];
}

/** Waits until nothing is left that was not there before. Looks between its own pauses, because those are timers, too. */
async function expectNothingLeft(folder: string, before: readonly string[]): Promise<void> {
  const added = () => {
    const known = [...before];
    return left(folder).filter((name) => !known.includes(name) || known.splice(known.indexOf(name), 1).length === 0);
  };
  for (let waited = 0; added().length > 0 && waited < patience; waited += 20) await sleep(20);
  expect(added()).toEqual([]);
}

describe('a node', () => {
  it.each(nodeParts.map(({ name }) => name as keyof NodeParts))(
    'closes everything when %s fails to open',
    async (name) => {
      const folder = temporaryDirectory();
      const before = left(folder);
      const config = readConfig({ DATA_DIR: folder });
      await expect(openNode(config, { answers }, failing(nodeParts, name))).rejects.toThrow(fault);
      await expectNothingLeft(folder, before);
      const node = await openNode(config, { answers });
      await node.close();
    },
  );

  it.each(nodeParts.map(({ name }) => name as keyof NodeParts))(
    'closes all others when %s fails to end',
    async (name) => {
      const folder = temporaryDirectory();
      const before = left(folder);
      const config = readConfig({ DATA_DIR: folder });
      const node = await openNode(config, { answers }, unending(nodeParts, name));
      node.start();
      await expect(node.close()).rejects.toThrow(fault);
      await expectNothingLeft(folder, before);
      await (await openNode(config, { answers })).close();
    },
  );

  it('opens no part before those that it needs', async () => {
    const [first, ...others] = nodeParts;
    const config = readConfig({ DATA_DIR: temporaryDirectory() });
    const parts = [...others, first].flatMap((part) => part ?? []);
    await expect(openNode(config, { answers }, parts)).rejects.toThrow('log needs lock, which opens after it');
  });
});

describe('a server', () => {
  const env = (folder: string) => ({ DATA_DIR: folder, PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'silent' });

  it.each(serverParts.map(({ name }) => name as keyof ServerParts))(
    'closes everything when %s fails to open',
    async (name) => {
      const folder = temporaryDirectory();
      const before = left(folder);
      await expect(serve(env(folder), failing(serverParts, name))).rejects.toThrow(fault);
      await expectNothingLeft(folder, before);
    },
  );

  it.each(serverParts.map(({ name }) => name as keyof ServerParts))(
    'closes all others when %s fails to end',
    async (name) => {
      const folder = temporaryDirectory();
      const before = left(folder);
      const server = await serve(env(folder), unending(serverParts, name));
      await expect(server.close()).rejects.toThrow(fault);
      await expectNothingLeft(folder, before);
    },
  );
});
