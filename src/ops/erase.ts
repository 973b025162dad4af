import { z } from 'zod';
import { eraseEntry, eraseMedia, eraseUser, findAccount, unknown } from '#commands/erasure.ts';
import type { Session } from '#commands/session.ts';
import { entryStream } from '#domain/entry/state.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { mediaStream } from '#domain/media/state.ts';
import { userStream } from '#domain/user/state.ts';
import { defineVerb, type Store, write } from './verb.ts';

const number = /^[1-9]\d{0,14}$/;
const id = z.string().regex(number, 'a number').describe('its id');
const yes = z.boolean().optional().describe('do it; without this only what would be erased is said');

const entry = defineVerb({
  name: 'erase entry',
  summary: 'Deletes a post, page or product for good and makes its texts unreadable everywhere. Cannot be undone.',
  example: 'erase entry 12 --yes',
  positionals: ['id'],
  args: z.object({ id, yes }),
  run: async (store, args, patience) => {
    const entry = Number(args.id);
    if (args.yes === true) return carryOut(store, patience, (session) => eraseEntry(session, entry));
    const [there, texts] = [store.reader.entry(entry), await store.erasing.reach(entryStream(entry))];
    if (there !== undefined) return notConfirmed(`the ${there.kind} ${entry}, “${there.title}”`, texts);
    if (texts > 0) return notConfirmed(`the deleted entry ${entry}`, texts);
    return refuse('entry_not_found', `Nothing is left of an entry ${entry}.`);
  },
});

const media = defineVerb({
  name: 'erase media',
  summary:
    'Deletes a media item for good, with its files, and makes its texts unreadable everywhere. Cannot be undone.',
  example: 'erase media 15 --yes',
  positionals: ['id'],
  args: z.object({ id, yes }),
  run: async (store, args, patience) => {
    const item = Number(args.id);
    if (args.yes === true) return carryOut(store, patience, (session) => eraseMedia(session, item));
    const [there, texts] = [store.reader.media(item), await store.erasing.reach(mediaStream(item))];
    if (there !== undefined) return notConfirmed(`the media item ${item}, ${there.name}, with its files`, texts);
    if (texts > 0) return notConfirmed(`the deleted media item ${item}, with its files`, texts);
    return refuse('media_not_found', `Nothing is left of a media item ${item}.`);
  },
});

const user = defineVerb({
  name: 'erase user',
  summary: 'Closes an account for good and makes what is known of its owner unreadable. Cannot be undone.',
  example: 'erase user ada --yes',
  positionals: ['login'],
  args: z.object({ login: z.string().min(1).describe('login name or mail address; else the id'), yes }),
  run: async (store, args, patience) => {
    const found = findAccount(store.reader, args.login);
    if (found === undefined) return unknown(args.login);
    if (args.yes === true) return carryOut(store, patience, (session) => eraseUser(session, String(found.id)));
    const what = `the account ${found.id}, ${found.login}, whose ${found.published} published entries stay`;
    return notConfirmed(what, await store.erasing.reach(userStream(found.id)));
  },
});

export const eraseVerbs = [entry, media, user];

/** Says what would happen. It is a refusal, so that no script takes it for done. */
function notConfirmed(what: string, texts: number): Refusal {
  return refuse(
    'erasure_not_confirmed',
    `This would erase ${what}, for good (sealed texts in the log: ${texts}). Say --yes to do it.`,
  );
}

async function carryOut(store: Store, patience: number, order: (session: Session) => string | Refusal) {
  const stream = await write(store, order);
  if (isRefusal(stream)) return stream;
  const isDone = await store.erasing.finish(patience);
  return { erased: stream, state: isDone ? 'done' : 'under way' };
}
