import { nothing, type Sequence, there } from '#domain/kernel/sequence.ts';
import type { Area } from './area.ts';

/** Allows an area's own events, in any order. */
export function areaSequence({ stream, events }: Area): Sequence {
  const step = { from: [nothing, there], to: there };
  return { kind: stream, numbered: false, steps: Object.fromEntries(events.map(({ type }) => [type, step])) };
}
