import { existing, initial, type Sequence } from '#domain/kernel/sequence.ts';
import type { Area } from './area.ts';

/** Allows an area's own events, in any order. */
export function areaSequence({ stream, events }: Area): Sequence {
  const step = { from: [initial, existing], to: existing };
  return { kind: stream, numbered: false, steps: Object.fromEntries(events.map(({ type }) => [type, step])) };
}
