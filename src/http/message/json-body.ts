import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { convertible, isRecord } from '#text/shapes.ts';
import { jsonFault, MAX_LEVELS, NO_ROOM, TOO_LARGE } from './limits.ts';

export type ParsedJson = { readonly params: Readonly<Record<string, unknown>> | null } | { readonly refusal: Refusal };

export interface UnreadBody {
  readonly bytes: Readable;
  /** Maximum bytes that are held in memory: everything but files. */
  readonly limit: number;
  /** Reserves memory for bytes; false if there is none left. */
  readonly hold?: (bytes: number) => boolean;
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

const FAULTS = {
  depth: [1, 'Maximum stack depth exceeded'],
  control: [3, 'Control character error, possibly incorrectly encoded'],
  syntax: [4, 'Syntax error'],
  utf8: [5, 'Malformed UTF-8 characters, possibly incorrectly encoded'],
  surrogate: [10, 'Single unpaired high surrogate in Unicode escape'],
} as const;

/** Bytes of JSON that are parsed without a pause: some milliseconds of work. */
const LONG = 1 << 20;

/**
 * Reads the parameters of a JSON body: null for an empty body or anything but an object, a refusal for malformed JSON. Yields to
 * the event loop between the steps of a long one.
 */
export function parseJsonBody(body: Buffer): ParsedJson | Promise<ParsedJson> {
  const steps = parse(body);
  if (body.length > LONG) return inTurns(steps);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

async function inTurns<T>(steps: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await turn();
  }
}

function* parse(body: Buffer): Generator<undefined, ParsedJson> {
  if (body.length === 0 || (body.length === 1 && body[0] === 0x30)) return { params: null };
  const crowded = yield* jsonFault(body);
  if (crowded !== null) return { refusal: crowded === 'depth' ? broken('depth') : crowded };
  yield;
  if (!isUtf8(body)) return { refusal: broken('utf8') };
  const text = body.toString('utf8');
  yield;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      refusal: broken(error instanceof Error && error.message.includes('control character') ? 'control' : 'syntax'),
    };
  }
  if (typeof value !== 'object' || value === null) return { params: null };
  yield;
  const fault = faultInside(value, SURROGATE_ESCAPE.test(text));
  if (fault !== null) return { refusal: broken(fault) };
  return { params: isRecord(value) ? value : null };
}

function faultInside(root: object, surrogates: boolean): 'depth' | 'surrogate' | null {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) return 'depth';
    const next: object[] = [];
    for (const container of level) {
      if (surrogates && !Object.keys(container).every((key) => key.isWellFormed())) return 'surrogate';
      convertible(container);
      for (const member of Object.values(container)) {
        if (typeof member === 'object' && member !== null) next.push(member);
        else if (surrogates && typeof member === 'string' && !member.isWellFormed()) return 'surrogate';
      }
    }
    level = next;
  }
  return null;
}

function broken(kind: keyof typeof FAULTS): Refusal {
  const [code, message] = FAULTS[kind];
  return refuse('rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: code,
    json_error_message: message,
  });
}

/** Chunks as they arrive. Ending the iteration keeps the connection open, so that a response can still be sent. */
export function chunksOf({ bytes }: UnreadBody): AsyncIterable<Buffer> {
  return bytes.iterator({ destroyOnReturn: false });
}

export async function readRest(body: UnreadBody): Promise<Buffer | Refusal> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    size += chunk.length;
    if (size > body.limit) return TOO_LARGE;
    if (body.hold?.(chunk.length) === false) return NO_ROOM;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Discards up to `most` bytes; false if there are more. */
export async function discard(chunks: AsyncIterable<Buffer>, max: number): Promise<boolean> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > max) return false;
  }
  return true;
}
