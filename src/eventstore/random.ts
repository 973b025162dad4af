import { randomBytes } from 'node:crypto';

const DRAWN_AT_ONCE = 1024;
let drawn: Buffer = Buffer.alloc(0);

/** Random bytes from a pool: a system call for each would cost more than most of their uses. */
export function draw(count: number): Buffer {
  if (drawn.length < count) drawn = randomBytes(Math.max(DRAWN_AT_ONCE, count));
  const bytes = drawn.subarray(0, count);
  drawn = drawn.subarray(count);
  return bytes;
}
