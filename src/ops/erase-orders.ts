import { z } from 'zod';
import { knownDigest } from '#commands/addresses.ts';
import {
  eraseAddress,
  eraseComment,
  eraseEntry,
  eraseMedia,
  eraseUser,
  findAccount,
  unknown,
} from '#commands/erasure.ts';
import { holdOn } from '#commands/holds.ts';
import type { Session } from '#commands/session.ts';
import { addressStream } from '#domain/address/events.ts';
import { commentStream } from '#domain/comment/state.ts';
import { entryStream } from '#domain/entry/state.ts';
import type { ErasureReason } from '#domain/kernel/erasure.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { mediaStream } from '#domain/media/state.ts';
import { viewerOf } from '#domain/user/roles.ts';
import { userStream } from '#domain/user/state.ts';
import { task } from '#node/rebuild/types.ts';
import { administratorNamed, recordedReason } from './administrator.ts';
import { notConfirmed } from './erase-plan.ts';
import { defineVerb, UsageError, type VerbStore, write } from './verb.ts';

const number = /^[1-9]\d{0,14}$/;
const id = z.string().regex(number, 'is not a number').describe('its id');
const ordering = {
  yes: z.boolean().optional().describe('carry it out; without this, only list what goes and what stays'),
  as: z.string().min(1).optional().describe('with --yes: login of the administrator who orders it'),
  reason: recordedReason
    .optional()
    .describe('with --yes: why. It is recorded for good, so it should name an order or a law, and no person'),
};

/** Arguments of `erase entry`, `erase media` and `erase comment`; of `erase address`; of `erase user`. */
export const byId = z.object({ id, ...ordering });
export const byAddress = z.object({ email: z.string().min(3).describe('mail address'), ...ordering });
export const byLogin = z.object({ login: z.string().min(1).describe('login name, mail address or id'), ...ordering });

export const erasureOrdered = z.object({ erased: z.string() });

export const erasureState = z.object({ isDone: z.boolean(), task: task.nullable() });

/** Maximum time for an answer about progress, in milliseconds. */
const timeout = 200;

/** Internal verbs that `erase` sends to the server; not for typing. */
export const eraseControls = [
  defineVerb({
    name: 'erase order entry',
    summary: 'Orders the erasure of an entry.',
    example: 'erase order entry 12 --yes',
    positionals: ['id'],
    args: byId,
    run: async (store, args) => {
      const entry = Number(args.id);
      if (args.yes === true) return order(store, args, (session, why) => eraseEntry(session, entry, why));
      const [there, texts] = [store.reader.entry(entry), await store.erasing.reach(entryStream(entry))];
      const attached = there === undefined ? [] : store.reader.attached(entry);
      const stays = attached.length === 0 ? [] : [`its media items: ${attached.join(', ')} (erase each separately)`];
      if (there !== undefined)
        return notConfirmed({ what: `the ${there.kind} ${entry}, “${there.title}”`, texts, stays });
      if (texts.size > 0) return notConfirmed({ what: `the deleted entry ${entry}`, texts, stays });
      return refuse('entry_not_found', `Nothing is left of an entry ${entry}.`);
    },
  }),
  defineVerb({
    name: 'erase order media',
    summary: 'Orders the erasure of a media item.',
    example: 'erase order media 15 --yes',
    positionals: ['id'],
    args: byId,
    run: async (store, args) => {
      const item = Number(args.id);
      if (args.yes === true) return order(store, args, (session, why) => eraseMedia(session, item, why));
      const [there, texts] = [store.reader.media(item), await store.erasing.reach(mediaStream(item))];
      const also = ['its files, unless another item has the same bytes'];
      const stays = ['images that were edited from it', 'entries that show it'];
      if (there !== undefined)
        return notConfirmed({ what: `the media item ${item}, ${there.name}`, texts, also, stays });
      if (texts.size > 0) return notConfirmed({ what: `the deleted media item ${item}`, texts, also, stays });
      return refuse('media_not_found', `Nothing is left of a media item ${item}.`);
    },
  }),
  defineVerb({
    name: 'erase order comment',
    summary: 'Orders the erasure of a comment.',
    example: 'erase order comment 5 --yes',
    positionals: ['id'],
    args: byId,
    run: async (store, args) => {
      const comment = Number(args.id);
      if (args.yes === true) return order(store, args, (session, why) => eraseComment(session, comment, why));
      const [there, texts] = [store.reader.comments.get(comment), await store.erasing.reach(commentStream(comment))];
      const stays = ['its replies, which move up'];
      if (there !== undefined)
        return notConfirmed({ what: `the ${there.kind} ${comment} by “${there.name}”`, texts, stays });
      if (texts.size > 0) return notConfirmed({ what: `the deleted comment ${comment}`, texts, stays });
      return refuse('comment_not_found', `Nothing is left of a comment ${comment}.`);
    },
  }),
  defineVerb({
    name: 'erase order address',
    summary: 'Orders the erasure of everything that is stored under a mail address.',
    example: 'erase order address ada@example.org --yes',
    positionals: ['email'],
    args: byAddress,
    run: async (store, args) => {
      if (args.yes === true) return order(store, args, (session, why) => eraseAddress(session, args.email, why));
      const digest = knownDigest(store.reader.present(), args.email);
      const texts = digest === null ? new Map() : await store.erasing.reach(addressStream(digest));
      const stays = ['the words of comments'];
      if (texts.size > 0) return notConfirmed({ what: `all that is known of ${args.email}`, texts, stays });
      return refuse('address_not_found', `Nothing is stored under ${args.email}.`);
    },
  }),
  defineVerb({
    name: 'erase order user',
    summary: 'Orders the erasure of a user.',
    example: 'erase order user ada --yes',
    positionals: ['login'],
    args: byLogin,
    run: async (store, args) => {
      const found = findAccount(store.reader, args.login);
      const who = found === undefined ? args.login : String(found.id);
      if (args.yes === true) return order(store, args, (session, why) => eraseUser(session, who, why));
      const words = 'the words of comments';
      if (found === undefined) {
        const texts = number.test(who) ? await store.erasing.reach(userStream(Number(who))) : new Map();
        return texts.size > 0
          ? notConfirmed({ what: `the deleted account ${who}`, texts, stays: [words] })
          : unknown(who);
      }
      const stays = [`its entries, ${found.published} of them published, with an author named “erased”`, words];
      const texts = await store.erasing.reach(userStream(found.id));
      return notConfirmed({ what: `the account ${found.id}, ${found.login}`, texts, stays });
    },
  }),
  defineVerb({
    isQuiet: true,
    name: 'erase state',
    summary: 'Carries out all pending orders, and reports the progress.',
    example: 'erase state',
    args: z.object({}),
    run: async (store): Promise<z.infer<typeof erasureState>> => {
      const isDone = await store.erasing.finish(timeout);
      return { isDone, task: store.erasing.task };
    },
  }),
];

type Ordering = { readonly [Name in 'as' | 'reason']?: string | undefined };

async function order(
  store: VerbStore,
  { as: login, reason }: Ordering,
  work: (session: Session, why: ErasureReason) => string | Refusal,
) {
  if (login === undefined) throw new UsageError('--as is missing: it names the administrator who orders it');
  if (reason === undefined) throw new UsageError('--reason is missing: it is recorded with the order');
  const account = administratorNamed(store, login, 'erasure_not_allowed');
  if (isRefusal(account)) return account;
  const ordered = (session: Session) => {
    const stream = work(session, { by: account.id, reason });
    return isRefusal(stream) ? stream : (holdOn(session, stream) ?? stream);
  };
  const stream = await write(store, ordered, viewerOf(account));
  return isRefusal(stream) ? stream : ({ erased: stream } satisfies z.infer<typeof erasureOrdered>);
}
