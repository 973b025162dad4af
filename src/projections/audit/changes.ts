import type { StoredEvent } from '#eventstore/port.ts';
import type { SummaryTexts } from './event-summary.ts';
import { isErased } from './fields.ts';
import type { History } from './history.ts';
import { lastTold, textNamesOf, textsAfter, textsBefore, textsIn } from './texts.ts';

export interface TextChange {
  /** As in the event, such as `altText`. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export interface TextChanges {
  readonly changes: readonly TextChange[];
  readonly same: readonly string[];
  /** The event with the texts before; null if there were none. */
  readonly base: StoredEvent | null;
  /** True if the texts before or after it have been erased: an empty text then means nothing. */
  readonly erased: boolean;
}

/** Compares the texts of an event with the previous ones of its item; null for events without texts. */
export function changesBy(event: StoredEvent, log: History): TextChanges | null {
  const { stream, revision } = event;
  const after = textsIn(event);
  if (after === null) return null;
  const base = lastTold(stream, revision, log);
  const before = textsBefore(stream, revision, Object.keys(after), log);
  const untold = textNamesOf(stream, log).filter((name) => after[name] === undefined);
  const { changes, same } = compare(before, after);
  return { changes, same: [...same, ...untold], base, erased: isErased(event) || (base !== null && isErased(base)) };
}

/** Compares the texts after two events of a stream; null when one of them has none. */
export function changesBetween(earlier: StoredEvent, later: StoredEvent, log: History): TextChanges | null {
  const [before, after] = [textsAfter(earlier, log), textsAfter(later, log)];
  if (before === null || after === null) return null;
  return { ...compare(before, after), base: earlier, erased: isErased(later) || isErased(earlier) };
}

function compare(before: SummaryTexts, after: SummaryTexts): Pick<TextChanges, 'changes' | 'same'> {
  const all = Object.keys(after).map((name) => ({ name, before: before[name] ?? '', after: after[name] ?? '' }));
  return {
    changes: all.filter((text) => text.before !== text.after),
    same: all.filter((text) => text.before === text.after).map(({ name }) => name),
  };
}
