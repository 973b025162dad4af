import { BadNote, ED25519, parseVkey, type TypedKey } from './note.ts';

/** Whose signatures a checkpoint needs (C2SP tlog-policy). */
export interface TrustPolicy {
  readonly logs: readonly TypedKey[];
  /** By their names in the policy. */
  readonly witnesses: ReadonlyMap<string, TypedKey>;
  readonly groups: ReadonlyMap<string, PolicyGroup>;
  /** Name of a witness or group; null: no cosignature is needed. */
  readonly quorum: string | null;
}

interface PolicyGroup {
  readonly threshold: number;
  readonly members: readonly string[];
}

export class BadPolicy extends Error {
  override readonly name = 'BadPolicy';
}

interface Growing {
  readonly logs: TypedKey[];
  readonly witnesses: Map<string, TypedKey>;
  readonly groups: Map<string, PolicyGroup>;
  readonly grouped: Set<string>;
  quorum: string | null | undefined;
}

const NONE = 'none';

/** Parses a policy. Throws `BadPolicy`. */
export function parsePolicy(file: Uint8Array): TrustPolicy {
  const text = Buffer.from(file).toString('latin1');
  if (/[^\t\n\x20-\x7e\x80-\xff]/.test(text)) throw new BadPolicy('a policy has no control characters');
  const policy: Growing = {
    logs: [],
    witnesses: new Map(),
    groups: new Map(),
    grouped: new Set(),
    quorum: undefined,
  };
  for (const [i, line] of text.split('\n').entries()) {
    // Whatever is no UTF-8 may stand in comments.
    const words = line.split(/[\t ]+/).flatMap((word) => (word === '' ? [] : Buffer.from(word, 'latin1').toString()));
    if (words.length === 0 || words[0]?.startsWith('#')) continue;
    try {
      takeLine(policy, words);
    } catch (error) {
      if (!(error instanceof BadNote || error instanceof BadPolicy)) throw error;
      throw new BadPolicy(`line ${i + 1} of the policy: ${error.message}`);
    }
  }
  const { logs, witnesses, groups, quorum } = policy;
  if (quorum === undefined) throw new BadPolicy('the policy has no line "quorum"');
  if (logs.length === 0) throw new BadPolicy('the policy names no log');
  return { logs, witnesses, groups, quorum };
}

/** Whether a witness or group counts as one that has cosigned. `cosigned`: names of the witnesses that have. */
export function hasWitnessed(
  name: string,
  { groups }: Pick<TrustPolicy, 'groups'>,
  cosigned: ReadonlySet<string>,
): boolean {
  const group = groups.get(name);
  if (group === undefined) return cosigned.has(name);
  return group.members.filter((member) => hasWitnessed(member, { groups }, cosigned)).length >= group.threshold;
}

/** Names of those who answer for witnesses: what stands directly under the quorum; without a quorum, what is in no group. */
export function organisationsOf({ witnesses, groups, quorum }: TrustPolicy): readonly string[] {
  if (quorum !== null) return groups.get(quorum)?.members ?? [quorum];
  const grouped = new Set([...groups.values()].flatMap(({ members }) => members));
  return [...groups.keys(), ...witnesses.keys()].filter((name) => !grouped.has(name));
}

function takeLine(policy: Growing, [keyword = '', ...words]: readonly string[]): void {
  const [first = '', second = '', ...others] = words;
  if (keyword === 'log' && words.length >= 1 && words.length <= 2) {
    policy.logs.push(keyOf(first, policy.logs));
  } else if (keyword === 'witness' && words.length >= 2 && words.length <= 3) {
    const key = keyOf(second, [...policy.witnesses.values()]);
    if (key.type === ED25519) throw new BadPolicy('the key of a witness makes cosignatures');
    policy.witnesses.set(newName(first, policy), key);
  } else if (keyword === 'group' && others.length > 0) {
    const threshold = thresholdOf(second, others.length);
    for (const member of others) {
      if (!isKnown(member, policy)) throw new BadPolicy(`there is no "${member}" above`);
      if (policy.grouped.has(member)) throw new BadPolicy(`"${member}" is a member twice`);
      policy.grouped.add(member);
    }
    policy.groups.set(newName(first, policy), { threshold, members: others });
  } else if (keyword === 'quorum' && words.length === 1) {
    if (policy.quorum !== undefined) throw new BadPolicy('there is more than one line "quorum"');
    if (first !== NONE && !isKnown(first, policy)) throw new BadPolicy(`there is no "${first}" above`);
    policy.quorum = first === NONE ? null : first;
  } else {
    throw new BadPolicy('it is none of log, witness, group and quorum with what they need');
  }
}

function keyOf(word: string, others: readonly TypedKey[]): TypedKey {
  const key = parseVkey(word);
  if (others.some(({ publicKey }) => Buffer.compare(publicKey, key.publicKey) === 0)) {
    throw new BadPolicy('the key is there twice');
  }
  return key;
}

function newName(name: string, policy: Growing): string {
  if (name === NONE || isKnown(name, policy)) throw new BadPolicy(`"${name}" is there twice`);
  return name;
}

function isKnown(name: string, { witnesses, groups }: Growing): boolean {
  return witnesses.has(name) || groups.has(name);
}

function thresholdOf(word: string, members: number): number {
  if (word === 'any') return 1;
  if (word === 'all') return members;
  const threshold = /^[1-9]\d*$/.test(word) ? Number(word) : 0;
  if (threshold < 1 || threshold > members) throw new BadPolicy(`a group of ${members} cannot need "${word}" of them`);
  return threshold;
}
