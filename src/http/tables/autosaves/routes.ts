import { z } from 'zod';
import * as revisions from '#commands/revisions.ts';
import type { Session } from '#commands/session.ts';
import type { EntryFields } from '#domain/entry/commands.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { idFrom } from '../../engine/call.ts';
import type { Answer, Arg, Args, Call, Route } from '../../engine/types.ts';
import { entryBodyArgs } from '../entries/args.ts';
import { entryMetaRefusal, prepareTexts } from '../entries/body.ts';
import { entryFieldsOf } from '../entries/fields.ts';
import { findEntry, mayUpdateEntry } from '../entries/permissions.ts';
import { contextArg } from '../records/usual-args.ts';
import { lateRenderingOf } from '../rendering.ts';
import { revisionSchema } from '../revisions/fields.ts';
import { mayReadRevision } from '../revisions/permissions.ts';
import { autosaveRecord, listAutosaves, savedRecord, showAutosave } from './reads.ts';

const autosave =
  (kind: EntryKind, input: AutosaveBody['input']) =>
  (call: Call<Session>): Answer | Refusal => {
    const { model } = call;
    const row = findEntry(call, kind);
    if (isRefusal(row)) return row;
    const saved = revisions.autosaveEntry(model, row.id, input(call));
    if (isRefusal(saved)) return saved;
    const refusal = entryMetaRefusal(call, kind);
    if (refusal !== null) return refusal;
    const now = model.entry(row.id) ?? row;
    const how = { call, context: 'edit', rendering: lateRenderingOf(call) } as const;
    const record = saved === null ? savedRecord(now, how) : autosaveRecord(saved, now, how);
    return { body: { kind: 'record', record } };
  };

const parent: Arg<Model> = { schema: z.int().describe('The ID for the parent of the autosave.'), pass: 2 };
const id: Arg<Model> = { schema: z.int().describe('The ID for the autosave.'), pass: 2 };

/** Collection and item of the autosaves of a kind of entry. `body`: set if its fields differ from those of posts. */
export function autosaveRoutes(kind: EntryKind, body?: AutosaveBody): readonly Route<Model, Session>[] {
  const { args, input } = body ?? { args: entryBodyArgs(kind), input: entryFieldsOf(kind).input };
  const namespace = 'cms/v2';
  const collection = `/${namespace}/${kind.base}`;
  const schema = revisionSchema(kind, { previewed: true });
  return [
    {
      namespace,
      pattern: `${collection}/(?P<id>[\\d]+)/autosaves`,
      schema,
      version: versionOfEntry(kind),
      endpoints: [
        {
          methods: ['GET'],
          args: { parent, context: contextArg },
          permission: mayReadRevision(kind, 'id'),
          query: listAutosaves(kind),
          depends: dependsOn('id'),
        },
        {
          methods: ['POST'],
          summary: "Store the viewer's autosave of the item",
          args: { parent, ...args },
          permission: mayUpdateEntry(kind),
          ...(body === undefined ? { prepare: prepareTexts } : {}),
          command: autosave(kind, input),
        },
      ],
    },
    {
      namespace,
      pattern: `${collection}/(?P<parent>[\\d]+)/autosaves/(?P<id>[\\d]+)`,
      schema,
      endpoints: [
        {
          methods: ['GET'],
          args: { parent, id, context: contextArg },
          permission: mayReadRevision(kind),
          query: showAutosave(kind),
          depends: dependsOn('parent'),
        },
      ],
    },
  ];
}

/** For a draft of the viewer's own, the autosave changes the draft itself, which must not have changed meanwhile. */
function versionOfEntry(kind: EntryKind): (call: Call<Model>) => string | null {
  return (call) => {
    const row = findEntry(call, kind);
    return isRefusal(row) ? null : String(row.version);
  };
}

// The preview's address contains that of the entry, which depends on its ancestors.
function dependsOn(name: string): (call: Call<Model>) => readonly string[] {
  return ({ params, model }) => {
    const entry = idFrom(params[name]);
    return [...model.lineage(entry).map((each) => `entry:${each}`), `entry:${entry}`, 'site'];
  };
}

interface AutosaveBody {
  readonly args: Args<Model>;
  readonly input: (call: Call<Model>) => EntryFields;
}
