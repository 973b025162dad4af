import { z } from 'zod';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { NotReached, shortTextAt } from '#node/tree/asking.ts';
import { verifiersIn } from '#node/tree/checkpoint-keys.ts';
import { HistoryDiffers } from '#node/tree/checkpoints.ts';
import { type Partner, partnersIn, type Witnesses } from '#node/tree/witnesses.ts';
import { parseCheckpoint } from '#tlog/checkpoint.ts';
import { hasSigned } from '#tlog/cosignature.ts';
import { BadNote, COSIGNATURE, ED25519, type Note, parseNote, parseVkey } from '#tlog/note.ts';
import type { Outcome } from './outcome.ts';
import { defineLocalVerb, defineVerb } from './verb.ts';

/** Names that a policy uses itself. */
const taken = ['none', 'organisations'];
const organisation = z
  .string()
  .regex(/^[^\s+#]{1,100}$/u, 'has up to 100 characters, without blanks, + and #')
  .refine((name) => !taken.includes(name), 'has another meaning in policies')
  .describe('name of an organisation');
const directions = ['both', 'ours', 'theirs'] as const;

const add = defineVerb({
  name: 'witness add',
  summary: 'Exchanges cosignatures with another site: each says that it has seen the log of the other only grow.',
  example: 'witness add https://archive.example --organisation city-archive',
  positionals: ['address'],
  args: z.object({
    address: z
      .url({ protocol: /^https?$/ })
      .describe('address of the site, or of another witness or log with --key: below it is add-checkpoint'),
    organisation: organisation.optional().describe('name of the organisation. Default: the host of the address'),
    cosign: z.enum(directions).optional().describe('whose log is cosigned: ours, theirs or both (default)'),
    key: z
      .string()
      .optional()
      .describe('public key (vkey) of a witness or a log, told by its owner. Default: the keys that the site gives'),
  }),
  run: async ({ transparency: { witnesses } }, { address, organisation: name, cosign = 'both', key }) => {
    const prefix = key === undefined ? prefixOf(address) : address.replace(/(?<!\/)\/+$/, '');
    const keys = await keysOf(prefix, key);
    if (isRefusal(keys)) return keys;
    const added = witnesses.add({
      organisation: name ?? new URL(address).host,
      address: prefix,
      log: cosign === 'ours' ? null : keys.log,
      witness: cosign === 'theirs' ? null : keys.witness,
    });
    return isRefusal(added)
      ? added
      : { ...shown(added, witnesses), compare: 'check these keys with them by another channel' };
  },
});

const list = defineVerb({
  name: 'witness list',
  isRead: true,
  summary: 'Lists with whom cosignatures are exchanged, and what was signed.',
  example: 'witness list',
  args: z.object({}),
  run: async ({ transparency: { witnesses, checkpoints } }) => {
    const latest = checkpoints.latest === null ? null : parseNote(checkpoints.latest.note);
    return witnesses.partners.map((partner) => shown(partner, witnesses, latest));
  },
});

const follow = defineVerb({
  name: 'witness follow',
  summary: 'Takes over the new key of an organisation, if its old key has named it.',
  example: 'witness follow city-archive',
  positionals: ['organisation'],
  args: z.object({ organisation }),
  run: async ({ transparency: { witnesses } }, { organisation: name }) => {
    const known = witnesses.partners.find((one) => one.organisation === name && one.log !== null);
    if (known === undefined) return refuse('no_such_witness', `there is no ${name} whose log is cosigned`);
    const told = await attempt(async () => keysFile.parse(JSON.parse(await shortTextAt(`${known.address}/keys`))));
    if (isRefusal(told)) return told;
    const followed = await attempt(async () => witnesses.follow(name, told.successions));
    return isRefusal(followed) ? followed : followed.map((partner) => shown(partner, witnesses));
  },
});

const remove = defineVerb({
  name: 'witness remove',
  summary: 'Exchanges no more cosignatures with an organisation.',
  example: 'witness remove city-archive',
  positionals: ['organisation'],
  args: z.object({ organisation }),
  run: async ({ transparency: { witnesses } }, { organisation: name }) => {
    const removed = witnesses.remove(name);
    return isRefusal(removed) ? removed : { removed: name, addresses: removed.map(({ address }) => address).join(' ') };
  },
});

const policy = defineLocalVerb({
  name: 'witness policy',
  summary: 'Prints what verifiers need: the key of the log, and whose cosignatures count (C2SP tlog-policy).',
  example: 'witness policy --quorum 1',
  args: z.object({
    quorum: z
      .string()
      .regex(/^([1-9]\d?|all|none)$/, 'is a number, all or none')
      .optional()
      .describe('how many organisations must have cosigned. Default: all'),
  }),
  here: async ({ config: { dataDir, checkpoints } }, { quorum = 'all' }): Promise<Outcome> => {
    const verifiers = verifiersIn(dataDir, checkpoints.key);
    if (verifiers === null)
      return { kind: 'refused', code: 'no_key', message: 'there is no key yet: a server makes it' };
    const groups = groupsOf(partnersIn(dataDir));
    if (Number(quorum) > groups.length) {
      const message = `cosignatures are asked of ${groups.length} organisations`;
      return { kind: 'refused', code: 'too_few_witnesses', message };
    }
    const isNone = quorum === 'none' || groups.length === 0;
    const names = groups.map(({ name }) => name).join(' ');
    const lines = [
      ...verifiers.map((vkey) => `log ${vkey}`),
      ...groups.flatMap((group) => group.lines),
      ...(isNone ? ['quorum none'] : [`group organisations ${quorum} ${names}`, 'quorum organisations']),
    ];
    return { kind: 'done', value: { policy: lines }, text: lines.join('\n') };
  },
});

const makeCheckpoint = defineVerb({
  name: 'checkpoint make',
  summary: 'Signs the log as it is now, has it cosigned, and shows who has.',
  example: 'checkpoint make',
  args: z.object({}),
  run: async ({ transparency: { checkpoints, publish, signed } }) => {
    try {
      checkpoints.make();
    } catch (error) {
      if (error instanceof HistoryDiffers) return refuse('history_differs', error.message);
      throw error;
    }
    const answers = await publish();
    const state = signed();
    if (state === null) return refuse('no_events', 'there is nothing to sign yet');
    const missing = answers.flatMap(({ partner, error }) => (error === '' ? [] : `${partner.organisation}: ${error}`));
    const { at, size: events, cosignedBy } = state;
    return { at, events, cosignedBy: cosignedBy.join(', '), missing: missing.join('; ') };
  },
});

const rotateKey = defineVerb({
  name: 'checkpoint rotate-key',
  summary:
    'Replaces the key of the checkpoints; the old one names the new one. Tell the organisations that witness the site.',
  example: 'checkpoint rotate-key',
  args: z.object({}),
  run: async ({ transparency: { keys } }) => {
    const note = keys.replace();
    return isRefusal(note) ? note : { key: keys.verifiers[0], note };
  },
});

export const witnessVerbs = [add, list, follow, remove, policy];
export const checkpointVerbs = [makeCheckpoint, rotateKey];

/** Each organisation is a group, which has signed if any of its witnesses has. */
function groupsOf(
  partners: readonly Partner[],
): readonly { readonly name: string; readonly lines: readonly string[] }[] {
  const signing = partners.filter(({ witness }) => witness !== null);
  return [...Map.groupBy(signing, ({ organisation: name }) => name)].map(([name, own]) => {
    const witnesses = own.map(({ witness, address }, i) => `witness ${name}/${i + 1} ${witness} ${address}`);
    return { name, lines: [...witnesses, `group ${name} any ${own.map((_, i) => `${name}/${i + 1}`).join(' ')}`] };
  });
}

const keysFile = z.object({ successions: z.array(z.string()).max(1000) });

/** Where another site of this kind takes checkpoints. */
function prefixOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname === '/' ? '/cms-json/tlog' : pathname.replace(/(?<!\/)\/+$/, '')}`;
}

async function keysOf(prefix: string, key: string | undefined): Promise<Pick<Partner, 'log' | 'witness'> | Refusal> {
  return attempt(async () => {
    if (key === undefined) {
      const [log, witness] = [await shortTextAt(`${prefix}/log.vkey`), await shortTextAt(`${prefix}/witness.vkey`)];
      return { log: ofType(log, ED25519), witness: ofType(witness, COSIGNATURE) };
    }
    const { type } = parseVkey(key);
    if (type === ED25519) return { log: key, witness: null };
    return { log: null, witness: ofType(key, COSIGNATURE) };
  });
}

function ofType(vkey: string, type: number): string {
  if (parseVkey(vkey).type !== type) throw new BadNote('this is a key of another type');
  return vkey.trim();
}

async function attempt<T>(work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotReached) return refuse('not_reached', error.message);
    if (error instanceof BadNote || error instanceof z.ZodError || error instanceof SyntaxError)
      return refuse('bad_key', `the answer is not a key: ${error.message}`);
    throw error;
  }
}

function shown(partner: Partner, witnesses: Witnesses, latest: Note | null = null) {
  const { organisation: name, address, log, witness } = partner;
  const cosigned = witnesses.cosignedOf(partner);
  const theirs = cosigned === null ? null : parseCheckpoint(cosigned.checkpoint);
  return {
    organisation: name,
    address,
    log: log ?? '',
    witness: witness ?? '',
    weCosigned: theirs === null ? '' : `${theirs.size} events at ${cosigned?.at}`,
    theyCosigned: latest !== null && hasSigned(witness, latest) ? 'the latest checkpoint' : '',
  };
}
