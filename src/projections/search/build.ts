import { foldText } from '#text/fold.ts';
import { NumberSink, toByteString } from './bytes.ts';
import { zones } from './places.ts';
import type { Segment } from './segment.ts';
import { SegmentWriter } from './segment-writer.ts';
import { cutText, marks } from './tokens.ts';
import { allColumns, type TextsOf } from './types.ts';
import { UnitCollector } from './unit-collector.ts';

/** Characters from which a text is processed with pauses. */
const long = 1 << 18;

/**
 * Indexes the texts of some entries, in ascending order, in steps of a few milliseconds; entries without texts are left out. Null if none
 * is left.
 */
export function* buildSegment(ords: readonly number[], textsOf: TextsOf): Generator<void, Segment | null> {
  const collector = new UnitCollector();
  const found = new NumberSink();
  for (const ord of ords) {
    const texts = textsOf(ord);
    if (texts === undefined) continue;
    for (const [zone, column] of zones.entries()) {
      const text = texts[allColumns[column]!];
      const isLong = text.length > long;
      if (isLong) yield;
      const folded = foldText(text);
      if (isLong) yield;
      yield* collect(folded, zone, collector);
    }
    found.push(ord);
    yield;
  }
  if (found.size === 0) return null;
  const writer = new SegmentWriter(found.view(), collector.starts());
  yield* collector.each((unit, positions) => writer.add(unit, positions));
  return yield* writer.finish();
}

function* collect(text: string, zone: number, collector: UnitCollector): Generator<void> {
  const bytes = toByteString(text);
  if (text.length > long) yield;
  const hasBlank = yield* cutText(bytes, (token, from, to) => collector.add(zone, token, from, to));
  if (hasBlank) collector.addAside(zone, marks.blank);
  collector.endText(zone);
}
