import { isClosedNow } from '#commands/credentials.ts';
import { conflictsIn, expectationsOf, heldRequests, putIn, releaseIn } from '#commands/releases.ts';
import type { Session } from '#commands/session.ts';
import { invalidParam, isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { HeldRequest, Release } from '#domain/release/area.ts';
import { refusedUnlessOpen } from '#domain/release/decide.ts';
import { type Viewer, viewerOf } from '#domain/user/roles.ts';
import { mayEditSomething } from '#site/rights.ts';
import type { Holding } from '../../engine/host.ts';
import type { Inner, InnerAnswer, InnerRequest } from '../../engine/types.ts';

/** Parameter of all writes and reads that names a release. */
export const RELEASE = 'release';

/** Writes that make something whose number nobody keeps: a release could not name it. */
const UNKEPT = /^\/[^/]+\/v2\/(?:categories|tags|menus|users|comments|[\w-]+-categories|releases|history)(?:\/|$)/;
const NOT_HELD = refuse(
  'rest_release_not_supported',
  'Only posts, pages, media, menu items, patterns, navigations, templates, styles and settings can wait in a release.',
);
const NOBODY = refuse('rest_forbidden', 'Sorry, you are not allowed to use releases.');

/** Takes back what a session has staged. */
const FORGOTTEN = refuse('rest_release_forgotten', '');

/** Holds writes back in releases, and shows the site as they will leave it. */
export const holding: Holding<Session> = {
  parameter: RELEASE,
  hold(session, { in: named, request, viewer }, inner, run) {
    const release = releaseNamed(session, named);
    if (isRefusal(release)) return release;
    const refusal = refusedUnlessOpen(release) ?? (mayEditSomething(viewer) ? null : NOBODY);
    if (refusal !== null) return refusal;
    if (UNKEPT.test(request.path)) return NOT_HELD;
    const number = release.last + 1;
    return holdAs(session, { release, number, request, viewer, inner, run });
  },
  view(session, { in: named, also = [], viewer, isGranted }, inner, work) {
    const release = named === undefined ? null : releaseNamed(session, named);
    if (isRefusal(release)) return release;
    if (isGranted !== true && !mayEditSomething(viewer)) return NOBODY;
    let shown: ReturnType<typeof work> | Refusal = FORGOTTEN;
    inner.attempt(() => {
      const held = release === null ? [] : heldRequests(session, release);
      const failed = carryOut(session, held, inner).find(({ answer }) => answer.refused);
      // What somebody is writing need not be fit to be saved.
      for (const request of also) session.during({ viewer }, () => inner.as(viewer).prepare(request).run());
      shown =
        failed === undefined ? session.during({ finder: session.finder() }, () => work(session)) : failureOf([failed]);
      return FORGOTTEN;
    });
    return shown;
  },
};

function releaseNamed(session: Session, named: string): Release | Refusal {
  const id = /^[1-9]\d{0,8}$/.test(named) ? Number(named) : null;
  return id === null ? invalidParam(RELEASE, 'release has to be the number of a release.') : releaseIn(session, id);
}

interface HoldingAs {
  readonly release: Release;
  /** Of the request in the release. */
  readonly number: number;
  readonly request: InnerRequest;
  readonly viewer: Viewer;
  readonly inner: Inner;
  readonly run: () => boolean;
}

/** Decides a write after the others of its release, and holds it back if it changes anything. */
function holdAs(session: Session, { release, number, request, viewer, inner, run }: HoldingAs): Refusal | null {
  const before = session.earlier(session.reached);
  const others = heldRequests(session, release).filter((one) => one.request !== number);
  let held: Pick<HeldRequest, 'ids' | 'expects'> | null = null;
  let refusal: Refusal | null = null;
  inner.attempt(() => {
    const failed = carryOut(session, others, inner).filter(({ answer }) => answer.refused);
    if (failed.length > 0) refusal = failureOf(failed);
    else {
      const [staged, from] = [session.stagedCount, session.next.nextId];
      if (run()) {
        const to = session.next.nextId;
        const expects = [...expectationsOf(session, { before, from: staged, already: others })];
        held = { expects, ...(to > from ? { ids: { from, to } } : {}) };
      }
    }
    return FORGOTTEN;
  });
  if (refusal !== null || held === null) return refusal;
  const { method, path, query, body } = request;
  const item = Number(/^\/[^/]+\/v2\/[\w-]+\/([1-9]\d{0,14})(?:\/|$)/.exec(path)?.[1] ?? 0);
  const sent = { method, path, item, query: JSON.stringify(query), body: JSON.stringify(body) };
  return putIn(session, release, {
    request: number,
    by: viewer.id,
    ...sent,
    ...(held as Pick<HeldRequest, 'ids' | 'expects'>),
  });
}

export interface Carried {
  readonly held: HeldRequest;
  readonly answer: InnerAnswer;
}

/** Carries out requests in the names of those who asked for them, up to the first that is refused. */
export function carryOut(session: Session, requests: readonly HeldRequest[], inner: Inner): readonly Carried[] {
  const carried: Carried[] = [];
  for (const held of requests) {
    const user = session.user(held.by);
    const isOpen = user !== undefined && !user.erased && !isClosedNow(user, session, Date.parse(session.clock));
    const viewer = isOpen ? viewerOf(user) : { id: 0, role: null };
    const { method, path } = held;
    const request: InnerRequest = {
      method: method as InnerRequest['method'],
      path,
      query: JSON.parse(held.query),
      headers: new Map(),
      body: JSON.parse(held.body),
    };
    const answer = session.during({ viewer, ids: held.ids && { ...held.ids } }, () =>
      inner.as(viewer).prepare(request).run(),
    );
    carried.push({ held, answer });
    if (answer.refused) break;
  }
  return carried;
}

/** Why a release cannot be carried out: what was refused, and what has changed since it was asked for. */
export function failureOf(failed: readonly Carried[]): Refusal {
  const all = failed.map(({ held, answer }) => ({ request: held.request, ...(JSON.parse(answer.body) as Refused) }));
  const [first] = all;
  const message = `Request ${first?.request} of the release would be refused: ${first?.message}`;
  const failures = all.map(({ request, code, message: why }) => ({ request, code, message: why }));
  return refuse('rest_release_conflicts', message, { failed: failures, conflicts: [] });
}

interface Refused {
  readonly code: string;
  readonly message: string;
}

/** What stands against publishing the requests of a release; null: nothing. */
export function conflictRefusal(session: Session, requests: readonly HeldRequest[]): Refusal | null {
  const conflicts = conflictsIn(session, requests);
  const [first] = conflicts;
  if (first === undefined) return null;
  const message = `The ${first.field} of ${first.stream} has changed since request ${first.request} was made: send that request again, or drop it.`;
  return refuse('rest_release_conflicts', message, { failed: [], conflicts });
}
