import type { Added, Edit } from './edited.ts';

/** Adds the resource `bookmarks`, own to each user, as CONTRIBUTING describes. */
export const bookmarks: readonly (Edit | Added)[] = [
  {
    file: 'src/domain/bookmark/events.ts',
    text: `
import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import { ofUser } from '#domain/kernel/subject.ts';

const number = z.int().min(1);
const user = z.int().min(1);

export const BookmarkAdded = defineEvent({
  type: 'BookmarkAdded',
  summary: 'A user bookmarked an address.',
  schema: z.object({ number, user, url: z.string() }),
  sealed: ['url'],
  erased: { url: '' },
  subjects: ({ data }) => [ofUser(data.user)],
});

export const BookmarkRemoved = defineEvent({
  type: 'BookmarkRemoved',
  summary: 'A user removed a bookmark.',
  schema: z.object({ number, user }),
});

export const bookmarkEvents = [BookmarkAdded, BookmarkRemoved] as const;
export type BookmarkEvent = EventOf<(typeof bookmarkEvents)[number]>;

export const bookmarkSequence: Sequence & { readonly steps: Record<BookmarkEvent['type'], Step> } = {
  kind: 'bookmarks',
  numbered: true,
  steps: {
    BookmarkAdded: { from: [initial, existing], to: existing },
    BookmarkRemoved: { from: [existing] },
  },
};

/** The stream of all bookmarks of a user. */
export const bookmarksStream = (user: number): string => \`bookmarks-\${user}\`;
`,
  },
  {
    file: 'src/domain/bookmark/decide.ts',
    text: `
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { BookmarkEvent } from './events.ts';

export interface Bookmark {
  readonly id: number;
  readonly url: string;
}

/** The bookmarks of a user. Numbers are not used again. */
export interface Bookmarks {
  readonly next: number;
  readonly all: readonly Bookmark[];
}

export const none: Bookmarks = { next: 1, all: [] };

export function evolveBookmarks(state: Bookmarks | null, { type, data }: BookmarkEvent): Bookmarks {
  const { next, all } = state ?? none;
  if (type === 'BookmarkRemoved') return { next, all: all.filter(({ id }) => id !== data.number) };
  return { next: data.number + 1, all: [...all, { id: data.number, url: data.url }] };
}

export function addBookmark({ next, all }: Bookmarks, user: number, url: string): readonly BookmarkEvent[] | Refusal {
  if (all.some((one) => one.url === url)) return refuse('rest_bookmark_exists', 'The address is already bookmarked.');
  return [{ type: 'BookmarkAdded', data: { number: next, user, url } }];
}

export function removeBookmark({ id }: Bookmark, user: number): readonly BookmarkEvent[] {
  return [{ type: 'BookmarkRemoved', data: { number: id, user } }];
}
`,
  },
  {
    file: 'src/catalogue/events.ts',
    at: '\n  { events: clockEvents,',
    change: (found) => `\n  { events: bookmarkEvents, sequence: bookmarkSequence },${found}`,
  },
  {
    file: 'src/catalogue/events.ts',
    at: 'import { clockEvents, clockSequence }',
    change: (found) =>
      [`import { bookmarkEvents, bookmarkSequence } from '#domain/bookmark/events.ts';`, found].join('\n'),
  },
  {
    file: 'src/projections/audit/event-summaries.ts',
    at: '  ClockFoundBehind: {',
    change: (found) => `
  BookmarkAdded: { label: 'Bookmarked', describe: ({ number }) => \`made bookmark \${number}\` },
  BookmarkRemoved: { label: 'Bookmark removed', describe: ({ number }) => \`removed bookmark \${number}\` },
${found}`,
  },
  {
    file: 'src/projections/users/bookmarks.ts',
    text: `
import type { Bookmarks } from '#domain/bookmark/decide.ts';
import { evolveBookmarks } from '#domain/bookmark/decide.ts';
import type { BookmarkEvent } from '#domain/bookmark/events.ts';
import { defineProjection } from '../kernel/define.ts';
import { statesOf } from '../kernel/states.ts';

/** The bookmarks of each user. */
export const bookmarks = defineProjection(
  statesOf<Bookmarks, BookmarkEvent>({
    name: 'bookmarks',
    version: 0,
    area: 'bookmarks',
    touches: ['bookmarks'],
    evolve: (state, { event }) => evolveBookmarks(state, event),
  }),
);
`,
  },
  {
    file: 'src/projections/projector/all.ts',
    at: '\n  plugins,\n',
    change: (found) => `\n  bookmarks,${found}`,
  },
  {
    file: 'src/projections/projector/all.ts',
    at: 'import { users } from',
    change: (found) => `import { bookmarks } from '../users/bookmarks.ts';\n${found}`,
  },
  {
    file: 'src/http/engine/problem.ts',
    at: `  ['rest_term_invalid', 404],`,
    change: (found) => `${found}\n  ['rest_bookmark_invalid_id', 404],`,
  },
  {
    file: 'src/http/tables/bookmarks/routes.ts',
    text: `
import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { addBookmark, type Bookmark, type Bookmarks, none, removeBookmark } from '#domain/bookmark/decide.ts';
import { bookmarksStream } from '#domain/bookmark/events.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { bookmarks } from '#projections/users/bookmarks.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { defineFields, deletedRecord, fieldConstructors, recordSchema } from '../../engine/field.ts';
import { idFrom } from '../../engine/call.ts';
import { pageOf } from '../../engine/listing.ts';
import { address, everywhere } from '../../engine/property.ts';
import { resourceRoutes } from '../../engine/resource.ts';
import type { Answer, Call, Context, Rec, Route } from '../../engine/types.ts';
import { contextArg, pagingArgs } from '../../engine/usual-args.ts';

interface BookmarkTypes {
  readonly kind: null;
  readonly row: Bookmark;
  readonly showing: null;
  readonly model: Model;
  readonly input: unknown;
}

const { int, text } = fieldConstructors<BookmarkTypes>();
const fields = defineFields<BookmarkTypes>([
  int('id', everywhere, 'Number of the bookmark among those of the user.', { readonly: true }),
  text('url', everywhere, 'Address that the bookmark leads to.', { schema: address }),
])(null);

const idArg = { schema: z.int().describe('Number of the bookmark.') };
const { search: _, ...listArgs } = pagingArgs;
const own = { what: 'the bookmarks', permission: () => null };
const shared = { permission: mayUse, depends: () => ['bookmarks'], past: own };

/** Bookmarks: each user has their own. */
export function bookmarkRoutes(): readonly Route<Model, Session>[] {
  return resourceRoutes<Model, Session>({
    namespace: CONTENT,
    path: '/bookmarks',
    schema: () => recordSchema('bookmark', fields.properties()),
    list: { ...shared, args: listArgs, query: list },
    create: { args: { url: { ...fields.args()['url']!, required: true } }, permission: mayUse, command: create },
    show: { ...shared, args: { id: idArg, context: contextArg }, query: show },
    remove: { args: { id: idArg }, permission: mayUse, command: remove },
  });
}

function mayUse({ viewer }: Call<Model>): Refusal | null {
  return viewer.id > 0 ? null : refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');
}

function ownOf({ model, viewer }: Call<Model>): Bookmarks {
  return model.dated(bookmarks).get(viewer.id) ?? none;
}

function find(call: Call<Model>): Bookmark | Refusal {
  const found = ownOf(call).all.find(({ id }) => id === idFrom(call.params['id']));
  return found ?? refuse('rest_bookmark_invalid_id', 'Invalid bookmark ID.');
}

function list(call: Call<Model>): Answer {
  const { names } = call.model.site();
  const page = { url: collectionUrl(call.model), offsets: false, prefix: names.headers };
  const { rows, headers } = pageOf(call, ownOf(call).all, page);
  return { body: { kind: 'list', records: rows.map((row) => recordOf(row, call)) }, headers };
}

function show(call: Call<Model>): Answer | Refusal {
  const row = find(call);
  return isRefusal(row) ? row : { body: { kind: 'record', record: recordOf(row, call) } };
}

function create(call: Call<Session>): Answer | Refusal {
  const { model, viewer, params } = call;
  const { next } = ownOf(call);
  const events = addBookmark(ownOf(call), viewer.id, String(params['url']));
  if (isRefusal(events)) return events;
  model.stage(bookmarksStream(viewer.id), events);
  const record = recordOf({ id: next, url: String(params['url']) }, call);
  const headers = { Location: \`\${collectionUrl(model)}/\${next}\` };
  return { body: { kind: 'record', record }, status: 201, headers };
}

function remove(call: Call<Session>): Answer | Refusal {
  const row = find(call);
  if (isRefusal(row)) return row;
  call.model.stage(bookmarksStream(call.viewer.id), removeBookmark(row, call.viewer.id));
  return { body: { kind: 'record', record: deletedRecord(recordOf(row, call)) }, noAllow: true };
}

function recordOf(row: Bookmark, { params }: Call<Model>): Rec {
  return fields.record((params['context'] ?? 'edit') as Context, row, null);
}

function collectionUrl(model: Model): string {
  return \`\${namespaceUrl(model.site(), CONTENT)}/bookmarks\`;
}
`,
  },
  {
    file: 'src/http/tables/all.ts',
    at: '\n    ...pluginListRoutes(deployment),\n',
    change: (found) => `\n    ...bookmarkRoutes(),${found}`,
  },
  {
    file: 'src/http/tables/all.ts',
    at: 'import { commentRoutes } from',
    change: (found) => `import { bookmarkRoutes } from './bookmarks/routes.ts';\n${found}`,
  },
];
