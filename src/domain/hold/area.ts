import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { defineArea, onlyKey } from '../plugins/area.ts';

const id = z.int().min(1);

const HoldPlaced = defineEvent({
  type: 'HoldPlaced',
  summary: 'A legal hold was placed: what it names is not erased until its last day, or until it is lifted.',
  schema: z.object({
    hold: id,
    by: id.describe('user who placed it'),
    stream: limited.word.describe('what is held: entry-12, media-15, comment-5, user-3; empty: a period'),
    from: z.int().min(0).describe('first position of the period; 0: it is of no period'),
    to: z.int().min(0).describe('last position of the period'),
    day: limited.word.describe('last day, in the time zone of the site'),
    reason: limited.title.describe('why. It stays: it should name an order or a case, and no person'),
  }),
});

const HoldLifted = defineEvent({
  type: 'HoldLifted',
  summary: 'A legal hold was lifted before its last day.',
  schema: z.object({ hold: id, by: id.describe('user who lifted it'), reason: limited.title }),
});

export type LegalHold = EventOf<typeof HoldPlaced>['data'];
export type HoldEvent = EventOf<typeof HoldPlaced> | EventOf<typeof HoldLifted>;

/** All holds that were not lifted, and the highest number of all. */
export interface Holds {
  readonly last: number;
  readonly placed: readonly LegalHold[];
}

const empty: Holds = { last: 0, placed: [] };

export const legalHolds = defineArea({
  name: 'holds',
  events: [HoldPlaced, HoldLifted],
  empty,
  keysOf: () => [onlyKey],
  evolve: ({ last, placed }, { type, data }) =>
    type === 'HoldPlaced'
      ? { last: data.hold, placed: [...placed, data] }
      : { last, placed: placed.filter(({ hold }) => hold !== data.hold) },
});

/** Places a hold. `today`: in the time zone of the site. */
export function placeHold(
  wanted: Omit<LegalHold, 'hold'>,
  { last, today }: { readonly last: number; readonly today: string },
): readonly HoldEvent[] | Refusal {
  if (wanted.from > wanted.to) return refuse('hold_of_nothing', 'Nothing was written in that period: name another.');
  if (wanted.day < today) return refuse('hold_in_the_past', 'The last day of a hold has to be today or later.');
  return [{ type: 'HoldPlaced', data: { hold: last + 1, ...wanted } }];
}

export function liftHold(
  { placed }: Holds,
  lifted: EventOf<typeof HoldLifted>['data'],
): readonly HoldEvent[] | Refusal {
  const isPlaced = placed.some(({ hold }) => hold === lifted.hold);
  return isPlaced
    ? [{ type: 'HoldLifted', data: lifted }]
    : refuse('hold_not_found', `There is no hold ${lifted.hold}.`);
}

/** The holds that still count. `today`: in the time zone of the site. */
export function standingHolds({ placed }: Holds, today: string): readonly LegalHold[] {
  return placed.filter(({ day }) => day >= today);
}

/** Why something may not be erased; null if it may. */
export function heldRefusal(found: LegalHold | undefined): Refusal | null {
  if (found === undefined) return null;
  const { hold, day, reason } = found;
  const message = `Something that this would erase is on legal hold ${hold} until ${day} (${reason}): order it after that day, or lift the hold.`;
  return refuse('erasure_held', message, { hold, until: day });
}
