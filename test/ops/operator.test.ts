import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Origin } from '#domain/kernel/origin.ts';
import { callControl, controlPath, listenControl } from '#ops/control.ts';
import { actingWith } from '#ops/operator.ts';
import { performOn } from '#ops/perform.ts';
import { verbs } from '#ops/verbs.ts';
import { openTestNode } from '../support/node.ts';

const operator = { command: 'user add', user: 'root', host: 'desk', reason: 'a new colleague' };

it('a command that writes through a server notes who gave it, where and why, beside the log', async () => {
  const { node, directory } = await openTestNode(mkdtempSync(join(tmpdir(), 'palimpsest-')));
  const noted: Origin[] = [];
  const perform = performOn(node.store, verbs, (error) => expect.unreachable(String(error)));
  const path = controlPath(directory);
  const control = await listenControl(path, (verb, args) =>
    actingWith({ note: (origin) => noted.push(origin) }, () => perform(verb, args)),
  );
  try {
    const args = { login: 'ada', role: 'author' };
    const done = await actingWith({ operator }, () => callControl(path, 'user add', args));
    expect(done?.kind).toBe('done');
    const [event] = node.store.log.read({ direction: 'backwards', limit: 1 });
    expect(noted).toEqual([
      {
        ...{ position: event?.position, correlationId: event?.correlationId },
        ...{ address: 'desk', via: 'root by the command user add: a new colleague' },
      },
    ]);
    expect((await callControl(path, 'user add', { login: 'grace', role: 'author' }))?.kind).toBe('done');
    expect(noted).toHaveLength(1);
  } finally {
    await control.close();
    await node.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
