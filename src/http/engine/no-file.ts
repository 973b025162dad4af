/** `take` of an upload that expects no file: reads the body to its end and discards it. */
export async function takeNoFile(_: unknown, bytes: AsyncIterable<Buffer>): Promise<boolean> {
  for await (const _chunk of bytes);
  return true;
}
