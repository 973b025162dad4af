import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createEntry } from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import type { Node } from '#node/node.ts';
import type { Checked } from '#ops/verify/check.ts';
import { admin, openTestNode } from '../support/node.ts';
import { carryOut } from '../support/place.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const write = (node: Node) =>
  node.store.submit(admin, (session) => createEntry(session, post, { title: 'Hello', status: 'publish' }));

/** A closed site whose log was signed twice. */
async function signedSite(): Promise<string> {
  const { node, directory } = await openTestNode();
  for (let i = 0; i < 2; i++) {
    await write(node);
    node.store.transparency.checkpoints.make();
  }
  await node.close();
  return directory;
}

interface Verified {
  readonly kind: string;
  readonly value: Checked;
  readonly text: string;
}

async function verified(directory: string, env = {}) {
  const { kind, value, text } = (await carryOut(directory, 'verify', {}, { env })) as Verified;
  return { kind, text, wrong: value.checks.filter(({ result }) => result === 'wrong').map(({ check }) => check) };
}

/** Opens a site, starts it, writes, and tries to sign. */
async function goOn(directory: string, env = {}) {
  const warnings: string[] = [];
  const reporter = { warning: (message: string) => void warnings.push(message) };
  const { node } = await openTestNode(directory, { keepSite: true, env, reporter });
  node.start();
  await write(node);
  const { checkpoints } = node.store.transparency;
  let refused = '';
  try {
    checkpoints.make();
  } catch (error) {
    refused = (error as Error).message;
  }
  const ready = node.integrity.warnings.map(({ code, message }) => `${code}: ${message}`);
  const reasons = node.readiness.reasons.map(({ code }) => code).filter((code) => code !== 'indexes_loading');
  const { latest } = checkpoints;
  await node.close();
  return { warnings, ready, reasons, refused, latest };
}

it('a site that was restored without its key begins anew with another one, and keeps what was signed before', async () => {
  const [place, target] = [temporaryDirectory(), join(temporaryDirectory(), 'restored')];
  await carryOut(await signedSite(), 'backup', { to: place });
  expect(await carryOut(target, 'restore', { from: place })).toMatchObject({ kind: 'done' });
  expect(await verified(target)).toMatchObject({ kind: 'done', wrong: [] });
  const { warnings, ready, reasons, refused } = await goOn(target);
  expect([ready, reasons, refused]).toEqual([[], [], '']);
  expect(warnings).toContainEqual(expect.stringContaining('signed with another key'));
  expect(readdirSync(target).filter((name) => name.startsWith('checkpoints.jsonl.earlier-'))).toHaveLength(1);
  expect(await verified(target)).toMatchObject({ kind: 'done', wrong: [] });
  // From then on, the new key goes on.
  const { latest } = await goOn(target);
  expect(readFileSync(join(target, 'checkpoints.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2);
  expect(latest).not.toBeNull();
  expect(await verified(target)).toMatchObject({ kind: 'done', wrong: [] });
});

it.each<[string, string, (text: string) => string]>([
  ['a key with a flipped bit', 'checkpoint.key', (text) => text.replace('PRIVATE', 'PRIVATD')],
  ['an empty key', 'checkpoint.key', () => ''],
  ['a key without its second half', 'checkpoint.key', (text) => `${text.split('\n')[0]}\n`],
  [
    'a checkpoint with a flipped bit',
    'checkpoints.jsonl',
    (text) => `${text.slice(0, text.lastIndexOf('example'))}exanple${text.slice(text.lastIndexOf('example') + 7)}`,
  ],
  ['an empty file of checkpoints', 'checkpoints.jsonl', () => ''],
  ['a last line that is none', 'checkpoints.jsonl', (text) => `${text}nothing\n`],
])('%s: nothing is signed, the site goes on, and health and `verify` name the file', async (_, name, damage) => {
  const directory = await signedSite();
  const path = join(directory, name);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, damage(whole));
  const { ready, reasons, refused } = await goOn(directory);
  expect(reasons).toEqual([]);
  expect(refused).toContain(`${path} cannot be used: `);
  expect(ready).toEqual([expect.stringContaining(`data_file_damaged: ${name} cannot be used`)]);
  const { kind, wrong, text } = await verified(directory);
  expect([kind, wrong, text]).toEqual(['wrong', expect.arrayContaining(['kept']), expect.stringContaining(name)]);
  expect(wrong).not.toContain('chain');
  writeFileSync(path, whole);
  const after = await goOn(directory);
  expect([after.refused, after.ready]).toEqual(['', []]);
  expect(await verified(directory)).toMatchObject({ kind: 'done' });
});

it('a key that CHECKPOINT_KEY names, and that is not there, is named by the health check', async () => {
  const directory = await signedSite();
  const { ready, refused } = await goOn(directory, { CHECKPOINT_KEY: '/no/key' });
  expect(ready).toEqual([expect.stringMatching(/^data_file_damaged: \/no\/key .* no such file.*CHECKPOINT_KEY/)]);
  expect(refused).toContain('/no/key');
});
