import { join } from 'node:path';
import { z } from 'zod';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Reporter } from '#process/reporter.ts';
import { parseCheckpoint } from '#tlog/checkpoint.ts';
import { cosign, cosignerOf } from '#tlog/cosignature.ts';
import { COSIGNATURE, encodeVerifier, keyId, parseNote, parseVerifier, parseVkey, type SignerKey } from '#tlog/note.ts';
import { type Judgement, judgeSubmission, SIZE_TYPE, type WitnessedLog } from '#tlog/witness.ts';
import { type CheckedContent, FileDamaged, readChecked, writeChecked } from '../checked-file.ts';
import { holds } from './kept-note.ts';
import { latestKey } from './succession.ts';

/** File of the data directory. */
export const WITNESSES = 'witnesses.json';
/** Each of them is asked about each checkpoint. */
const MAX_PARTNERS = 64;
/** Other histories of one log that are told, and characters of each. */
const mostForks = 16;
const longestFork = 1000;

const vkey = z.string().refine(holds(parseVkey), 'it has no public key').nullable();

const partner = z.object({
  /** Name of the organisation, without blanks. */
  organisation: z.string(),
  /** Where its site takes checkpoints: the submission prefix, without a slash at its end. */
  address: z.string(),
  /** Key of its log, whose checkpoints are cosigned here; null: they are not. */
  log: vkey,
  /** Key with which it cosigns the checkpoints of this site; null: it does not. */
  witness: vkey,
});
/** The latest checkpoint of a log that was cosigned here, and when (UTC, ISO 8601). */
const cosigned = z.object({
  checkpoint: z.string().refine(holds(parseCheckpoint), 'it has no checkpoint'),
  at: z.string(),
});
const file = z.object({
  partners: z.array(partner).readonly(),
  /** By the name of the log, also of those that are not witnessed any more: who comes back has to continue it. */
  cosigned: z.record(z.string(), cosigned),
});
type WitnessesFile = z.infer<typeof file>;

const none: WitnessesFile = { partners: [], cosigned: {} };
const remedy =
  'Nothing is cosigned, and nobody is asked to cosign. Put it back from a backup; without one, move it aside and add the organisations again: what was cosigned before is forgotten then.';

/** An organisation with which a site exchanges cosignatures, in one or both directions. */
export type Partner = z.infer<typeof partner>;

export interface WitnessesOptions {
  readonly dataDir: string;
  readonly key: () => SignerKey;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly reporter: Pick<Reporter, 'warning'>;
}

/** What a site answers to a log that asks for a cosignature. */
export interface CosignAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Those with whom a site exchanges cosignatures, and what it has cosigned. It is not in the event log: it says nothing of the site. */
export class Witnesses {
  readonly #options: WitnessesOptions;
  readonly #path: string;
  #kept: CheckedContent<WitnessesFile | null>;
  /** The notes of other histories that were told, by the name of the log. */
  readonly #forks = new Map<string, Set<string>>();

  constructor(options: WitnessesOptions) {
    this.#options = options;
    this.#path = join(options.dataDir, WITNESSES);
    this.#kept = readChecked(this.#path, file);
  }

  get partners(): readonly Partner[] {
    return this.#known.partners;
  }

  /** The latest checkpoint of the log of a partner that was cosigned here; null: none. */
  cosignedOf({ log }: Partner): z.infer<typeof cosigned> | null {
    return this.#known.cosigned[nameOf(log) ?? ''] ?? null;
  }

  /** The public key of the cosignatures, as text. */
  get verifier(): string {
    return encodeVerifier(cosignerOf(this.#options.key()), COSIGNATURE);
  }

  /** Throws `FileDamaged`, like all that changes what is known. */
  add(added: Partner): Partner | Refusal {
    const { partners } = this.#intact();
    if (
      partners.some(({ organisation, address }) => organisation === added.organisation && address === added.address)
    ) {
      return refuse('witness_exists', `${added.organisation} is there already, with this address`);
    }
    const same = partners.find((one) => one.log !== null && nameOf(one.log) === nameOf(added.log));
    if (same !== undefined) return refuse('log_exists', `the log of ${same.organisation} has the same name`);
    if (partners.length >= MAX_PARTNERS) return refuse('too_many_witnesses', `there can be at most ${MAX_PARTNERS}`);
    this.#save({ partners: [...partners, added] });
    return added;
  }

  /** Takes over the keys that followed those of an organisation, as its notes say. Throws `BadNote` for false ones. */
  follow(organisation: string, successions: readonly string[]): readonly Partner[] | Refusal {
    const isMeant = (one: Partner) => one.organisation === organisation;
    if (!this.#intact().partners.some(isMeant)) return unknown(organisation);
    this.#save({ partners: this.partners.map((one) => (isMeant(one) ? withNextKeys(one, successions) : one)) });
    return this.partners.filter(isMeant);
  }

  /** Removes an organisation, with all of its addresses. */
  remove(organisation: string): readonly Partner[] | Refusal {
    const removed = this.#intact().partners.filter((one) => one.organisation === organisation);
    if (removed.length === 0) return unknown(organisation);
    this.#save({ partners: this.partners.filter((one) => !removed.includes(one)) });
    return removed;
  }

  /** Cosigns a checkpoint of another log, if it continues the latest one. What was cosigned is on disk before anybody sees it. */
  cosign(body: string): CosignAnswer {
    const { cosigned: known } = this.#intact();
    const judged = judgeSubmission(body, (origin) => this.#of(origin));
    if (judged.status !== 200) return this.#refused(judged);
    const { checkpoint, text } = judged;
    const now = this.#options.clock();
    // Anybody can send a public checkpoint again: that costs no write.
    if (known[checkpoint.origin]?.checkpoint !== text) {
      this.#save({
        cosigned: { ...known, [checkpoint.origin]: { checkpoint: text, at: new Date(now).toISOString() } },
      });
    }
    const line = cosign(text, cosignerOf(this.#options.key()), Math.floor(now / 1000));
    return { status: 200, type: 'text/plain; charset=utf-8', text: line };
  }

  #of(origin: string): WitnessedLog | undefined {
    const log = this.partners.find((one) => nameOf(one.log) === origin)?.log;
    if (log == null) return undefined;
    const latest = this.#known.cosigned[origin];
    return { keys: [parseVkey(log)], latest: latest === undefined ? null : parseCheckpoint(latest.checkpoint) };
  }

  #refused(judged: Exclude<Judgement, { status: 200 }>): CosignAnswer {
    if (judged.status !== 409)
      return { status: judged.status, type: 'text/plain; charset=utf-8', text: `${judged.reason}\n` };
    if (judged.fork !== null) this.#noteFork(judged.fork);
    return { status: 409, type: SIZE_TYPE, text: `${judged.size}\n` };
  }

  /** Anybody can send a note again that somebody has signed. */
  #noteFork(note: string): void {
    const { origin } = parseCheckpoint(parseNote(note).text);
    const noted = this.#forks.get(origin) ?? new Set();
    if (noted.has(note) || noted.size === mostForks) return;
    this.#forks.set(origin, noted.add(note));
    const kept = this.#known.cosigned[origin]?.checkpoint ?? '';
    this.#options.reporter.warning(
      `a log has signed two histories: ${JSON.stringify(note.slice(0, longestFork))}, after ${JSON.stringify(kept.slice(0, longestFork))} was cosigned here`,
    );
  }

  get #known(): WitnessesFile {
    return this.#kept.content ?? none;
  }

  /** What is known. Throws `FileDamaged` when that is less than there was: a witness that forgets could cosign two histories. */
  #intact(): WitnessesFile {
    if (this.#kept.fault !== null) this.#kept = readChecked(this.#path, file);
    const { fault } = this.#kept;
    if (fault !== null) throw new FileDamaged(this.#path, { fault, remedy });
    return this.#known;
  }

  #save(changed: Partial<WitnessesFile>): void {
    const kept = { ...this.#intact(), ...changed };
    writeChecked(this.#path, kept);
    this.#kept = { content: kept, fault: null };
  }
}

/** Those with whom a site exchanges cosignatures, as far as they are known. */
export function partnersIn(dataDir: string): readonly Partner[] {
  return readChecked(join(dataDir, WITNESSES), file).content?.partners ?? [];
}

/** What is wrong with what is known of them; null: nothing. */
export function witnessesFault({ dataDir }: { readonly dataDir: string }): FileDamaged | null {
  const path = join(dataDir, WITNESSES);
  const { fault } = readChecked(path, file);
  return fault === null ? null : new FileDamaged(path, { fault, remedy });
}

function unknown(organisation: string): Refusal {
  return refuse('no_such_witness', `no organisation is known as ${organisation}`);
}

/** A site cosigns with the key of its log, so that both are replaced together. */
function withNextKeys(partner: Partner, successions: readonly string[]): Partner {
  const { log, witness } = partner;
  if (log === null) return partner;
  const old = parseVerifier(log);
  const next = latestKey(old, successions);
  const isSame = witness !== null && Buffer.compare(parseVkey(witness).publicKey, old.publicKey) === 0;
  const { name, publicKey } = next;
  const cosigner = { name, publicKey, id: keyId(name, COSIGNATURE, publicKey) };
  return { ...partner, log: encodeVerifier(next), witness: isSame ? encodeVerifier(cosigner, COSIGNATURE) : witness };
}

function nameOf(vkey: string | null): string | null {
  return vkey === null ? null : parseVkey(vkey).name;
}
