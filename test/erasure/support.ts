import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performOn } from '#ops/perform.ts';
import { verbs } from '#ops/verbs.ts';
import type { Node } from '../../src/wire.ts';

/** Files below a directory in whose bytes a word stands, upper and lower case alike. */
export function filesWith(directory: string, word: string): string[] {
  const wanted = word.toLowerCase();
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).toString('latin1').toLowerCase().includes(wanted))
    .map((path) => path.slice(directory.length + 1))
    .sort();
}

/** Carries out a verb on a node; a fault of the program ends the test. */
export function typed({ store }: Node, verb: string, args: Readonly<Record<string, unknown>>) {
  let fault: unknown = null;
  const perform = performOn(store, verbs, (error) => {
    fault = error;
  });
  return perform(verb, args).then((outcome) => {
    if (fault !== null) throw fault;
    return outcome;
  });
}
