import { z } from 'zod';
import { addHold, endHold, listHolds } from '#commands/holds.ts';
import type { Session } from '#commands/session.ts';
import type { LegalHold } from '#domain/hold/area.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { gmtNow, isDay, toLocal } from '#domain/time/local.ts';
import { viewerOf } from '#domain/user/roles.ts';
import { positionsOf } from '#projections/audit/period.ts';
import { administratorNamed, recordedReason } from './administrator.ts';
import { defineVerb, UsageError, type VerbStore, write } from './verb.ts';

const STREAM = /^(?:entry|media|comment|user)-[1-9]\d{0,14}$/;
const day = z
  .string()
  .refine(isDay, 'is not a day such as 2027-12-31')
  .describe('last day of the hold, in the time zone of the site');
const as = z.string().min(1).describe('login of the administrator who answers for it');
const reason = recordedReason.describe(
  'why. It is recorded for good, so it should name an order or a case, and no person',
);

const add = defineVerb({
  name: 'hold add',
  summary: 'Places a legal hold: an item, an account or all of a period is not erased until a day.',
  example: 'hold add entry-12 --until 2027-12-31 --as hilda --reason "Case 7/26"',
  positionals: ['what'],
  args: z.object({
    what: z
      .array(z.string().regex(STREAM, 'is none of entry-12, media-15, comment-5, user-3'))
      .describe('what is held, by its stream: entry-12, media-15, comment-5, user-3'),
    from: z.string().min(1).optional().describe('instead: everything that was written from this day or moment on'),
    to: z.string().min(1).optional().describe('to this day or moment'),
    until: day,
    as,
    reason,
  }),
  run: (store, { what, from, to, until, as: login, reason: why }) => {
    const isPeriod = from !== undefined || to !== undefined;
    if (what.length !== Number(!isPeriod))
      throw new UsageError('name one item or account, or a period by --from and --to');
    const positions = isPeriod ? periodIn(store, { from, to }) : { from: 0, to: 0 };
    if (isRefusal(positions)) return Promise.resolve(positions);
    const wanted = { stream: what[0] ?? '', ...positions, day: until, reason: why };
    return inNameOf(store, login, (session, by) => {
      const placed = addHold(session, { by, ...wanted });
      return isRefusal(placed) ? placed : shownAs(placed);
    });
  },
});

const list = defineVerb({
  name: 'hold list',
  isRead: true,
  summary: 'Lists the legal holds that count today.',
  example: 'hold list --json',
  args: z.object({}),
  run: async (store) => {
    const today = toLocal(gmtNow(store.clock.now), store.reader.site().timezone).slice(0, 10);
    return listHolds(store.reader, today).map(shownAs);
  },
});

const lift = defineVerb({
  name: 'hold lift',
  summary: 'Lifts a legal hold before its last day.',
  example: 'hold lift 3 --as hilda --reason "Case 7/26 is closed"',
  positionals: ['hold'],
  args: z.object({
    hold: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'is not a number')
      .describe('its number'),
    as,
    reason,
  }),
  run: (store, { hold, as: login, reason: why }) =>
    inNameOf(store, login, (session, by) => endHold(session, { hold: Number(hold), by, reason: why })),
});

export const holdVerbs = [add, list, lift];

/** A hold of a period names its positions, any other its stream. */
function shownAs({ stream, from, to, ...hold }: LegalHold) {
  return { ...hold, ...(stream === '' ? { from, to } : { stream }) };
}

function periodIn(store: VerbStore, period: { from?: string | undefined; to?: string | undefined }) {
  const found = positionsOf(period, { log: store.log, zone: store.reader.site().timezone });
  if (isRefusal(found)) return found;
  return { from: found.low, to: found.high };
}

async function inNameOf<T>(
  store: VerbStore,
  login: string,
  work: (session: Session, by: number) => T | Refusal,
): Promise<T | Refusal> {
  const account = administratorNamed(store, login, 'hold_not_allowed');
  if (isRefusal(account)) return account;
  return write(store, (session) => work(session, account.id), viewerOf(account));
}
