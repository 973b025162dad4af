import type { KeptCheckpoint } from '#node/tree/checkpoints.ts';
import type { Partner } from '#node/tree/witnesses.ts';
import { type LogCheckpoint, parseCheckpoint } from '#tlog/checkpoint.ts';
import { verifiedCosignatures } from '#tlog/cosignature.ts';
import { BadNote, type Note, parseNote, parseVkey, type VerifierKey, verifiedKeys } from '#tlog/note.ts';
import { GrowingRoot, leafHash, sameDigest } from '#tlog/tree.ts';
import { type Check, counted, findingsOf } from './check.ts';

/** A check of what is made of the entries of a log. */
export interface EntriesCheck {
  /** Takes the entries of all events in order. */
  take(entry: Uint8Array): void;
  end(): Check;
}

interface Comparing {
  /** The keys of the site, the present one last; null: signatures are not checked. */
  readonly keys: readonly VerifierKey[] | null;
  /** Those whose cosignatures are checked. */
  readonly partners: readonly Partner[];
  /** What is wrong with lines of the file that are not among the checkpoints. */
  readonly faults: readonly string[];
}

interface Compared extends LogCheckpoint {
  readonly at: string;
}

/** Compares the roots of signed checkpoints with the tree of the log, made anew from its events. */
export function checkCheckpoints(kept: readonly KeptCheckpoint[], { keys, partners, faults }: Comparing): EntriesCheck {
  const findings = findingsOf('checkpoints');
  for (const fault of faults) findings.add(`Of the checkpoints, ${fault}`);
  const cosigned = new Set<string>();
  let latestCosigned = 0;
  const compared = kept.flatMap(({ at, note }): Compared[] => {
    try {
      const parsed = parseNote(note);
      if (keys !== null && verifiedKeys(parsed, keys).length === 0) {
        const name = keys.at(-1)?.name;
        const isOther = parsed.signatures.some((signature) => signature.name === name);
        findings.add(`The checkpoint of ${at} is ${isOther ? 'signed by another key of' : 'not signed by'} ${name}`);
      }
      const checkpoint = parseCheckpoint(parsed.text);
      const by = cosignersOf(parsed, partners);
      for (const { organisation } of by) cosigned.add(organisation);
      if (by.length > 0) latestCosigned = Math.max(latestCosigned, checkpoint.size);
      return [{ at, ...checkpoint }];
    } catch (error) {
      if (!(error instanceof BadNote)) throw error;
      findings.add(`The checkpoint of ${at} cannot be accepted: ${error.message}`);
      return [];
    }
  });
  const bySize = Map.groupBy(compared, ({ size }) => size);
  const tree = new GrowingRoot();
  const compare = () => {
    for (const { root, size, at } of bySize.get(tree.size) ?? []) {
      if (!sameDigest(root, tree.root)) findings.add(`This is not the log that was signed at ${at}`, size);
    }
  };
  compare();
  return {
    take(entry) {
      tree.append(leafHash(entry));
      compare();
    },
    end() {
      for (const { at, size } of compared) {
        if (size > tree.size) findings.add(`The log ends before what was signed at ${at}`, size);
      }
      const newest = compared.reduce((most, { size }) => Math.max(most, size), 0);
      const signed = keys === null ? 'signatures not checked' : `signed by ${keys.at(-1)?.name}`;
      const since = compared[0]?.at.slice(0, 10);
      const witnesses =
        cosigned.size === 0 ? '' : `; cosigned up to position ${latestCosigned} by ${[...cosigned].sort().join(', ')}`;
      const range = `${counted(bySize.size, bySize.size === 1 ? 'checkpoint' : 'checkpoints')} since ${since} up to position ${newest}`;
      return findings.end(`${range}, ${signed}${witnesses}`);
    },
  };
}

/** Whose cosignatures a note has. Throws `BadNote` for false ones. */
function cosignersOf(note: Note, partners: readonly Partner[]): readonly Partner[] {
  const keys = partners.flatMap((partner) =>
    partner.witness === null ? [] : { ...parseVkey(partner.witness), partner },
  );
  return verifiedCosignatures(note, keys).map(({ key }) => key.partner);
}
