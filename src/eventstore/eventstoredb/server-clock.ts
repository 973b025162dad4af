import type { StreamClient } from './client.ts';
import { newId } from './seal.ts';

/** Readings kept in the stream: several nodes may ask at the same time. */
const KEPT = 20;

/**
 * Compares a clock with the server's: appends an event to a separate stream and reads the time that the server gave it. Returns the least
 * number of milliseconds by which the clock is ahead (negative: behind); null if the server gives no times.
 */
export async function compareWithServer(
  client: StreamClient,
  site: string,
  clock: () => number,
): Promise<number | null> {
  const stream = `${site}-clock`;
  const id = newId();
  const sent = clock();
  await client.append(stream, [{ id, type: 'ClockRead', data: new Uint8Array(), metadata: new Uint8Array() }], 'any');
  const answered = clock();
  const recent = await client.read(stream, { backwards: true, limit: KEPT });
  const mine = recent.find((event) => event.id === id);
  if (mine === undefined || mine.created === null) return null;
  if (mine.revision === 0) {
    const data = { $maxCount: KEPT } as never;
    await client.setMetadata(stream, { id: newId(), type: '$metadata', data, metadata: new Uint8Array() });
  }
  const [min, max] = [sent - mine.created, answered - mine.created];
  return min > 0 ? min : Math.min(0, max);
}
