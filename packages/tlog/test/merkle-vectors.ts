import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leafHash } from '../src/tree.ts';

// The library keeps valid proofs and what it damages them with; its folder `testdata` has the products as files, many of them twice.

interface Facts {
  readonly leaves: readonly string[];
  readonly roots: readonly string[];
  readonly some: string;
  readonly empty: string;
  readonly inclusion: readonly { readonly leaf: number; readonly size: number; readonly proof: readonly string[] }[];
  readonly consistency: readonly { readonly from: number; readonly to: number; readonly proof: readonly string[] }[];
}

/** All hashes in hex. */
interface Included {
  readonly index: number;
  readonly size: number;
  readonly leaf: string;
  readonly root: string;
  readonly proof: readonly string[];
}

interface Continued {
  readonly from: number;
  readonly to: number;
  readonly before: string;
  readonly after: string;
  readonly proof: readonly string[];
}

type Vector<T> = T & { readonly name: string; readonly holds: boolean };

const facts: Facts = JSON.parse(readFileSync(join(import.meta.dirname, 'vectors/merkle.json'), 'utf8'));
const { some, empty } = facts;
const hex = (text: string) => Buffer.from(text).toString('hex');
const rootAt = (size: number) => facts.roots[size - 1] ?? '';
/** What the library calls the index before 0: its numbers have no sign. */
const BEFORE_ZERO = 2 ** 64;

function flipped(proof: readonly string[], at: number, bit: number): readonly string[] {
  return proof.map((hash, i) => {
    const bytes = Buffer.from(hash, 'hex');
    if (i === at) bytes[0] = (bytes[0] ?? 0) ^ bit;
    return bytes.toString('hex');
  });
}

export function* inclusions(): Generator<Vector<Included>> {
  for (const { leaf: index, size, proof } of facts.inclusion) {
    const leaf = Buffer.from(leafHash(Buffer.from(facts.leaves[index] ?? '', 'hex'))).toString('hex');
    const valid = { index, size, leaf, root: rootAt(size), proof };
    yield { ...valid, name: 'happy path', holds: true };
    for (const [name, change] of Object.entries(inclusionDamage(valid))) {
      yield { ...valid, ...change, name, holds: false };
    }
  }
  const leaf = Buffer.from(leafHash(Buffer.from('data'))).toString('hex');
  for (const [one, root] of [
    [leaf, leaf],
    [leaf, ''],
    ['', leaf],
    ['', ''],
  ] as const) {
    yield { name: 'single entry', index: 0, size: 1, leaf: one, root, proof: [], holds: one === leaf && root === leaf };
  }
  for (const [index, size] of [
    [0, 0],
    [0, 1],
    [1, 0],
    [2, 1],
  ] as const) {
    for (const [one, root] of [
      [some, ''],
      ['', empty],
      [some, empty],
    ] as const) {
      yield { name: 'random leaf or empty root', index, size, leaf: one, root, proof: [], holds: false };
    }
  }
}

function inclusionDamage({ index, size, root, proof }: Included): Record<string, Partial<Included>> {
  return {
    'leaf index - 1': { index: index === 0 ? BEFORE_ZERO : index - 1 },
    'leaf index + 1': { index: index + 1 },
    'leaf index ^ 2': { index: index ^ 2 },
    'tree size * 2': { size: size * 2 },
    'tree size / 2': { size: Math.floor(size / 2) },
    'wrong leaf': { leaf: hex('WrongLeaf') },
    'empty root': { root: empty },
    'random root': { root: some },
    'trailing garbage': { proof: [...proof, ''] },
    'trailing root': { proof: [...proof, root] },
    'preceding garbage': { proof: ['', ...proof] },
    'preceding root': { proof: [root, ...proof] },
    ...Object.fromEntries(proof.map((_, i) => [`modified proof[${i}] bit 3`, { proof: flipped(proof, i, 8) }])),
    ...(proof.length > 0 ? { 'removed component': { proof: proof.slice(0, -1) } } : {}),
    ...(proof.length > 1 ? { 'inserted component': { proof: [...proof.slice(0, 1), some, ...proof.slice(1)] } } : {}),
  };
}

export function* continuations(): Generator<Vector<Continued>> {
  for (const { from, to, proof } of facts.consistency) {
    const valid = { from, to, before: rootAt(from), after: rootAt(to), proof };
    yield { ...valid, name: 'happy path', holds: true };
    if (proof.length === 0) continue;
    for (const [name, change] of Object.entries(consistencyDamage(valid))) {
      yield { ...valid, ...change, name, holds: false };
    }
  }
  const [one, two] = [hex("don't care 1"), hex("don't care 2")];
  const rows: readonly (readonly [number, number, string, string, readonly string[], boolean])[] = [
    [0, 0, one, two, [], false],
    [1, 1, one, two, [], false],
    [1, 1, two, two, [], true],
    [0, 1, one, two, [], false],
    // The two in which we differ: the library takes any root for that of an empty tree, and has no tree continue it.
    [0, 0, one, one, [], false],
    [0, 1, empty, two, [], true],
    [1, 0, one, two, [], false],
    [2, 1, one, two, [], false],
    [1, 2, one, two, [], false],
    [0, 0, empty, two, [], false],
    [1, 1, empty, two, [], false],
    [0, 0, empty, empty, [empty], false],
    [0, 1, empty, empty, [empty], false],
    [1, 1, empty, empty, [empty], false],
  ];
  for (const [from, to, before, after, proof, holds] of rows) {
    yield { name: `sizes ${from} and ${to}`, from, to, before, after, proof, holds };
  }
}

function consistencyDamage({ from, to, before, after, proof }: Continued): Record<string, Partial<Continued>> {
  return {
    'size1 - 1': { from: from - 1 },
    'size1 + 1': { from: from + 1 },
    'size1 ^ 2': { from: from ^ 2 },
    'size2 * 2': { to: to * 2 },
    'size2 / 2': { to: Math.floor(to / 2) },
    'wrong root1': { before: hex('WrongRoot') },
    'wrong root2': { after: hex('WrongRoot') },
    'swapped roots': { before: after, after: before },
    'empty proof': { proof: [] },
    'trailing garbage': { proof: [...proof, ''] },
    'trailing root1': { proof: [...proof, before] },
    'trailing root2': { proof: [...proof, after] },
    'preceding garbage': { proof: ['', ...proof] },
    'preceding root1': { proof: [before, ...proof] },
    'preceding root2': { proof: [after, ...proof] },
    'preceding proof[0]': { proof: [...proof.slice(0, 1), ...proof] },
    'truncated proof': { proof: proof.slice(0, -1) },
    ...Object.fromEntries(proof.map((_, i) => [`modified proof[${i}] bit 4`, { proof: flipped(proof, i, 16) }])),
  };
}

/** Whether each holds, in this order. */
export const wanted = [...inclusions(), ...continuations()].map(({ name, holds }) => ({ name, holds }));
