import type { Session } from '#commands/session.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { idFrom } from '../../engine/call.ts';
import type { Call, Route } from '../../engine/types.ts';
import { resourceRoutes } from '../records/resource.ts';
import { entryBodyArgs, entryCollectionArgs, entryDeleteArgs, entryItemArgs, idArg } from './args.ts';
import { prepareTexts } from './body.ts';
import { entrySchema } from './fields.ts';
import {
  findEntry,
  mayCreateEntry,
  mayDeleteEntry,
  mayListEntries,
  mayShowEntry,
  mayUpdateEntry,
  pastOfCollection,
  pastOfEntry,
} from './permissions.ts';
import { isDynamicRow, isLongRow, listEntries, readyEntry, showEntry } from './reads.ts';
import { entryCreation, entryRemoval, entryUpdate } from './writes.ts';

export function entryRoutes(kind: EntryKind): readonly Route<Model, Session>[] {
  return resourceRoutes<Model, Session>({
    namespace: 'cms/v2',
    path: `/${kind.base}`,
    allowBatch: true,
    mayWait: true,
    schema: (model) => entrySchema(kind, model),
    version: versionOf(kind),
    list: {
      args: entryCollectionArgs(kind),
      past: pastOfCollection,
      permission: mayListEntries(kind),
      query: listEntries(kind),
      isLong: ({ sent }) => Number(sent('cursor')) > 0,
      depends: listDependencies(kind),
    },
    create: {
      args: entryBodyArgs(kind),
      permission: mayCreateEntry(kind),
      prepare: prepareTexts,
      showsOwn: true,
      command: entryCreation(kind),
    },
    show: {
      args: entryItemArgs,
      past: pastOfEntry(kind),
      permission: mayShowEntry(kind),
      query: showEntry(kind),
      isLong: ({ model, params, sent }) => {
        const row = model.entry(idFrom(params['id']));
        return row !== undefined && (isDynamicRow(row) || (sent('as_of') !== undefined && isLongRow(row)));
      },
      depends: dependencies,
      ready: readyEntry(kind),
    },
    update: {
      args: { id: idArg, ...entryBodyArgs(kind) },
      permission: mayUpdateEntry(kind),
      prepare: prepareTexts,
      showsOwn: true,
      command: entryUpdate(kind),
    },
    remove: { args: entryDeleteArgs, permission: mayDeleteEntry(kind), command: entryRemoval(kind) },
  });
}

function versionOf(kind: EntryKind): (call: Call<Model>) => string | null {
  return (call) => {
    const row = findEntry(call, kind);
    return isRefusal(row) ? null : String(row.version);
  };
}

// A page can be below a media item.
function listDependencies(kind: EntryKind): (call: Call<Model>) => readonly string[] {
  const shared = ['entries', 'terms', 'site'];
  return ({ params }) => (kind.hierarchical || params['context'] === 'edit' ? [...shared, 'media'] : shared);
}

// The slug suggested to an editor depends on all others, and the address of a page on its ancestors.
function dependencies({ params, model }: Call<Model>): readonly string[] {
  const shared = ['terms', 'site'];
  if (params['context'] === 'edit') return ['entries', 'media', ...shared];
  const id = Number(params['id']);
  return [...model.lineage(id).map((each) => `entry:${each}`), `entry:${id}`, ...shared];
}
