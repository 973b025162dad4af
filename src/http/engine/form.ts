import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Params } from '#text/query-string.ts';
import { collectVariables } from '#text/query-string.ts';
import { NO_ROOM, TOO_LARGE } from './limits.ts';
import { boundaryIn, readPartHead } from './part-head.ts';
import { CutShort, type FormPart, formPartsOf } from './parts.ts';
import type { IncomingFile } from './types.ts';

/** Receives a file; false if the rest of the body need not be read. */
export type TakeFile = (
  file: IncomingFile & { readonly type: string },
  bytes: AsyncIterable<Buffer>,
) => Promise<boolean>;

export type Form = { readonly params: Params } | { readonly refusal: Refusal };

export interface FormOptions {
  /** The `Content-Type` header. */
  readonly type: string;
  /** Maximum bytes of all fields together. */
  readonly limit: number;
  /** Reserves memory for the bytes of a field; false if there is none left. */
  readonly hold?: ((bytes: number) => boolean) | undefined;
  readonly take: TakeFile;
}

const MAX_PARTS = 2000;
const NAMELESS = refuse('rest_invalid_multipart', 'A field of the multipart body has no name.');
const TOO_MANY = refuse('rest_invalid_multipart', `The multipart body has more than ${MAX_PARTS} parts.`);

/**
 * Reads a multipart form part by part. Of a truncated form, the parts that arrived count; parts that are neither fields nor files
 * are skipped. Rejects with the errors of `chunks` and of `take`.
 */
export async function readForm(chunks: AsyncIterable<Buffer>, { type, limit, hold, take }: FormOptions): Promise<Form> {
  const fields = collectVariables();
  const boundary = boundaryIn(type);
  if (boundary === null) return { params: fields.params() };
  let parts = 0;
  let size = 0;
  try {
    for await (const part of formPartsOf(chunks, boundary)) {
      parts += 1;
      if (parts > MAX_PARTS) return { refusal: TOO_MANY };
      const head = readPartHead(part.head);
      if (head === null) continue;
      if (head.file !== null) {
        const file = { field: head.name ?? '', name: head.file, type: head.type };
        if (!(await take(file, part.bytes))) break;
        continue;
      }
      if (head.name === null) return { refusal: NAMELESS };
      const value = await wholeOf(part, { limit: limit - size, hold });
      if (!Buffer.isBuffer(value)) return { refusal: value };
      size += value.length;
      fields.add(head.name, value.toString('utf8'));
    }
  } catch (error) {
    if (!(error instanceof CutShort)) throw error;
  }
  return { params: fields.params() };
}

async function wholeOf(
  { bytes }: FormPart,
  { limit, hold }: Pick<FormOptions, 'limit' | 'hold'>,
): Promise<Buffer | Refusal> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > limit) return TOO_LARGE;
    if (hold?.(chunk.length) === false) return NO_ROOM;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
