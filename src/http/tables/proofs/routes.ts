import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { moderates } from '#domain/comment/rights.ts';
import { commentStream } from '#domain/comment/state.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import { entryStream } from '#domain/entry/state.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { mediaStream } from '#domain/media/state.ts';
import type { Model } from '#projections/reading/model.ts';
import { canEditComment } from '#site/comments.ts';
import { canEditEntry, canEditMedia } from '#site/rights.ts';
import { idFrom } from '../../engine/call.ts';
import type { Arg, Call, Route, RoutePast } from '../../engine/types.ts';
import { itemIdArg } from '../../engine/usual-args.ts';
import { findComment } from '../comments/rights.ts';
import { findEntry, pastOfEntry, pastOfItem } from '../entries/rights.ts';
import { findMedia, pastOfMedia } from '../media/rights.ts';

/** Makes the file that proves the state of an item at a position. */
export type ProveItem = (stream: string, position: number) => string | Refusal;

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
const noCommentEdit = refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit comments.');

/** Additions to the reference system, which the index does not list: proofs of what was recorded. */
export function proofRoutes(kinds: readonly EntryKind[], prove: ProveItem): readonly Route<Model, Session>[] {
  return [...kinds.map(entryItem), mediaItem, commentItem].map((item) => proofRoute(item, prove));
}

function proofRoute({ path, id, stream, past, permission }: ProvedItem, prove: ProveItem): Route<Model, Session> {
  return {
    namespace,
    pattern: `/${namespace}${path}/(?P<id>[\\d]+)/proof`,
    endpoints: [
      {
        methods: ['GET'],
        summary: 'Show a proof of what was recorded, which can be checked without the site',
        args: { id },
        past: { ...past, parameter: 'at' },
        permission,
        query: ({ params, model }) => {
          const text = prove(stream(idFrom(params['id'])), model.position);
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
  past: pastOfItem,
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
      sealed: z.object({ salt: z.string(), text: z.string() }).nullable(),
      proof: z.array(z.string()).describe('Hashes up to the root, base64.'),
    }),
  ),
  sha256: z.string().describe('A checksum of the rest.'),
});
