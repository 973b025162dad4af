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
import type { Session } from '#commands/session.ts';
import { addressStream } from '#domain/address/events.ts';
import { commentStream } from '#domain/comment/state.ts';
import { entryStream } from '#domain/entry/state.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { mediaStream } from '#domain/media/state.ts';
import { userStream } from '#domain/user/state.ts';
import { task } from '#node/rebuild/types.ts';
import { defineVerb, type VerbStore, write } from './verb.ts';

const number = /^[1-9]\d{0,14}$/;
const id = z.string().regex(number, 'a number').describe('its id');
const yes = z.boolean().optional().describe('carry it out; without this, only list what would be erased');

/** Arguments of `erase entry`, `erase media` and `erase comment`; of `erase address`; of `erase user`. */
export const byId = z.object({ id, yes });
export const byAddress = z.object({ email: z.string().min(3).describe('mail address'), yes });
export const byLogin = z.object({ login: z.string().min(1).describe('login name, mail address or id'), yes });

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
      if (args.yes === true) return order(store, (session) => eraseEntry(session, entry));
      const [there, texts] = [store.reader.entry(entry), await store.erasing.reach(entryStream(entry))];
      if (there !== undefined) return notConfirmed(`the ${there.kind} ${entry}, “${there.title}”`, texts);
      if (texts > 0) return notConfirmed(`the deleted entry ${entry}`, texts);
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
      if (args.yes === true) return order(store, (session) => eraseMedia(session, item));
      const [there, texts] = [store.reader.media(item), await store.erasing.reach(mediaStream(item))];
      if (there !== undefined) return notConfirmed(`the media item ${item}, ${there.name}, with its files`, texts);
      if (texts > 0) return notConfirmed(`the deleted media item ${item}, with its files`, texts);
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
      if (args.yes === true) return order(store, (session) => eraseComment(session, comment));
      const [there, texts] = [store.reader.comments.get(comment), await store.erasing.reach(commentStream(comment))];
      if (there !== undefined) return notConfirmed(`the ${there.kind} ${comment} by “${there.name}”`, texts);
      if (texts > 0) return notConfirmed(`the deleted comment ${comment}`, texts);
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
      if (args.yes === true) return order(store, (session) => eraseAddress(session, args.email));
      const digest = knownDigest(store.reader.present(), args.email);
      const texts = digest === null ? 0 : await store.erasing.reach(addressStream(digest));
      if (texts > 0) return notConfirmed(`all that is known of ${args.email}, but not what was written`, texts);
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
      if (args.yes === true) return order(store, (session) => eraseUser(session, who));
      if (found === undefined) {
        const texts = number.test(who) ? await store.erasing.reach(userStream(Number(who))) : 0;
        return texts > 0 ? notConfirmed(`the deleted account ${who}`, texts) : unknown(who);
      }
      const what = `the account ${found.id}, ${found.login}, whose ${found.published} published entries stay`;
      return notConfirmed(what, await store.erasing.reach(userStream(found.id)));
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

/** Describes what would happen. This is a refusal, so that no script takes it for success. */
function notConfirmed(what: string, texts: number): Refusal {
  return refuse(
    'erasure_not_confirmed',
    `This would erase ${what}, for good (sealed texts in the log: ${texts}). Say --yes to do it.`,
  );
}

async function order(store: VerbStore, work: (session: Session) => string | Refusal) {
  const stream = await write(store, work);
  return isRefusal(stream) ? stream : ({ erased: stream } satisfies z.infer<typeof erasureOrdered>);
}
