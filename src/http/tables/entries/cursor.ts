import { z } from 'zod';
import { invalidParam, type Refusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { mayReadPast } from '#site/rights.ts';
import type { Arg, Call } from '../../engine/types.ts';

/** Pages that do not drift: which items a list has, and in which order, is as of one position; what they show is as of now. */
export interface PageCursor {
  /** Finds the items. */
  readonly model: Model;
  /** Parameters for the addresses of other pages. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Parameters that would tell of a single item what it was. */
const NAMING = ['search', 'include', 'slug'];
const BEGINNING = 'now';
/** Events after which the pages of a list can no longer be gone on with. */
const longest = 20_000;

export const cursorArg: Arg<Model> = {
  schema: z
    .string()
    .describe('Keeps pages from drifting: now for the first page; the address of the next one has its position.'),
  hidden: true,
  pass: 2,
};

/** The cursor of a request; null for none. Those who may not see the past cannot look for one item in it. */
export function pageCursorIn({ params, sent, model, viewer }: Call<Model>): PageCursor | Refusal | null {
  const given = params['cursor'];
  if (sent('cursor') === undefined || typeof given !== 'string') return null;
  if (sent('as_of') !== undefined) return invalidParam('cursor', 'A cursor does not go with as_of: send one of them.');
  const telling = NAMING.find((name) => sent(name) !== undefined);
  if (telling !== undefined && !mayReadPast(viewer))
    return invalidParam('cursor', `A cursor does not go with ${telling}: leave one of them out.`);
  const now = model.position;
  if (given !== BEGINNING && !/^\d{1,15}$/.test(given))
    return invalidParam(
      'cursor',
      'A cursor is now, or the position in the address of a next page: begin with cursor=now.',
    );
  const position = given === BEGINNING ? now : Number(given);
  if (position > now) return invalidParam('cursor', `The log ends at position ${now}: begin with cursor=now.`);
  if (now - position > longest)
    return invalidParam('cursor', 'Too much has changed since this cursor was made: begin again with cursor=now.');
  return { model: position === now ? model : model.earlier(position), params: { cursor: String(position) } };
}
