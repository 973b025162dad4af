import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/node/origins.ts';
import { openTestNode } from '../support/node.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const origin = { position: 1, correlationId: 'c', address: '192.0.2.1' };

function open(dataDir: string) {
  const warnings: string[] = [];
  const onError = (error: unknown) => warnings.push(String(error));
  const journal = openJournal({
    dataDir,
    clock: () => 1e12,
    days: 30,
    onError,
    onWarning: (text) => warnings.push(text),
  });
  return { journal, warnings };
}

it('a journal of origins with a flipped byte anywhere opens, or is moved aside and begun again with a warning', () => {
  const whole = temporaryDirectory();
  const first = open(whole).journal;
  first?.note(origin);
  first?.close();
  const bytes = readFileSync(join(whole, 'origins.db'));
  for (let at = 0; at < bytes.length; at += 61) {
    const directory = temporaryDirectory();
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 4, at);
    writeFileSync(join(directory, 'origins.db'), damaged);
    const { journal, warnings } = open(directory);
    journal?.note({ ...origin, position: 2 });
    expect(journal?.originOf({ position: 2, correlationId: 'c' })).toBe('192.0.2.1');
    journal?.close();
    const aside = readdirSync(directory).filter((name) => name.startsWith('origins.db.damaged-'));
    expect(warnings).toHaveLength(aside.length > 0 ? 1 : 0);
    rmSync(directory, { recursive: true });
  }
});

it('a site starts when what it can do without is a file in the place of a folder, or the other way round', async () => {
  const { node, directory } = await openTestNode();
  await node.close();
  for (const name of ['views', 'past', 'projections.db-search']) {
    rmSync(join(directory, name), { recursive: true, force: true });
    writeFileSync(join(directory, name), 'something');
  }
  mkdirSync(join(directory, 'erased.json'));
  const warnings: string[] = [];
  const again = await openTestNode(directory, { onWarning: (message) => warnings.push(message) });
  await again.node.close();
  expect(warnings.map((text) => /(\S+) is not what/.exec(text)?.[1]?.slice(directory.length + 1)).sort()).toEqual([
    'erased.json',
    'past',
    'projections.db-search',
    'views',
  ]);
  expect(readdirSync(directory).filter((name) => name.includes('.damaged-'))).toHaveLength(4);
});
