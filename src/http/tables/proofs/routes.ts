import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { moderates } from '#domain/comment/rights.ts';
import { commentStream } from '#domain/comment/state.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import { entryStream } from '#domain/entry/state.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { mediaStream } from '#domain/media/state.ts';
import { seesSecrets } from '#domain/user/rights.ts';
import type { Model } from '#projections/reading/model.ts';
import { canEditComment } from '#site/comments.ts';
import { canEditEntry, canEditMedia } from '#site/rights.ts';
import type { MakeProof } from '../../audit/store.ts';
import { idFrom } from '../../engine/call.ts';
import type { Arg, Args, Call, Route, RoutePast } from '../../engine/types.ts';
import { findComment, pastOfComment } from '../comments/permissions.ts';
import { findEntry, pastOfEntry } from '../entries/permissions.ts';
import { findMedia, pastOfMedia } from '../media/permissions.ts';
import { itemIdArg } from '../records/usual-args.ts';

interface ProvedItem {
  /** `/posts` */
  readonly path: string;
  readonly id: Arg<Model>;
  readonly stream: (id: number) => string;
  readonly past: RoutePast<Model>;
  /** Null if the viewer may edit the item. */
  readonly permission: (call: Call<Model>) => Refusal | null;
}

const namespace = 'cms/v2';
// The file is sent byte for byte, unlike other JSON, which is in ASCII.
const JSON_TYPE = 'application/json';
const noEdit = refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit this post.');
const noPassword = refuse('rest_forbidden', 'Sorry, you are not allowed to see passwords.');
const noCommentEdit = refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit comments.');

const openingArgs: Args<Model> = {
  field: {
    schema: z
      .string()
      .describe(
        'Prove this field alone, such as title or status. Default: all texts, and without `at` all of their versions.',
      ),
  },
  open_password: { schema: z.boolean().default(false).describe('Whether the file may show a password.') },
  open_also: {
    schema: z
      .boolean()
      .default(false)
      .describe('Whether the file may show other texts of old events, in which one seal covers all of them.'),
  },
};

/** Additions to the reference system, which the index does not list: proofs of what was recorded. */
export function proofRoutes(kinds: readonly EntryKind[], prove: MakeProof): readonly Route<Model, Session>[] {
  return [...kinds.map(entryItem), mediaItem, commentItem].map((item) => proofRoute(item, prove));
}

function proofRoute({ path, id, stream, past, permission }: ProvedItem, prove: MakeProof): Route<Model, Session> {
  return {
    namespace,
    pattern: `/${namespace}${path}/(?P<id>[\\d]+)/proof`,
    endpoints: [
      {
        methods: ['GET'],
        summary: 'Show a proof of what was recorded, which can be checked without the site',
        args: { id, ...openingArgs },
        past: { ...past, parameter: 'at' },
        permission,
        query: ({ params, sent, model, viewer }) => {
          if (params['open_password'] === true && !seesSecrets(viewer)) return noPassword;
          const text = prove({
            stream: stream(idFrom(params['id'])),
            position: model.position,
            field: (params['field'] as string | undefined) ?? null,
            isHistory: (sent('at') ?? null) === null,
            password: params['open_password'] === true,
            also: params['open_also'] === true,
          });
          return isRefusal(text) ? text : { body: { kind: 'bytes', type: JSON_TYPE, bytes: Buffer.from(text) } };
        },
        answers: bundle,
        // The checkpoint changes without a commit.
        depends: null,
      },
    ],
  };
}

const entryItem = (kind: EntryKind): ProvedItem => ({
  path: `/${kind.base}`,
  id: itemIdArg('post'),
  stream: entryStream,
  past: pastOfEntry(kind),
  permission: (call) => {
    const row = findEntry(call, kind);
    if (isRefusal(row)) return row;
    return canEditEntry(call.viewer, row) ? null : noEdit;
  },
});

const mediaItem: ProvedItem = {
  path: '/media',
  id: itemIdArg('post'),
  stream: mediaStream,
  past: pastOfMedia,
  permission: (call) => {
    const row = findMedia(call);
    if (isRefusal(row)) return row;
    return canEditMedia(call.viewer, row) ? null : noEdit;
  },
};

const commentItem: ProvedItem = {
  path: '/comments',
  id: itemIdArg('comment'),
  stream: commentStream,
  past: pastOfComment,
  permission: (call) => {
    const row = findComment(call);
    if (isRefusal(row)) return row;
    // A proof opens what identifies the commenter.
    const isAllowed = moderates(call.viewer) && canEditComment(call.viewer, row, call.model);
    return isAllowed ? null : noCommentEdit;
  },
};

const bundle = z.object({
  format: z.literal('palimpsest proof 1'),
  checkpoint: z.string().describe('A signed checkpoint of the log.'),
  before: z.null(),
  events: z.array(
    z.object({
      row: z.string().describe('The text whose hash is in the log.'),
      sealed: z
        .union([z.object({ salt: z.string(), text: z.string() }), z.object({ fields: z.array(z.array(z.string())) })])
        .nullable()
        .describe(
          'Null, all sealed fields, or for each its name with its digest, or with salt and text if it is opened.',
        ),
      proof: z.array(z.string()).describe('Hashes up to the root, base64.'),
    }),
  ),
  sha256: z.string().describe('A checksum of the rest.'),
});
