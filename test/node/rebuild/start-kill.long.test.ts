import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Child, startChild } from '../../support/child.ts';
import { siteOfAnotherVersion } from '../../support/long-log.ts';
import { dump, openTestNode } from '../../support/node.ts';
import { eventually, found } from '../../support/patience.ts';

const events = 24_000;

const positionsOf = ({ lines }: Child) =>
  lines.flatMap((line) => (line.startsWith('at ') ? Number(line.slice(3)) : []));

async function firstPosition(child: Child): Promise<number> {
  const [first] = await found(() => (positionsOf(child).length > 0 ? positionsOf(child) : null), { interval: 1 });
  return first ?? 0;
}

const isOpen = (child: Child) => eventually(() => expect(child.lines).toContain('open'), { interval: 1 });

/** The processes that a process has started. */
function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

/** Asserts that the projections are those of a full replay. */
async function expectWhole(directory: string): Promise<void> {
  const found = dump(directory);
  rmSync(join(directory, 'projections.db'));
  const { node } = await openTestNode(directory);
  await node.close();
  expect(dump(directory)).toEqual(found);
}

it('a start continues from the last saved position when its child process that rebuilds projections is killed', async () => {
  const directory = await siteOfAnotherVersion(events);
  const server = startChild('catch-up-load.ts', directory);
  const first = await firstPosition(server);
  const [maker = 0] = childrenOf(server.pid);
  process.kill(maker, 'SIGKILL');
  await isOpen(server);
  const positions = positionsOf(server);
  expect(positions.toSorted((a, b) => a - b)).toEqual(positions);
  expect(positions.filter((position) => position <= first)).toHaveLength(1);
  await server.kill();
  await expectWhole(directory);
});

it('the next start continues from the last saved position when a server is killed while rebuilding projections', async () => {
  const directory = await siteOfAnotherVersion(events);
  const killed = startChild('catch-up-load.ts', directory);
  const first = await firstPosition(killed);
  await killed.kill();
  expect(killed.lines).not.toContain('open');
  const next = startChild('catch-up-load.ts', directory);
  await isOpen(next);
  expect(positionsOf(next)[0]).toBeGreaterThan(first);
  await next.kill();
  await expectWhole(directory);
});
