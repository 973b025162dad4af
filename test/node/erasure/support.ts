import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { untilErased } from '#ops/erase.ts';
import { eraseControls } from '#ops/erase-orders.ts';
import { performOn } from '#ops/perform.ts';
import { verbs } from '#ops/verbs.ts';
import type { Node } from '../../../src/node/node.ts';

/** Files below a directory whose bytes contain a word, ignoring case. */
export function filesWith(directory: string, word: string): string[] {
  const wanted = word.toLowerCase();
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).toString('latin1').toLowerCase().includes(wanted))
    .map((path) => path.slice(directory.length + 1))
    .sort();
}

const silent = { at: async () => undefined, end: () => undefined };
const place = { progress: () => silent, signal: new AbortController().signal };

/** Runs a command on a node to its end; an unexpected exception fails the test. */
export async function typed({ store }: Node, verb: string, args: Readonly<Record<string, unknown>>) {
  const faults: unknown[] = [];
  const perform = performOn(store, [...verbs, ...eraseControls], (error) => faults.push(error));
  const outcome = await perform(verb.replace(/^erase /, 'erase order '), args);
  const isOrder = verb.startsWith('erase ') && outcome.kind === 'done';
  const end = isOrder ? await untilErased(place)(outcome.value, perform) : outcome;
  if (faults.length > 0) throw faults[0];
  return end;
}
