import { describe, expect, it } from 'vitest';
import { readForm } from '#http/message/multipart.ts';

const DATA = 'Content-Disposition: form-data;';
const part = (head: string, value: string) => `--X\r\n${head}\r\n\r\n${value}\r\n`;

async function* inPieces(body: string, size: number): AsyncIterable<Buffer> {
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(body: string, size: number) {
  const files: Record<string, string> = {};
  const take = async ({ name }: { name: string }, bytes: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    files[name] = Buffer.concat(chunks).toString('utf8');
    return true;
  };
  const form = await readForm(inPieces(body, size), {
    type: 'multipart/form-data; boundary=X',
    limit: 1000,
    take,
  });
  return 'refusal' in form ? form.refusal.code : { ...form.params, files };
}

describe.each([1, 7, 100_000])('a form that arrives in pieces of %i bytes', (size) => {
  it.each([
    ['filename="日本ü.txt"', '日本ü.txt'],
    ["filename*=utf-8''%E2%82%AC.txt", '€.txt'],
    ['filename*=UTF-8\'en\'%E2%82%AC.txt; filename="EUR.txt"', '€.txt'],
    ['filename="EUR.txt"; filename*=utf-8\'\'%E2%82%AC.txt', '€.txt'],
    ['filename="EUR.txt"; filename*=utf-8\'\'%', 'EUR.txt'],
    ['filename="C:\\dir\\a.txt"', 'a.txt'],
    ['filename="a\\"b.txt"', 'a"b.txt'],
  ])('names a file by %s', async (given, name) => {
    expect(await read(`${part(`${DATA} name="f"; ${given}`, 'x')}--X--`, size)).toEqual({ files: { [name]: 'x' } });
  });

  it.each([
    ['within a field', `--X\r\n${DATA} name="b"\r\n\r\nhal`],
    ['within the head of a part', `--X\r\n${DATA} na`],
    ['before the delimiter after a field', `--X\r\n${DATA} name="b"\r\n\r\nwhole\r\n`],
    ['within a file', `--X\r\n${DATA} name="f"; filename="a.txt"\r\n\r\nhal`],
    ['within a part that is no field', '--X\r\nX: y\r\n\r\nhal'],
  ])('and ends %s keeps the parts before it, and nothing of that one', async (_, end) => {
    expect(await read(`${part(`${DATA} name="a"`, '1')}${end}`, size)).toEqual({ a: '1', files: {} });
  });

  it.each(['No colon', 'X: a\nb', ': y'])('keeps a field whose head also has the line %j', async (line) => {
    expect(await read(`${part(`${line}\r\n${DATA} name="a"`, '1')}--X--`, size)).toEqual({ a: '1', files: {} });
  });
});
