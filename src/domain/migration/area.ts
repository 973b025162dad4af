import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { ofTheSite, ofUser, type Subjects } from '#domain/kernel/subject.ts';
import { defineArea, onlyKey } from '../plugins/area.ts';

const id = z.int().min(0);
const run = z.int().min(1).describe('number of the migration');
const range = z.object({ from: id, to: id }).describe('a range of ids: `from` is the first, `to` follows the last');

/** What can be imported: items whose state is made what it was at the source. */
export const importedAreas = [
  ...(['user', 'term', 'media', 'entry', 'comment'] as const),
  ...(['site', 'plugin-templates', 'plugin-site-styles'] as const),
] as const;
export type ImportedArea = (typeof importedAreas)[number];

const MigrationBegan = defineEvent({
  type: 'MigrationBegan',
  summary:
    'The import of another site began, or went on. Ids that are free here are kept for what has them there; all that it brings names this migration.',
  schema: z.object({
    run,
    source: limited.address.describe('what is imported: an address, or the name of a file or folder'),
    origin: limited.address.describe('what identifies the site behind it, however it is read: its host and path'),
    form: limited.word.describe('`site`, `wxr` or `folder`'),
    by: limited.name.describe('login of the account, or of the person at the server, who imports'),
    ids: z.object({ item: range, term: range, user: range, comment: range }),
  }),
  sealed: ['by'],
  erased: { by: '' },
  subjects: ({ actor }) => (actor === null || actor === 0 ? ofTheSite() : [ofUser(actor)]),
});

const ItemsImported = defineEvent({
  type: 'ItemsImported',
  summary:
    'The other events of this commit made items what they are at the source of a migration. Dates in them are those of the source; the time of the commit is that of the import.',
  schema: z.object({
    run,
    items: limited.list(
      z.object({
        key: limited.word.describe('what the source calls it: its kind and its id or name there'),
        area: z.enum(importedAreas),
        id,
        digest: limited.word.describe('SHA-256 of what was read of it'),
        addresses: limited
          .list(limited.address)
          .exactOptional()
          .describe('paths at which the source showed it, or led to it, if it has others here'),
        modified: limited.word.exactOptional().describe('when it was last saved there, UTC'),
      }),
    ),
  }),
});

const UnreadKept = defineEvent({
  type: 'UnreadKept',
  summary:
    'Something of an imported site that this store does not use was kept as it was, so that an export gives it back.',
  schema: z.object({
    run,
    key: limited.word.describe('what the source calls it, or what it is part of'),
    digest: limited.word.describe('SHA-256 of what was read of it'),
    whose: limited
      .list(limited.word)
      .describe('whom or what it belongs to, as in `entry-12`, `user-3`: erasing any of these erases it'),
    data: limited.document.describe('as JSON'),
  }),
  sealed: ['data'],
  erased: { data: '' },
  subjects: ({ data: { whose } }) => (whose.length === 0 ? ofTheSite() : whose) as Subjects,
});

const count = z.int().min(0);

const MigrationCompared = defineEvent({
  type: 'MigrationCompared',
  summary: 'What was imported from a source was compared with it, item by item and file by file.',
  schema: z.object({
    run: run.describe('number of the last migration of the source'),
    equal: count.describe('number of items that are here as they are there'),
    differs: count.describe('number of items that are not'),
    unread: count.describe('number of items that were kept as they are, unread'),
    digest: limited.word.describe('SHA-256 of the report, as it stands in its page'),
  }),
});

const migrationEvents = [MigrationBegan, ItemsImported, UnreadKept, MigrationCompared] as const;

export type MigrationEvent = EventOf<(typeof migrationEvents)[number]>;
export type Migration = EventOf<typeof MigrationBegan>['data'];
export type ImportedItem = EventOf<typeof ItemsImported>['data']['items'][number];
export type KeptUnread = EventOf<typeof UnreadKept>['data'];
export type MigrationComparison = EventOf<typeof MigrationCompared>['data'];
export type KeptIds = Migration['ids'];

/** One of two: the migrations, or what an address of a source led to. */
export interface MigrationDocument {
  /** Number of the last migration. */
  readonly last: number;
  /** First id that none has kept. */
  readonly free: { readonly [Of in keyof KeptIds]: number };
  readonly place: Pick<ImportedItem, 'area' | 'id'> | null;
}

const empty: MigrationDocument = { last: 0, free: { item: 0, term: 0, user: 0, comment: 0 }, place: null };

export const migrations = defineArea({
  name: 'migrations',
  events: migrationEvents,
  empty,
  keysOf: ({ type, data }: MigrationEvent) => {
    if (type === 'MigrationBegan') return [onlyKey];
    if (type === 'UnreadKept' || type === 'MigrationCompared') return [];
    return data.items.flatMap(({ addresses = [] }) => addresses.map(importedAddressKey));
  },
  evolve: (document, { type, data }: MigrationEvent, { key }) => {
    if (type === 'MigrationBegan') {
      const { item, term, user, comment } = data.ids;
      const { free } = document;
      return {
        ...document,
        last: data.run,
        free: {
          item: Math.max(free.item, item.to),
          term: Math.max(free.term, term.to),
          user: Math.max(free.user, user.to),
          comment: Math.max(free.comment, comment.to),
        },
      };
    }
    if (type === 'UnreadKept' || type === 'MigrationCompared') return document;
    const found = data.items.findLast(({ addresses = [] }) => addresses.some((one) => importedAddressKey(one) === key));
    return found === undefined ? document : { ...empty, place: { area: found.area, id: found.id } };
  },
});

/** Key of the document of what a path of a source led to. */
export function importedAddressKey(path: string): string {
  return `at ${path.split('/').filter(Boolean).map(normalSegment).join('/')}`;
}

/** Slugs are stored in lower case, with everything outside ASCII escaped. */
function normalSegment(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment)).toLowerCase();
  } catch {
    return segment.toLowerCase();
  }
}
