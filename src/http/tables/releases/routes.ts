import { z } from 'zod';
import * as releasing from '#commands/releases.ts';
import type { Session } from '#commands/session.ts';
import { invalidParam, isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { HeldRequest, Release } from '#domain/release/area.ts';
import { refusalToPublish } from '#domain/release/decide.ts';
import { momentNamed } from '#domain/time/local.ts';
import { may, viewerOf } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { mayReadPast } from '#site/rights.ts';
import type { Answer, Args, Call, CommandEndpoint, Inner, Route } from '../../engine/types.ts';
import { carryOut, conflictRefusal, FORGOTTEN, failureOf } from './carrying.ts';

const base = `/${CONTENT}/releases`;
const item = `${base}/(?P<id>[\\d]+)`;
const id = z.int().min(1);
const instant = z.iso.datetime({ precision: 3 });

const request = z.object({
  id,
  by: id.describe('User in whose name it is carried out.'),
  method: z.string(),
  path: z.string(),
  query: z.unknown(),
  body: z.unknown(),
  item: z.int().nullable().describe('The item that it is about.'),
});

const conflict = z.object({
  request: id,
  stream: z.string(),
  field: z.string(),
  now: z.unknown().describe('The value that somebody else gave it since.'),
  asked: z.unknown().describe('What the request gives it, as it was sent.'),
});

const sharedField = z.object({ release: id, stream: z.string(), field: z.string() });

const shape = z.object({
  id,
  name: z.string(),
  status: z.enum(['open', 'published', 'dropped']),
  author: id,
  created: instant,
  publish_at: z.string().nullable().describe('UTC; null: when somebody publishes it.'),
  ended: instant.nullable(),
  held_up: z.string().nullable().describe('Why it was not published at its time, as the code of a refusal.'),
  digest: z.string().describe('SHA-256 of what it would do: an approval is of exactly that.'),
  approvals: z.array(
    z.object({
      user: id,
      time: instant,
      meaning: z.string(),
      valid: z.boolean().describe('Nothing was changed since.'),
    }),
  ),
  requests: z.array(request),
  conflicts: z.array(conflict).describe('What others changed since it was asked for.'),
  shared: z.array(sharedField).describe('What other open releases would change as well.'),
});

const wanted: Args<Model> = {
  name: { schema: z.string().max(200).describe('What the release is for.') },
  publish_at: {
    schema: z
      .string()
      .nullable()
      .describe('When it is published: a day or time as in as_of; null: when somebody does it.'),
  },
};

interface ReleaseParts {
  /** Number of approvals that a release needs. */
  readonly approvals: number;
}

/** Releases: an addition to the reference system. */
export function releaseRoutes({ approvals }: ReleaseParts): readonly Route<Model, Session>[] {
  return [
    {
      namespace: CONTENT,
      pattern: base,
      endpoints: [
        {
          methods: ['GET'],
          summary: 'List releases, the newest first',
          args: {},
          answers: z.array(shape),
          listed: true,
          permission: mayRelease,
          depends: null,
          query: ({ model }) => json(releasing.listReleases(model).map((one) => shownAs(one, model))),
        },
        {
          methods: ['POST'],
          summary: 'Begin a release: writes with its number as the parameter `release` wait in it',
          args: { name: { ...wanted['name']!, required: true } },
          answers: shape,
          permission: mayRelease,
          command: begin,
        },
      ],
    },
    {
      namespace: CONTENT,
      pattern: item,
      endpoints: [
        {
          methods: ['GET'],
          args: {},
          answers: shape,
          permission: mayRelease,
          depends: null,
          query: ({ model, params }) => shown(model, params),
        },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          args: wanted,
          answers: shape,
          permission: mayRelease,
          command: alter,
        },
        {
          methods: ['DELETE'],
          summary: 'Give a release up',
          args: {},
          answers: shape,
          permission: mayRelease,
          command: (call) => changed(call, (release) => releasing.giveUp(call.model, release)),
        },
      ],
    },
    ...actRoutes(approvals),
  ];
}

/** A route that does one thing to a release. */
function act(pattern: string, endpoint: Omit<CommandEndpoint<Model, Session>, 'permission' | 'answers'>) {
  return { namespace: CONTENT, pattern, endpoints: [{ permission: mayRelease, answers: shape, ...endpoint }] };
}

/** What is done to a release besides changing it. */
function actRoutes(needed: number): readonly Route<Model, Session>[] {
  return [
    act(`${item}/requests/(?P<request>[\\d]+)`, {
      methods: ['DELETE'],
      summary: 'Take a write out of a release',
      args: {},
      command: (call) =>
        changed(call, (release) => releasing.takeOut(call.model, release, Number(call.params['request']))),
    }),
    act(`${item}/approve`, {
      methods: ['POST'],
      summary: 'Approve exactly what a release contains',
      args: {
        meaning: { schema: z.string().max(200).default('reviewed').describe('In words: reviewed, responsible.') },
      },
      command: (call) =>
        changed(call, (release) => releasing.approve(call.model, release, String(call.params['meaning']))),
    }),
    act(`${item}/publish`, {
      methods: ['POST'],
      summary: 'Carry out all writes of a release as one commit',
      args: { dry_run: { schema: z.boolean().default(false).describe('Only answer what would be refused.') } },
      command: (call, inner) => changed(call, (release) => publish(call, { release, inner, needed })),
    }),
  ];
}

function mayRelease({ viewer }: Call<Model>): Refusal | null {
  if (mayReadPast(viewer)) return null;
  return refuse('rest_forbidden', 'Sorry, you are not allowed to use releases.');
}

function begin({ model, params }: Call<Session>): Answer | Refusal {
  const made = releasing.beginRelease(model, String(params['name']));
  return isRefusal(made) ? made : { ...shownOf(made, model), status: 201 };
}

function alter(call: Call<Session>): Answer | Refusal {
  const wanted = wantedIn(call);
  if (isRefusal(wanted)) return wanted;
  return changed(call, (release) => releasing.alterRelease(call.model, release, wanted));
}

/** `at`: UTC, to the second. */
function wantedIn({ params, sent, model }: Call<Session>): { name?: string; at?: string | null } | Refusal {
  const name = sent('name') === undefined ? {} : { name: String(params['name']) };
  if (sent('publish_at') === undefined) return name;
  const said = params['publish_at'];
  if (said === null || said === '') return { ...name, at: null };
  const moment = momentNamed(String(said), 'start', model.site().timezone);
  if (moment === null) return invalidParam('publish_at', 'publish_at has to be a day or time, as in as_of.');
  return { ...name, at: moment.slice(0, 19) };
}

function changed({ model, params }: Call<Session>, change: (release: Release) => Refusal | null): Answer | Refusal {
  const release = releasing.releaseIn(model, Number(params['id']));
  return isRefusal(release) ? release : (change(release) ?? shownOf(release.id, model));
}

interface Publishing {
  readonly release: Release;
  readonly inner: Inner;
  readonly needed: number;
}

function publish({ model, params, viewer }: Call<Session>, { release, inner, needed }: Publishing): Refusal | null {
  if (!may(viewer, 'publish_posts'))
    return refuse('rest_cannot_publish', 'Sorry, you are not allowed to publish releases.');
  const requests = releasing.heldRequests(model, release);
  const digest = releasing.digestOfRequests(requests);
  const counts = (user: number) => {
    const approver = model.user(user);
    return approver !== undefined && !approver.disabled && mayReadPast(viewerOf(approver));
  };
  const refusal = refusalToPublish(release, { digest, needed, counts }) ?? conflictRefusal(model, requests);
  if (refusal !== null) return refusal;
  let failure: Refusal | null = null;
  inner.attempt(() => {
    const failed = carryOut(model, requests, inner).filter(({ answer }) => answer.refused);
    if (failed.length > 0) failure = failureOf(failed);
    return failure ?? (params['dry_run'] === true ? FORGOTTEN : null);
  });
  if (failure !== null || params['dry_run'] === true) return failure;
  releasing.endRelease(model, release, requests);
  return null;
}

function shown(model: Model, params: Call<Model>['params']): Answer | Refusal {
  const release = releasing.releaseIn(model, Number(params['id']));
  return isRefusal(release) ? release : json(shownAs(release, model));
}

function shownOf(release: number, model: Model): Answer {
  return json(shownAs(releasing.releaseIn(model, release) as Release, model));
}

function json(value: unknown): Answer {
  return { body: { kind: 'json', value } };
}

function shownAs(release: Release, model: Model): z.infer<typeof shape> {
  const requests = releasing.heldRequests(model, release);
  const digest = releasing.digestOfRequests(requests);
  const isOpen = release.status === 'open';
  return {
    id: release.id,
    name: release.name,
    status: release.status,
    author: release.by,
    created: release.openedAt,
    publish_at: release.at === null ? null : `${release.at}Z`,
    ended: release.endedAt,
    held_up: release.heldUp,
    digest,
    approvals: release.approvals.map(({ by, at, meaning, digest: approved }) => {
      return { user: by, time: at, meaning, valid: approved === digest };
    }),
    requests: requests.map(requestAs),
    conflicts: isOpen ? [...releasing.conflictsIn(model, requests)] : [],
    shared: isOpen ? [...releasing.sharedWith(model, release)] : [],
  };
}

function requestAs({
  request: number,
  by,
  method,
  path,
  query,
  body,
  item: about,
}: HeldRequest): z.infer<typeof request> {
  return {
    id: number,
    by,
    method,
    path,
    query: JSON.parse(query),
    body: JSON.parse(body),
    item: about === 0 ? null : about,
  };
}
