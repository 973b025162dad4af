import { parseCheckpoint } from '#tlog/checkpoint.ts';
import { verifiedCosignatures } from '#tlog/cosignature.ts';
import { BadNote, parseNote, parseVkey, type VerifierKey } from '#tlog/note.ts';
import { consistencyProof, type Subtrees } from '#tlog/tree.ts';
import { encodeSubmission, SIZE_TYPE } from '#tlog/witness.ts';
import type { Partner } from './witnesses.ts';

/** Milliseconds within which a witness has to answer. */
const patience = 10_000;
/** Bytes of an answer: a line for each of its keys. */
const longest = 65_536;

/** Why another server did not do what it was asked for. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
}

export interface Asked {
  /** The signed checkpoint. */
  readonly checkpoint: string;
  readonly tree: Subtrees;
  /** Size of the latest checkpoint that this witness is known to have cosigned; 0: unknown. */
  readonly before: number;
}

/** Asks a witness to cosign a checkpoint (C2SP tlog-witness). Resolves to the lines with its signatures. Rejects with `NotReached`. */
export async function askWitness({ address, witness }: Partner, asked: Asked): Promise<string> {
  const key = parseVkey(witness ?? '');
  const { size } = parseCheckpoint(parseNote(asked.checkpoint).text);
  const submit = (before: number) =>
    send(`${address}/add-checkpoint`, { method: 'POST', body: bodyFor(before, size, asked) });
  let answer = await submit(Math.min(asked.before, size));
  const known =
    answer.status === 409 && answer.type === SIZE_TYPE ? Number(answer.bytes.toString().trim()) : Number.NaN;
  if (Number.isSafeInteger(known) && known <= size && known !== asked.before) answer = await submit(known);
  if (answer.status === 409 && known > size)
    throw new NotReached(`it has cosigned ${known} events, more than there are`);
  if (answer.status !== 200) throw new NotReached(`it answers ${answer.status}`);
  return ownLines(asked.checkpoint, answer.bytes.toString(), key);
}

function bodyFor(before: number, size: number, { checkpoint, tree }: Asked): string {
  return encodeSubmission({ before, proof: consistencyProof(before, size, tree), checkpoint });
}

/** The lines among an answer that are signed by a key. */
function ownLines(checkpoint: string, answer: string, key: VerifierKey): string {
  try {
    const lines = answer.split('\n').filter((line) => line.startsWith(`— ${key.name} `));
    const own = lines.filter((line) => parseNote(`${checkpoint}${line}\n`).signatures.at(-1)?.id === key.id);
    const text = own.map((line) => `${line}\n`).join('');
    if (verifiedCosignatures(parseNote(checkpoint + text), [key]).length === 1) return text;
    throw new NotReached('its answer has no signature by its key');
  } catch (error) {
    throw error instanceof BadNote ? new NotReached(error.message) : error;
  }
}

/** A short text, such as a key. Rejects with `NotReached`. */
export async function shortTextAt(address: string): Promise<string> {
  const { status, bytes } = await send(address, {});
  if (status !== 200) throw new NotReached(`${address} answers ${status}`);
  return bytes.toString().trim();
}

/** Sends something to an address. Resolves to the answer. Rejects with `NotReached`, also if the address does not take it. */
export async function postTo(
  address: string,
  body: string | Uint8Array<ArrayBuffer>,
  type = 'text/plain; charset=utf-8',
): Promise<Buffer> {
  const { status, bytes } = await send(address, { method: 'POST', body, headers: { 'content-type': type } });
  if (status < 200 || status > 299) throw new NotReached(`it answers ${status}`);
  return bytes;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly bytes: Buffer;
}

async function send(address: string, how: RequestInit): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(patience);
    const answer = await fetch(address, { ...how, signal, redirect: 'error' });
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of answer.body ?? []) {
      length += piece.length;
      if (length > longest) throw new NotReached('its answer is too long');
      pieces.push(piece);
    }
    const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
    return { status: answer.status, type, bytes: Buffer.concat(pieces) };
  } catch (error) {
    if (error instanceof NotReached) throw error;
    throw new NotReached(`it cannot be reached: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
