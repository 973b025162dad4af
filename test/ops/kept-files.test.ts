import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createEntry } from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import type { Node } from '#node/node.ts';
import type { Checked } from '#ops/verify/check.ts';
import { encodeSigner, newSigner } from '#tlog/note.ts';
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

it('a key that replaces the one that CHECKPOINT_KEY named begins anew', async () => {
  const directory = await signedSite();
  const path = join(temporaryDirectory(), 'other.key');
  writeFileSync(path, `${encodeSigner(newSigner('site.example'))}\n`, { mode: 0o600 });
  const env = { CHECKPOINT_KEY: path };
  const { ready, refused, warnings } = await goOn(directory, env);
  expect([ready, refused, warnings]).toEqual([[], '', [expect.stringContaining('signed with another key')]]);
  expect(await verified(directory, env)).toMatchObject({ kind: 'done', wrong: [] });
});

it('a backup of a site with damaged files has the rest, the last intact checkpoint, and says what it lacks', async () => {
  const directory = await signedSite();
  writeFileSync(join(directory, 'checkpoint.key'), 'nothing');
  appendFileSync(join(directory, 'checkpoints.jsonl'), 'nothing\n');
  const [place, target] = [temporaryDirectory(), join(temporaryDirectory(), 'restored')];
  const outcome = await carryOut(directory, 'backup', { to: place }, { env: { BACKUP_KEY: 'a'.repeat(64) } });
  expect(outcome.kind).toBe('wrong');
  for (const name of ['checkpoint.key', 'checkpoints.jsonl']) expect(JSON.stringify(outcome)).toContain(name);
  await carryOut(target, 'restore', { from: place }, { env: { BACKUP_KEY: 'a'.repeat(64) } });
  expect(readFileSync(join(target, 'checkpoints.jsonl'), 'utf8').trim().split('\n')).toHaveLength(1);
  expect((await goOn(target)).refused).toBe('');
  expect(await verified(target)).toMatchObject({ kind: 'done', wrong: [] });
});

it('what was signed before checksums is judged by its signature, and not told while that is false', async () => {
  const directory = await signedSite();
  const path = join(directory, 'checkpoints.jsonl');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const { at, note } = JSON.parse(lines.at(-1) ?? '');
  const [size = ''] = note.split('\n').slice(1);
  const whole = [...lines.slice(0, -1), JSON.stringify({ at, note }), ''].join('\n');
  writeFileSync(path, whole.replace(`\\n${size}\\n`, `\\n${Number(size) - 1}\\n`));
  const { reasons, refused, latest } = await goOn(directory);
  expect([reasons, latest]).toEqual([[], null]);
  expect(refused).toContain('signature');
  expect((await verified(directory)).wrong).toEqual(['checkpoints']);
  writeFileSync(path, whole);
  expect((await goOn(directory)).refused).toBe('');
});

it('keys are not replaced, and no cosignature is kept, where a damaged line would be hidden', async () => {
  const directory = await signedSite();
  const broken = ['checkpoints.jsonl', 'checkpoint-keys.jsonl'].map((name) => join(directory, name));
  for (const path of broken) appendFileSync(path, 'nothing\n');
  const before = broken.map((path) => readFileSync(path, 'utf8'));
  const { node } = await openTestNode(directory, { keepSite: true });
  const { checkpoints, keys } = node.store.transparency;
  if (checkpoints.latest === null) throw new Error('there is no intact checkpoint');
  checkpoints.addSignatures(checkpoints.latest, '— witness.example AAAAAAAA\n');
  expect(() => keys.replace()).toThrow('checkpoint-keys.jsonl cannot be used: line 1');
  expect(broken.map((path) => readFileSync(path, 'utf8'))).toEqual(before);
  await node.close();
});

it('what a former key has signed is not given up when the note that names its successor is damaged', async () => {
  const directory = await signedSite();
  const { node } = await openTestNode(directory, { keepSite: true });
  node.store.transparency.keys.replace();
  await node.close();
  const path = join(directory, 'checkpoint-keys.jsonl');
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, whole.replace('next key', 'next kex'));
  const { ready, refused } = await goOn(directory);
  expect(ready).toEqual([expect.stringContaining('checkpoint-keys.jsonl cannot be used: line 1')]);
  expect(refused).toContain('checkpoint-keys.jsonl cannot be used');
  writeFileSync(path, whole);
  const after = await goOn(directory);
  expect([after.ready, after.refused, after.warnings]).toEqual([[], '', []]);
  expect(await verified(directory)).toMatchObject({ kind: 'done', wrong: [] });
});
