import { z } from 'zod';
import { issuePreview, openPreviews, withdrawPreview } from '#commands/previews.ts';
import { releaseIn } from '#commands/releases.ts';
import type { Session } from '#commands/session.ts';
import { invalidParam, isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { IssuedPreview } from '#domain/preview/area.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { canEditEntry, mayEditSomething, mayReadPast } from '#site/rights.ts';
import type { Answer, Args, Call, Route } from '../../engine/types.ts';

const day = 24 * 60 * 60 * 1000;
const id = z.int().min(1);
const instant = z.iso.datetime({ precision: 3 });
const shape = z.object({
  id,
  author: id,
  item: id.nullable(),
  release: id.nullable(),
  position: z.int().nullable().describe('The position of the log that it shows.'),
  until: instant,
});
const issued = shape.extend({
  token: z.string().describe('Shown only now. Reads take it as the parameter `preview`.'),
});

const args: Args<Model> = {
  item: { schema: id.describe('A post, page or other entry, as whoever makes the preview is writing it.') },
  release: { schema: id.describe('The site as a release will leave it.') },
  position: { schema: id.describe('The site as of a position of the log.') },
  days: { schema: z.int().min(1).max(90).default(7).describe('Days for which it is valid.') },
};

/** Previews without an account: an addition to the reference system. */
export function previewRoutes(clock: () => number): readonly Route<Model, Session>[] {
  const permission = ({ viewer }: Call<Model>): Refusal | null =>
    mayEditSomething(viewer) ? null : refuse('rest_forbidden', 'Sorry, you are not allowed to make previews.');
  return [
    {
      namespace: CONTENT,
      pattern: `/${CONTENT}/previews`,
      endpoints: [
        {
          methods: ['GET'],
          summary: 'List the previews that are still valid: your own; for administrators, all',
          args: {},
          answers: z.array(shape),
          listed: true,
          permission,
          depends: null,
          query: (call) => json(visible(call, clock()).map(shownAs)),
        },
        {
          methods: ['POST'],
          summary: 'Make a preview of an item, a release or a moment, for a front end without an account',
          args,
          answers: issued,
          permission,
          unkept: true,
          command: (call) => issue(call, clock()),
        },
      ],
    },
    {
      namespace: CONTENT,
      pattern: `/${CONTENT}/previews/(?P<id>[\\d]+)`,
      endpoints: [
        {
          methods: ['DELETE'],
          summary: 'Withdraw a preview',
          args: {},
          answers: shape,
          permission,
          command(call) {
            const found = visible(call, clock()).find(({ preview }) => preview === Number(call.params['id']));
            if (found === undefined) return refuse('rest_preview_not_found', 'There is no such preview.');
            withdrawPreview(call.model, found.preview);
            return json(shownAs(found));
          },
        },
      ],
    },
  ];
}

function visible({ model, viewer }: Call<Model>, now: number): readonly IssuedPreview[] {
  return openPreviews(model, now).filter(({ by }) => by === viewer.id || may(viewer, 'manage_options'));
}

function issue(call: Call<Session>, now: number): Answer | Refusal {
  const { params, model } = call;
  const [item, release, position] = ['item', 'release', 'position'].map((name) => Number(params[name] ?? 0)) as [
    number,
    number,
    number,
  ];
  if ([item, release, position].filter((one) => one > 0).length !== 1) {
    return invalidParam('item', 'Name one of item, release and position.');
  }
  const refusal = refusalOf(call, { item, release, position });
  if (refusal !== null) return refusal;
  const until = new Date(now + Number(params['days']) * day).toISOString();
  const wanted = { item, release, at: position === 0 ? '' : String(position), until };
  const { preview, token } = issuePreview(model, wanted);
  return { ...json({ ...shownAs({ preview, by: call.viewer.id, ...wanted, digest: '' }), token }), status: 201 };
}

function refusalOf(
  { model, viewer }: Call<Session>,
  { item, release, position }: { readonly item: number; readonly release: number; readonly position: number },
): Refusal | null {
  if (item > 0) {
    const row = model.entry(item);
    if (row === undefined) return refuse('rest_post_invalid_id', 'Invalid post ID.');
    return canEditEntry(viewer, row)
      ? null
      : refuse('rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
  }
  if (!mayReadPast(viewer)) return refuse('rest_forbidden', 'Sorry, you are not allowed to make this preview.');
  if (release > 0) {
    const found = releaseIn(model, release);
    return isRefusal(found) ? found : null;
  }
  return position <= model.reached ? null : invalidParam('position', 'The log does not reach this position.');
}

function shownAs({ preview, by, item, release, at, until }: IssuedPreview): z.infer<typeof shape> {
  const named = (number: number) => (number === 0 ? null : number);
  return { id: preview, author: by, item: named(item), release: named(release), position: named(Number(at)), until };
}

function json(value: unknown): Answer {
  return { body: { kind: 'json', value } };
}
