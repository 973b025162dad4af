import { foldText } from '#text/fold.ts';
import type { EntryTexts } from '../collection/types.ts';
import { NumberSink } from './bytes.ts';
import { listsOf, sideLists } from './column-postings.ts';
import type { Segment } from './segment.ts';
import { SegmentWriter } from './segment-writer.ts';
import { allColumns, type TextsOf } from './types.ts';
import { UnitCollector } from './unit-collector.ts';
import { type AddUnit, cutText, type Section, sections, wordsOf } from './units.ts';

// A word that is in this part of the sampled entries makes pairs with the words after it.
const commonShare = 0.25;
const maxCommon = 128;
const sampleSize = 256;

export interface BuildTask {
  /** Entries to cover, ascending; those without texts are left out. */
  readonly ords: readonly number[];
  readonly textsOf: TextsOf;
  /** Words that make pairs, as byte strings; null: find out. */
  readonly common: ReadonlySet<string> | null;
}

/** Indexes the texts of some entries, in steps of a few milliseconds. Null when there is none. */
export function* buildSegment(task: BuildTask): Generator<void, Segment | null> {
  const common = [...(task.common ?? (yield* commonWords(task)))];
  const collectors = newCollectors(common);
  const found = new NumberSink();
  const lengths: number[] = [];
  for (const ord of task.ords) {
    const texts = task.textsOf(ord);
    if (texts === undefined) continue;
    lengths.push(...collect(texts, found.size, { collectors, common: common.length }));
    found.push(ord);
    yield;
  }
  if (found.size === 0) return null;
  const writer = new SegmentWriter(found.view(), Uint16Array.from(lengths));
  for (const [section, collector] of collectors) {
    yield* collector.each(({ unit, number, entries }) => {
      writer.add(unit, entries);
      if (section === 'plain' && number < common.length) writer.markCommon();
    }, found.view());
    writer.endSection();
    yield;
  }
  return writer.finish();
}

type Collectors = ReadonlyMap<Section, UnitCollector>;

function newCollectors(common: readonly string[]): Collectors {
  const collectors = new Map(sections.map((section) => [section, new UnitCollector(listsOf(section))]));
  // The first numbers are theirs, which makes them easy to tell.
  for (const word of common) collectors.get('plain')?.number(word, 0, word.length);
  return collectors;
}

/** Takes in the texts of the entry that is the next; answers their lengths. */
function collect(texts: EntryTexts, entry: number, { collectors, common }: Collected): number[] {
  const add: AddUnit = (section, text, span, sides) =>
    collectors.get(section)!.add(text, span, sides) < common && section === 'plain';
  return allColumns.map((name, column) => {
    const text = foldText(texts[name]);
    cutText(text, add);
    for (const [section, collector] of collectors)
      collector.endList(entry, column, section === 'plain' ? sideLists : []);
    return Math.min(text.length, 0xffff);
  });
}

interface Collected {
  readonly collectors: Collectors;
  /** How many words make pairs; they have the first numbers. */
  readonly common: number;
}

function* commonWords({ ords, textsOf }: BuildTask): Generator<void, ReadonlySet<string>> {
  const counts = new Map<string, number>();
  const step = Math.max(1, Math.floor(ords.length / sampleSize));
  const sample = ords.filter((_, i) => i % step === 0);
  for (const ord of sample) {
    const words = new Set(wordsOf(foldText(textsOf(ord)?.content ?? '')));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    yield;
  }
  const isCommon = (count: number) => count > 1 && count >= sample.length * commonShare;
  const common = [...counts].filter(([, count]) => isCommon(count)).sort((a, b) => b[1] - a[1]);
  return new Set(common.slice(0, maxCommon).map(([word]) => word));
}
