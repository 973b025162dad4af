import type { EventStore } from '#eventstore/port.ts';
import type { Reporter } from '#process/reporter.ts';
import { parseCheckpoint } from '#tlog/checkpoint.ts';
import { hasSigned } from '#tlog/cosignature.ts';
import { parseNote } from '#tlog/note.ts';
import { askWitness, NotReached } from './asking.ts';
import { CheckpointKeys } from './checkpoint-keys.ts';
import { Checkpoints, type KeptCheckpoint } from './checkpoints.ts';
import { LogTree } from './log-tree.ts';
import { CheckpointSinks } from './sinks.ts';
import { type Partner, Witnesses } from './witnesses.ts';

export interface TransparencyOptions {
  readonly dataDir: string;
  /** File with the key of checkpoints; null: the site makes one. */
  readonly givenKey: string | null;
  /** Folders and addresses to which checkpoints are copied. */
  readonly sinks: readonly string[];
  /** Address of a time-stamping authority (RFC 3161); null: none. */
  readonly authority: string | null;
  readonly log: Pick<EventStore, 'read' | 'head'>;
  /** Address of the site: without its scheme, the name of the key and the origin of the checkpoints from the first on. */
  readonly siteUrl: () => string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly reporter: Reporter;
}

/** The tree over the log, its checkpoints, and those who sign them. */
export interface Transparency {
  readonly tree: LogTree;
  readonly keys: CheckpointKeys;
  readonly checkpoints: Checkpoints;
  readonly witnesses: Witnesses;
  /** What is signed of the log; null: nothing yet. */
  signed(): SignedState | null;
  /** Has the latest checkpoint signed by those witnesses that have not yet, and copies it to where it is kept. */
  publish(): Promise<readonly WitnessOutcome[]>;
}

/** The latest checkpoint. */
export interface SignedState {
  /** Number of events. */
  readonly size: number;
  /** UTC, ISO 8601. */
  readonly at: string;
  /** Organisations that have cosigned it, and those that have not yet. */
  readonly cosignedBy: readonly string[];
  readonly missing: readonly string[];
}

export interface WitnessOutcome {
  readonly partner: Partner;
  /** Why it did not sign; '': it did. */
  readonly error: string;
}

export function openTransparency(options: TransparencyOptions): Transparency {
  const { dataDir, givenKey: given, log, siteUrl, clock, reporter } = options;
  const sinks = new CheckpointSinks({ places: options.sinks, authority: options.authority, dataDir, reporter });
  const tree = new LogTree({ dataDir, log, reporter });
  const keys = new CheckpointKeys({ dataDir, given, name: () => nameOf(siteUrl()), clock });
  const checkpoints = new Checkpoints({ dataDir, tree, log, keys, clock, reporter });
  const witnesses = new Witnesses({ dataDir, key: () => keys.signer, clock, reporter });
  const asked = new AskedWitnesses({ tree, checkpoints, witnesses, reporter });
  return {
    tree,
    keys,
    checkpoints,
    witnesses,
    signed: () => checkpoints.latest && signedState(checkpoints.latest, witnesses.partners),
    async publish() {
      const outcomes = await asked.ask();
      if (checkpoints.latest !== null) await sinks.send(checkpoints.latest);
      return outcomes;
    },
  };
}

type Asking = Pick<Transparency, 'tree' | 'checkpoints' | 'witnesses'> & { readonly reporter: Reporter };

class AskedWitnesses {
  readonly #parts: Asking;
  /** Sizes of the checkpoints that witnesses have signed, by address. */
  readonly #signed = new Map<string, number>();
  /** Addresses of those that did not sign the last time, which was reported. */
  readonly #failing = new Set<string>();

  constructor(parts: Asking) {
    this.#parts = parts;
  }

  async ask(): Promise<readonly WitnessOutcome[]> {
    const { checkpoints, witnesses } = this.#parts;
    const { latest } = checkpoints;
    if (latest === null) return [];
    const note = parseNote(latest.note);
    const missing = witnesses.partners.filter(
      (partner) => partner.witness !== null && !hasSigned(partner.witness, note),
    );
    const answers = await Promise.all(missing.map((partner) => this.#askOne(partner, latest)));
    const lines = answers.map(({ signature }) => signature).join('');
    if (lines !== '') checkpoints.addSignatures(latest, lines);
    return answers.map(({ partner, error }) => ({ partner, error }));
  }

  async #askOne(partner: Partner, { note }: KeptCheckpoint): Promise<WitnessOutcome & { readonly signature: string }> {
    const { address, organisation } = partner;
    const { tree, reporter } = this.#parts;
    try {
      const before = this.#signed.get(address) ?? 0;
      const signature = await askWitness(partner, { checkpoint: note, tree: tree.tree, before });
      this.#signed.set(address, parseCheckpoint(parseNote(note).text).size);
      this.#failing.delete(address);
      return { partner, error: '', signature };
    } catch (error) {
      if (!(error instanceof NotReached)) throw error;
      if (!this.#failing.has(address))
        reporter.warning(`${organisation} has not cosigned a checkpoint: ${error.message}`);
      this.#failing.add(address);
      return { partner, error: error.message, signature: '' };
    }
  }
}

/** Cosignatures were verified when they were added. */
function signedState({ at, note }: KeptCheckpoint, partners: readonly Partner[]): SignedState {
  const parsed = parseNote(note);
  const asked = partners.filter(({ witness }) => witness !== null);
  const organisations = (of: readonly Partner[]) => [...new Set(of.map(({ organisation }) => organisation))];
  const cosignedBy = organisations(asked.filter(({ witness }) => hasSigned(witness, parsed)));
  const missing = organisations(asked).filter((name) => !cosignedBy.includes(name));
  return { size: parseCheckpoint(parsed.text).size, at, cosignedBy, missing };
}

function nameOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/(?<!\/)\/+$/, '');
}
