import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startChild } from '../support/child.ts';
import { siteOfAnotherVersion } from '../support/long-log.ts';
import { dump, openTestNode } from '../support/node.ts';
import { eventually } from '../support/patience.ts';
import { runVerb } from '../support/verbs.ts';

const events = 24_000;

/** Asserts that a start shows what is in the log, and leaves the projections of a full replay. */
async function expectWhole(directory: string): Promise<void> {
  const { node } = await openTestNode(directory);
  await node.close();
  const found = dump(directory);
  rmSync(join(directory, 'projections.db'));
  const again = await openTestNode(directory);
  await again.node.close();
  expect(dump(directory)).toEqual(found);
}

/** Runs `prepare`, and kills it when a file is there. */
async function killedAt(directory: string, name: string): Promise<void> {
  const child = startChild('prepare-load.ts', directory);
  await eventually(() => expect(existsSync(join(directory, 'prepared', name))).toBe(true), { interval: 1 });
  await child.kill();
}

describe('kill -9 during `prepare`', () => {
  it.each(['projections.db', 'views', 'ready'])('leaves a site that starts (when there is %s)', async (name) => {
    const directory = await siteOfAnotherVersion(events);
    await killedAt(directory, name);
    await expectWhole(directory);
  });

  it.each(['projections.db', 'views'])('leaves a folder that the next one can use (when there is %s)', async (name) => {
    const directory = await siteOfAnotherVersion(events);
    await killedAt(directory, name);
    expect(await runVerb(directory, ['prepare', '--once'])).toMatchObject({ status: 0 });
    await expectWhole(directory);
    expect(existsSync(join(directory, 'prepared'))).toBe(false);
  });
});
