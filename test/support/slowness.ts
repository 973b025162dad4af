import { createHash } from 'node:crypto';

/** Milliseconds that the work takes on an idle processor of today. */
const usual = 25;

/** How many times slower than usual this machine is at the moment, at least 1, as a whole number. Waits and time limits grow with it. */
export const slowness = Math.max(1, Math.min(20, Math.ceil(measured() / usual)));

function measured(): number {
  const began = performance.now();
  let digest = Buffer.alloc(64);
  for (let i = 0; i < 10_000; i++) digest = createHash('sha256').update(digest).digest();
  return performance.now() - began;
}
