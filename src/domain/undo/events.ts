import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';

export type UndoEvent = EventOf<(typeof undoEvents)[number]>;

/** The single stream of what was undone. */
export const undoStream = 'undo';

export const CommitsUndone = defineEvent({
  type: 'CommitsUndone',
  summary: 'Earlier commits were undone: the other events of this commit give back what they had changed.',
  schema: z.object({
    commits: limited.list(z.int().min(1)).describe('positions at which they begin, in order'),
    left: z.int().min(0).describe('number of their changes that were left as they are, because of later ones'),
  }),
});

export const undoEvents = [CommitsUndone] as const;

export const undoSequence: Sequence & { readonly steps: Record<UndoEvent['type'], Step> } = {
  kind: undoStream,
  numbered: false,
  steps: { CommitsUndone: { from: [initial, existing], to: existing } },
};
