/** The `take` of an upload that takes no file: what is sent is read to its end and not kept. */
export async function takeNoFile(_: unknown, bytes: AsyncIterable<Buffer>): Promise<boolean> {
  for await (const _chunk of bytes);
  return true;
}
