import { hash } from 'node:crypto';
import { encodeProof, type LogCheckpoint, parseCheckpoint } from '#tlog/checkpoint.ts';
import { verifiedCosignatures } from '#tlog/cosignature.ts';
import { ML_DSA_44, verifiedMlDsa } from '#tlog/ml-dsa.ts';
import {
  BadNote,
  COSIGNATURE,
  ED25519,
  fromBase64,
  type Note,
  parseNote,
  type TypedKey,
  verifiedKeys,
} from '#tlog/note.ts';
import { hasWitnessed, organisationsOf, type TrustPolicy } from '#tlog/policy.ts';
import { type Digest, isConsistent, leafHash, rootByInclusion, sameDigest } from '#tlog/tree.ts';
import { BadProof, type Members, membersIn, type OpenedSeal, openedIn, parsed } from './opened.ts';

/** A proof of events as a file: `docs/proofs.md` describes it, and what a verifier checks. */
export interface ProofBundle {
  /** The signed note. */
  readonly checkpoint: string;
  /** An earlier checkpoint that the log continues, and the proof of it in base64; null: none. */
  readonly before: { readonly checkpoint: string; readonly consistency: readonly string[] } | null;
  readonly events: readonly BundledEvent[];
}

export interface BundledEvent {
  /** The text whose hash is the entry of the log. */
  readonly row: string;
  readonly sealed: OpenedSeal | null;
  /** Hashes in base64. */
  readonly proof: readonly string[];
}

/** An event that is in the log. */
export interface ProvedEvent {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly v: number;
  readonly at: string;
  readonly actor: number | null;
  readonly correlationId: string;
  readonly data: Members;
  /** Whether it has sealed fields. */
  readonly isSealed: boolean;
  /** The sealed fields that the file opens; null if it opens nothing of the event. */
  readonly opened: Members | null;
  /** Names of all of its sealed fields; null if the file does not show which ones it has. */
  readonly names: readonly string[] | null;
}

/** What a file shows, and who vouches for it. */
export interface CheckedProof {
  readonly log: LogCheckpoint;
  readonly before: LogCheckpoint | null;
  readonly events: readonly ProvedEvent[];
  readonly cosigned: readonly CheckedCosignature[];
  /** Those of the policy that have witnessed the checkpoint. */
  readonly organisations: readonly string[];
  /** Names of keys whose signatures were not checked. */
  readonly unchecked: readonly string[];
  /** Checksum of the file, by which it can be named. */
  readonly sha256: string;
}

export interface CheckedCosignature {
  /** Name in the policy, and of the key. */
  readonly witness: string;
  readonly key: string;
  /** Seconds since 1970. */
  readonly time: number;
}

const FORMAT = 'palimpsest proof 1';
const ROW = 'palimpsest event 1';
/** The file of a proof. */
export function encodeBundle({ checkpoint, before, events }: ProofBundle): string {
  const value = { format: FORMAT, checkpoint, before, events };
  return textOf({ ...value, sha256: hash('sha256', textOf(value)) });
}

/** The events of a file as one proof each (C2SP tlog-proof), unchecked. Throws `BadProof`. */
export function tlogProofsIn(file: Uint8Array): { readonly position: number; readonly text: string }[] {
  const { events, checkpoint } = parseBundle(file);
  return events.map(({ row, proof }) => {
    const { position } = parseRow(row);
    return { position, text: encodeProof({ index: position - 1, hashes: digestsIn(proof), checkpoint }) };
  });
}

/** Checks all of a file. Throws `BadProof` if anything does not hold. */
export function checkProof(file: Uint8Array, policy: TrustPolicy): CheckedProof {
  try {
    const { sha256, ...bundle } = parseBundle(file);
    const note = parseNote(bundle.checkpoint);
    const log = parseCheckpoint(note.text);
    const vouched = witnessesOf(note, log, policy);
    const before = bundle.before === null ? null : earlierOf(bundle.before, log, policy);
    const events = bundle.events.map((event, i) => named(`event ${i + 1} of the file`, () => checkedEvent(event, log)));
    checkOrder(events);
    return { log, before, events, ...vouched, sha256 };
  } catch (error) {
    throw error instanceof BadNote ? new BadProof(error.message) : error;
  }
}

function parseBundle(file: Uint8Array): ProofBundle & { readonly sha256: string } {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file);
    value = JSON.parse(text);
  } catch {
    throw new BadProof('the file is no JSON in UTF-8');
  }
  if (!isBundle(value)) throw new BadProof('the file does not have the members of a proof');
  if (textOf(value) !== text) throw new BadProof('the file is not written as proofs are');
  const { sha256, ...rest } = value;
  if (hash('sha256', textOf(rest)) !== sha256) throw new BadProof('the file is damaged: its checksum differs');
  return value;
}

function earlierOf(
  { checkpoint, consistency }: NonNullable<ProofBundle['before']>,
  log: LogCheckpoint,
  policy: TrustPolicy,
): LogCheckpoint {
  return named('the earlier checkpoint', () => {
    const note = parseNote(checkpoint);
    const before = parseCheckpoint(note.text);
    if (before.origin !== log.origin) throw new BadProof('it is of another log');
    checkLogSignature(note, log.origin, policy);
    if (!isConsistent({ before, after: log, proof: digestsIn(consistency) })) {
      throw new BadProof('the log does not continue it');
    }
    return before;
  });
}

function witnessesOf(
  note: Note,
  { origin }: LogCheckpoint,
  policy: TrustPolicy,
): Pick<CheckedProof, 'cosigned' | 'organisations' | 'unchecked'> {
  const signers = checkLogSignature(note, origin, policy);
  const names = new Map([...policy.witnesses].map(([name, key]) => [key, name]));
  const checkable = [...names.keys()].filter(({ type }) => type === COSIGNATURE);
  const cosigned = verifiedCosignatures(note, checkable).map(({ key, time }) => {
    return { witness: names.get(key) ?? '', key: key.name, time, id: key.id };
  });
  const witnesses = new Set(cosigned.map(({ witness }) => witness));
  if (policy.quorum !== null && !hasWitnessed(policy.quorum, policy, witnesses)) {
    throw new BadProof('the checkpoint does not have the cosignatures that the policy asks for');
  }
  const checked = [...signers, ...cosigned.map(({ key, id }) => ({ name: key, id }))];
  const isChecked = (name: string, id: number) => checked.some((one) => one.name === name && one.id === id);
  return {
    cosigned: cosigned.map(({ witness, key, time }) => ({ witness, key, time })),
    organisations: organisationsOf(policy).filter((name) => hasWitnessed(name, policy, witnesses)),
    unchecked: note.signatures.flatMap(({ name, id }) => (isChecked(name, id) ? [] : name)),
  };
}

/** The keys of the log that signed. Signatures of ML-DSA-44 are checked, but do not suffice: other verifiers do not know them. */
function checkLogSignature(note: Note, origin: string, { logs }: TrustPolicy): readonly TypedKey[] {
  const own = logs.filter(({ name }) => name === origin);
  if (own.length === 0) throw new BadProof(`the policy does not name the log ${origin}`);
  const ofType = (wanted: number) => own.filter(({ type }) => type === wanted);
  const cosigned = verifiedCosignatures(note, ofType(COSIGNATURE)).map(({ key }) => key);
  const signers = [...verifiedKeys(note, ofType(ED25519)), ...cosigned];
  if (signers.length === 0) throw new BadProof(`no key of the policy has signed for the log ${origin}`);
  return [...signers, ...verifiedMlDsa(note, ofType(ML_DSA_44)).map(({ key }) => key)];
}

function checkedEvent({ row, sealed, proof }: BundledEvent, { size, root }: LogCheckpoint): ProvedEvent {
  const { digest, ...event } = parseRow(row);
  if (event.position > size) throw new BadProof('it came after the checkpoint');
  const leaf = leafHash(hash('sha256', row, 'buffer'));
  const found = rootByInclusion({ leaf, index: event.position - 1, size, proof: digestsIn(proof) });
  if (found === null || !sameDigest(found, root)) throw new BadProof('it is not in the log');
  if (sealed === null) return { ...event, isSealed: digest !== null, opened: null, names: null };
  const opened = openedIn(sealed, digest, event.data);
  if (opened === null) throw new BadProof('its sealed text is not the one that was recorded');
  return { ...event, isSealed: true, ...opened };
}

function parseRow(
  text: string,
): Omit<ProvedEvent, 'isSealed' | 'opened' | 'names'> & { readonly digest: string | null } {
  const row = parsed(text);
  if (!Array.isArray(row) || row.length !== 16 || !row.every(isScalar) || JSON.stringify(row) !== text) {
    throw new BadProof('its row is malformed');
  }
  const [format, position, stream, revision, type, v, id, commit, index, count, at, actor, ...rest] = row;
  const [correlationId, causationId, data, digest] = rest;
  const texts = [stream, type, id, commit, at, correlationId, data];
  const numbers = [position, revision, v, index, count, actor ?? 0];
  if (
    format !== ROW ||
    !texts.every(isText) ||
    !numbers.every((number) => Number.isSafeInteger(number) && number >= 0) ||
    position < 1 ||
    revision < 1 ||
    !(causationId === null || isText(causationId)) ||
    !(digest === null || (isText(digest) && /^[0-9a-f]{64}$/.test(digest)))
  ) {
    throw new BadProof('its row is malformed');
  }
  return { position, stream, revision, type, v, at, actor, correlationId, data: membersIn(data), digest };
}

function checkOrder(events: readonly ProvedEvent[]): void {
  const revisions = new Map<string, number>();
  let last = 0;
  for (const { position, stream, revision } of events) {
    if (position <= last) throw new BadProof('the events are not in order');
    const before = revisions.get(stream);
    if (before !== undefined && revision !== before + 1) throw new BadProof(`events of ${stream} are missing`);
    revisions.set(stream, revision);
    last = position;
  }
}

function digestsIn(hashes: readonly string[]): Digest[] {
  return hashes.map((text) => {
    const digest = fromBase64(text);
    if (digest?.length !== 32) throw new BadProof('its proof is malformed');
    return digest;
  });
}

function isBundle(value: unknown): value is ProofBundle & { readonly format: string; readonly sha256: string } {
  if (!hasMembers(value, ['format', 'checkpoint', 'before', 'events', 'sha256'])) return false;
  const { format, checkpoint, before, events, sha256 } = value;
  return (
    format === FORMAT &&
    isText(checkpoint) &&
    (before === null ||
      (hasMembers(before, ['checkpoint', 'consistency']) &&
        isText(before['checkpoint']) &&
        areTexts(before['consistency']))) &&
    Array.isArray(events) &&
    events.length > 0 &&
    events.every(isBundled) &&
    isText(sha256)
  );
}

function isBundled(value: unknown): value is BundledEvent {
  if (!hasMembers(value, ['row', 'sealed', 'proof'])) return false;
  const { row, sealed, proof } = value;
  return isText(row) && (sealed === null || isOpenedSeal(sealed)) && areTexts(proof);
}

function isOpenedSeal(value: unknown): value is OpenedSeal {
  if (hasMembers(value, ['salt', 'text'])) return isText(value['salt']) && isText(value['text']);
  if (!hasMembers(value, ['fields']) || !Array.isArray(value['fields'])) return false;
  return value['fields'].every((field) => areTexts(field) && (field.length === 2 || field.length === 3));
}

function hasMembers<N extends string>(value: unknown, names: readonly N[]): value is Record<N, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return JSON.stringify(Object.keys(value)) === JSON.stringify(names);
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function named<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof BadProof || error instanceof BadNote ? new BadProof(`${what}: ${error.message}`) : error;
  }
}
