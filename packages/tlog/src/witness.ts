import { type LogCheckpoint, parseCheckpoint } from './checkpoint.ts';
import {
  BadNote,
  fromBase64,
  type Note,
  parseNote,
  signatureLine,
  toBase64,
  type VerifierKey,
  verifiedKeys,
} from './note.ts';
import { type Digest, isConsistent, sameDigest } from './tree.ts';

/** The protocol by which a log asks for cosignatures (C2SP tlog-witness). */

/** What a log sends to a witness. */
export interface Submission {
  /** Size of the latest checkpoint that the witness is believed to have cosigned; 0: none. */
  readonly before: number;
  readonly proof: readonly Digest[];
  /** The signed checkpoint. */
  readonly checkpoint: string;
}

/** What a witness knows of a log. */
export interface WitnessedLog {
  readonly keys: readonly VerifierKey[];
  /** The latest checkpoint that it has cosigned; null: none. */
  readonly latest: { readonly size: number; readonly root: Digest } | null;
}

export type Judgement =
  /** To be cosigned, once it has been recorded that it is the latest. */
  | { readonly status: 200; readonly checkpoint: LogCheckpoint; readonly text: string }
  /**
   * `size`: of the latest checkpoint that was cosigned. `fork`: the note with which the log has signed another one of that size, with another
   * root, and its own signatures alone; null: it has not.
   */
  | { readonly status: 409; readonly size: number; readonly fork: string | null }
  | { readonly status: 422; readonly reason: string }
  | { readonly status: 400 | 403 | 404; readonly reason: string };

/** The type of an answer that is a size. */
export const SIZE_TYPE = 'text/x.tlog.size';
const MAX_HASHES = 63;
const SIZE = /^old (0|[1-9]\d{0,15})$/;

export function encodeSubmission({ before, proof, checkpoint }: Submission): string {
  return `${[`old ${before}`, ...proof.map(toBase64)].join('\n')}\n\n${checkpoint}`;
}

/** Throws `BadNote`. */
export function parseSubmission(body: string): Submission {
  const end = body.indexOf('\n\n');
  const [first = '', ...lines] = body.slice(0, Math.max(end, 0)).split('\n');
  const [, size] = SIZE.exec(first) ?? [];
  const proof = lines.map(fromBase64);
  if (size === undefined || !Number.isSafeInteger(Number(size)))
    throw new BadNote('the first line is not "old <size>"');
  if (proof.length > MAX_HASHES || proof.some((hash) => hash?.length !== 32))
    throw new BadNote('the proof is malformed');
  return { before: Number(size), proof: proof as Digest[], checkpoint: body.slice(end + 2) };
}

/** Judges what a log has sent. `logOf`: what is known of the log of an origin; undefined: it is not witnessed here. */
export function judgeSubmission(body: string, logOf: (origin: string) => WitnessedLog | undefined): Judgement {
  try {
    const { before, proof, checkpoint: signed } = parseSubmission(body);
    const note = parseNote(signed);
    const checkpoint = parseCheckpoint(note.text);
    const log = logOf(checkpoint.origin);
    if (log === undefined) return { status: 404, reason: 'the log is not witnessed here' };
    const signing = verifiedOf(note, log.keys);
    if (signing.length === 0) return { status: 403, reason: 'no key of the log has signed it' };
    if (before > checkpoint.size) return { status: 400, reason: 'the old size is above that of the checkpoint' };
    return compared(checkpoint, {
      before,
      proof,
      note: { ...note, signatures: signaturesOf(note, signing) },
      latest: log.latest,
    });
  } catch (error) {
    if (!(error instanceof BadNote)) throw error;
    return { status: 400, reason: error.message };
  }
}

const inconsistent: Judgement = {
  status: 422,
  reason: 'the proof does not lead from the latest checkpoint to this one',
};

interface Comparing extends Pick<Submission, 'before' | 'proof'>, Pick<WitnessedLog, 'latest'> {
  /** With the signatures of the log alone. */
  readonly note: Note;
}

function compared(checkpoint: LogCheckpoint, { before, proof, note, latest }: Comparing): Judgement {
  const { text, signatures } = note;
  const size = latest?.size ?? 0;
  if (before !== size) return { status: 409, size, fork: null };
  if (latest === null || size === 0) {
    return proof.length === 0 ? { status: 200, checkpoint, text } : inconsistent;
  }
  if (size === checkpoint.size && !sameDigest(latest.root, checkpoint.root))
    return { status: 409, size, fork: `${text}\n${signatures.map(signatureLine).join('')}` };
  return isConsistent({ before: latest, after: checkpoint, proof }) ? { status: 200, checkpoint, text } : inconsistent;
}

function signaturesOf({ signatures }: Note, keys: readonly VerifierKey[]): Note['signatures'] {
  return signatures.filter(({ name, id }) => keys.some((key) => key.name === name && key.id === id));
}

/** A false signature counts as none: it may be that of another log with the same name and id. */
function verifiedOf(note: Note, keys: readonly VerifierKey[]): VerifierKey[] {
  try {
    return verifiedKeys(note, keys);
  } catch (error) {
    if (error instanceof BadNote) return [];
    throw error;
  }
}
