import { createHash } from 'node:crypto';

/** Milliseconds that the work takes on an idle processor of today. */
const usual = 25;

process.env['TEST_SLOWNESS'] ??= String(Math.max(1, Math.min(20, Math.ceil(measured() / usual))));
/**
 * How many times slower than usual this machine is, at least 1, as a whole number. Waits and time limits grow with it. It is measured once:
 * the processes of a run inherit it, so that a shorter limit of one stays shorter than a longer limit of another.
 */
export const slowness = Number(process.env['TEST_SLOWNESS']);

function measured(): number {
  const began = performance.now();
  let digest = Buffer.alloc(64);
  for (let i = 0; i < 10_000; i++) digest = createHash('sha256').update(digest).digest();
  return performance.now() - began;
}
