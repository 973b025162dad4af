import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { collectVariables } from './query-string.ts';
import type { Params } from './table.ts';
import type { SentFile } from './types.ts';

export interface Form {
  readonly params: Params;
  readonly files: readonly SentFile[];
}

/** Fields and files of a multipart body. One that cannot be read counts for as much as could be. */
export function parseMultipart(body: Buffer, contentType: string): Promise<Form> {
  const fields = collectVariables();
  const files: SentFile[] = [];
  return new Promise((resolve) => {
    const done = () => resolve({ params: fields.params(), files });
    const parser = openParser(contentType, body.length);
    if (parser === null) return done();
    parser.on('field', (name, value) => fields.add(name, value));
    parser.on('file', (field, stream, name, _encoding, type) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', done);
      stream.on('end', () => files.push({ field, name: name ?? '', type, bytes: Buffer.concat(chunks) }));
    });
    parser.on('error', done);
    parser.on('finish', done);
    parser.end(body);
  });
}

/** A content type without a boundary makes the parser throw. */
function openParser(contentType: string, size: number): BusboyInstance | null {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: size, fileSize: size, fields: 1000, parts: 2000 },
    });
  } catch {
    return null;
  }
}
