import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Params } from '#text/query-string.ts';
import { readForm, type TakeFile } from './form.ts';
import type { SentFile } from './types.ts';

export async function parseMultipart(
  body: Buffer,
  type: string,
): Promise<{ readonly form?: Params; readonly files: readonly SentFile[]; readonly broken?: Refusal }> {
  const files: SentFile[] = [];
  const take: TakeFile = async (file, bytes) => {
    const chunks: Buffer[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    files.push({ ...file, bytes: Buffer.concat(chunks) });
    return true;
  };
  const form = await readForm(only(body), { type, limit: body.length, take });
  return 'refusal' in form ? { files, broken: form.refusal } : { form: form.params, files };
}

async function* only(body: Buffer): AsyncIterable<Buffer> {
  yield body;
}
