import { open } from 'node:fs/promises';
import { z } from 'zod';
import { findAccount, unknown } from '#commands/erasure.ts';
import { freeNameOf } from '#commands/imported-state.ts';
import {
  beginMigration,
  importItems,
  noteComparison,
  trashGone,
  type WantedItem,
  type WantedUnread,
} from '#commands/migration.ts';
import { bySystem, type Session } from '#commands/session.ts';
import { withSubject } from '#commands/undo/subjects.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { StoredFile } from '#domain/media/commands.ts';
import { type ImportedArea, importedAreas } from '#domain/migration/area.ts';
import { anonymous, viewerOf } from '#domain/user/roles.ts';
import type { UploadWork } from '#media/uploads.ts';
import { HistoryDiffers } from '#node/tree/checkpoints.ts';
import { mediaKind } from '#projections/media/store.ts';
import { shownFile } from '#site/addresses/items.ts';
import { postOf } from '#site/rendering/posts.ts';
import { AnswerRendering } from '#site/rendering/rendering.ts';
import { defineVerb, type VerbStore, write } from '../verb.ts';
import { migrationCommits, migrationTarget } from './earlier.ts';
import type { Imported } from './target.ts';

const whole = z.number();
const series = z.object({ item: whole, term: whole, user: whole, comment: whole });
const as = z.string().optional().describe('login of the account whose act it is');

const target = defineVerb({
  name: 'migration target',
  summary: 'What an import has to know of the site.',
  example: 'migration target',
  args: z.object({ origin: z.string().describe('the site behind the source'), as }),
  isQuiet: true,
  isRead: true,
  run: async (store, { origin, as: login }) => actingAs(store, login, () => migrationTarget(store, origin)),
});

const begin = defineVerb({
  name: 'migration begin',
  summary: 'Begins an import.',
  example: 'migration begin',
  args: z.object({
    source: z.string(),
    origin: z.string(),
    form: z.string(),
    by: z.string(),
    highest: series,
    extra: series,
    as,
  }),
  run: (store, { as: login, ...wanted }) =>
    actingAs(store, login, (viewer) => write(store, (session) => beginMigration(session, wanted), viewer)),
});

const importing = defineVerb({
  name: 'migration import',
  summary: 'Imports some items, as one commit.',
  example: 'migration import',
  args: z.object({
    run: whole,
    as,
    overwrites: z.boolean(),
    /** Whether smaller sizes of images are made. */
    resizes: z.boolean(),
    items: z.array(
      z.looseObject({
        key: z.string(),
        area: z.enum(importedAreas),
        id: whole,
        digest: z.string(),
        state: z.looseObject({}),
      }),
    ),
    unread: z.array(
      z.object({
        key: z.string(),
        digest: z.string(),
        data: z.string(),
        whose: z.array(z.string()),
        email: z.string(),
      }),
    ),
    /** Files of media items, by key. */
    files: z.record(z.string(), z.object({ path: z.string(), name: z.string() })),
  }),
  isQuiet: true,
  run: (store, { as: login, ...wanted }) =>
    actingAs(store, login, (viewer) => importGroup(store, wanted as Group, viewer)),
});

const trash = defineVerb({
  name: 'migration trash',
  summary: 'Moves entries to the trash that are gone at their source.',
  example: 'migration trash',
  args: z.object({
    run: whole,
    as,
    items: z.array(z.object({ key: z.string(), area: z.literal('entry'), id: whole, digest: z.string() })),
  }),
  run: (store, { as: login, run, items }) =>
    actingAs(store, login, (viewer) =>
      write(store, (session) => trashGone(session, items, { run, log: store.log }), viewer),
    ),
});

type GroupFile = { readonly path: string; readonly name: string };
interface Group {
  readonly run: number;
  readonly overwrites: boolean;
  readonly resizes: boolean;
  readonly items: readonly WantedItem[];
  readonly unread: readonly WantedUnread[];
  readonly files: Readonly<Record<string, GroupFile>>;
}

const names = defineVerb({
  name: 'migration names',
  summary: 'Which slugs other entries have, and what to use instead.',
  example: 'migration names',
  args: z.object({ items: z.array(z.object({ id: whole, kind: z.string(), slug: z.string(), parent: whole })) }),
  isQuiet: true,
  isRead: true,
  run: async (store, { items }) => {
    const { value } = await store.submit(bySystem, (session) => items.flatMap((item) => otherName(session, item)));
    return value;
  },
});

const states = defineVerb({
  name: 'migration states',
  summary: 'Items as they are, to compare them with a source.',
  example: 'migration states',
  args: z.object({
    items: z.array(z.object({ area: z.enum(importedAreas), id: whole })),
    /** Whether the contents of entries are shown as readers see them. */
    shown: z.boolean(),
  }),
  isQuiet: true,
  isRead: true,
  run: async (store, { items, shown }) => items.map(({ area, id }) => stateOf(store, { area, id, shown })),
});

const compared = defineVerb({
  name: 'migration compared',
  summary: 'Notes what a comparison found, and signs the log.',
  example: 'migration compared',
  args: z.object({ run: whole, equal: whole, differs: whole, unread: whole, digest: z.string() }),
  run: async (store, found) => {
    const noted = await write(store, (session) => noteComparison(session, found));
    if (isRefusal(noted)) return noted;
    const { checkpoints } = store.transparency;
    const { position } = store.log.head();
    try {
      checkpoints.make();
    } catch (error) {
      if (!(error instanceof HistoryDiffers)) throw error;
      return refuse('history_differs', error.message);
    }
    return { position, note: checkpoints.latest?.note ?? '' };
  },
});

const runs = defineVerb({
  name: 'migration commits',
  summary: 'The migrations of a source, and the commits that they made.',
  example: 'migration commits',
  args: z.object({ source: z.string(), name: z.string(), run: whole.optional() }),
  isRead: true,
  run: async ({ log }, { source, name, run }) => migrationCommits(log, [source, name], run),
});

interface NamedEntry {
  readonly id: number;
  readonly kind: string;
  readonly slug: string;
  readonly parent: number;
}

/** What an entry or a file is called instead, if another has its name already, or had it when this was imported. */
function otherName(session: Session, { id, kind, slug, parent }: NamedEntry): { id: number; instead: string }[] {
  const present = kind === mediaKind ? session.media(id)?.slug : session.entry(id)?.slug;
  const isNumbered = present?.startsWith(`${slug}-`) === true && /^\d+$/.test(present.slice(slug.length + 1));
  const instead = present === slug || isNumbered ? present : freeNameOf(session, { id, kind, slug, parent });
  return instead === slug ? [] : [{ id, instead }];
}

/** Internal verbs that `migrate` sends to the process with the store; not for typing. */
export const migrationControls = [target, begin, importing, trash, names, states, compared, runs];

type Act<T> = (viewer: Parameters<typeof write>[2]) => Promise<T>;

async function actingAs<T>(store: VerbStore, login: string | undefined, act: Act<T>): Promise<T | Refusal> {
  if (login === undefined) return act(null);
  const account = findAccount(store.reader, login);
  if (account === undefined) return unknown(login);
  if (account.disabled) return refuse('account_disabled', `The account ${login} is disabled: name another with --as.`);
  return act(viewerOf(account));
}

/** Stores the files, then imports the items: what the log names is there. */
async function importGroup(
  store: VerbStore,
  group: Group,
  viewer: Parameters<typeof write>[2],
): Promise<Imported | Refusal> {
  const works: UploadWork[] = [];
  const unfit: Imported['results'][number][] = [];
  const items: WantedItem[] = [];
  let isSure = false;
  try {
    for (const item of group.items) {
      const file = group.files[item.key];
      const stored = file === undefined ? {} : await storedFile(store, file, { resizes: group.resizes, works });
      if (isRefusal(stored))
        unfit.push({ key: item.key, id: 0, did: 'refused', code: stored.code, message: stored.message });
      else items.push({ ...item, state: { ...item.state, ...stored } } as WantedItem);
    }
    const { run, overwrites, unread } = group;
    const done = await write(
      store,
      (session) => importItems(session, { items, unread }, { run, overwrites, log: store.log }),
      viewer,
    );
    isSure = true;
    if (isRefusal(done)) return done;
    const files = done.flatMap(({ key, id }) =>
      group.files[key] === undefined || id === 0 ? [] : fileOf(store, key, id),
    );
    return { results: [...done, ...unfit], files };
  } finally {
    for (const work of works) await work.close(isSure);
  }
}

type Stored = Omit<StoredFile, 'title' | 'caption'>;

async function storedFile(
  { uploads }: VerbStore,
  { path, name }: GroupFile,
  { resizes, works }: { readonly resizes: boolean; readonly works: UploadWork[] },
): Promise<Partial<Stored> | Refusal> {
  const file = await open(path).catch(() => null);
  if (file === null)
    return refuse('file_gone', `The fetched file ${name} is gone, or cannot be read: import it again.`);
  const work = uploads.open();
  works.push(work);
  const arrived = await work.receive(file.createReadStream(), { md5: false });
  if (arrived === null) {
    const most = Math.floor(uploads.limit / 2 ** 20);
    return refuse('file_too_large', `The file is larger than ${most} MB: raise UPLOAD_LIMIT, and import it again.`);
  }
  const stored = await work.store(arrived, { name, title: null, resizes });
  if (stored === 'type') return refuse('file_type', `The content of ${name} is of no type that this store takes.`);
  if (stored === 'pixels') return refuse('file_pixels', `The image ${name} has too many pixels: raise IMAGE_PIXELS.`);
  const { title: _, caption: __, altText: ___, ...kept } = stored;
  return kept;
}

/** Where a file is, below the uploads, and its sizes. */
function fileOf({ reader }: VerbStore, key: string, id: number): Imported['files'][number][] {
  const item = reader.media(id);
  if (item === undefined) return [];
  const sizes = item.sizes.map(({ width, height }) => `${width}x${height}`);
  return [{ key, path: `${item.folder}/${shownFile(item)}`, sizes }];
}

interface AskedState {
  readonly area: ImportedArea;
  readonly id: number;
  readonly shown: boolean;
}

/** The state of an item, its revisions, and the words of its content as readers see them; null: there is none. */
function stateOf({ reader }: VerbStore, { area, id, shown }: AskedState): object | null {
  const state = withSubject(area, (subject): object | null => subject.read(reader, id));
  if (state === null || area !== 'entry') return state && { state };
  const all = reader.revisions(id).all();
  const row = shown ? reader.entry(id) : undefined;
  const reading = { model: reader, viewer: anonymous, path: '', query: {} };
  return {
    state,
    revisions: all.map((one) => ({ ...one, ...reader.revisionTexts(one) })),
    ...(row === undefined ? {} : { shown: new AnswerRendering(reading).content(postOf(row, reader)) }),
  };
}
