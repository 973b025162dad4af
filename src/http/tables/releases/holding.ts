import { expectationsOf, heldRequests, putIn, releaseIn } from '#commands/releases.ts';
import type { Session } from '#commands/session.ts';
import type { StagedPart } from '#commands/session-types.ts';
import { invalidParam, isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { HeldRequest, Release } from '#domain/release/area.ts';
import { refusedUnlessOpen } from '#domain/release/decide.ts';
import type { Viewer } from '#domain/user/roles.ts';
import { mayEditSomething } from '#site/rights.ts';
import type { Holding } from '../../engine/host.ts';
import type { Inner, InnerRequest } from '../../engine/types.ts';
import { type Carried, FORGOTTEN, failureOf } from './carrying.ts';
import { noteRehearsed, rehearse } from './rehearsal.ts';

/** Parameter of all writes and reads that names a release. */
export const RELEASE = 'release';

const NOBODY = refuse('rest_forbidden', 'Sorry, you are not allowed to use releases.');

/** Holds writes back in releases, and shows the site as they will leave it. */
export const holding: Holding<Session> = {
  parameter: RELEASE,
  hold(session, { in: named, request, viewer }, inner, run) {
    const release = releaseNamed(session, named);
    if (isRefusal(release)) return release;
    const refusal = refusedUnlessOpen(release) ?? (mayEditSomething(viewer) ? null : NOBODY);
    if (refusal !== null) return refusal;
    const number = release.last + 1;
    return holdAs(session, { release, number, request, viewer, inner, run });
  },
  view(session, { in: named, also = [], viewer, isGranted }, inner, work) {
    const release = named === undefined ? null : releaseNamed(session, named);
    if (isRefusal(release)) return release;
    const closed = release === null ? null : refusedUnlessOpen(release);
    if (closed !== null) return closed;
    if (isGranted !== true && !mayEditSomething(viewer)) return NOBODY;
    let shown: ReturnType<typeof work> | Refusal = FORGOTTEN;
    inner.attempt(() => {
      const held = release === null ? [] : heldRequests(session, release);
      const failed = rehearse(session, held, inner).find(({ answer }) => answer.refused);
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

interface Done {
  readonly held: Pick<HeldRequest, 'ids' | 'expects'>;
  readonly staged: StagedPart;
  readonly carried: readonly Carried[];
}

/** Decides a write after the others of its release, and holds it back if it changes anything. */
function holdAs(session: Session, { release, number, request, viewer, inner, run }: HoldingAs): Refusal | null {
  const before = session.earlier(session.reached);
  const others = heldRequests(session, release).filter((one) => one.request !== number);
  let done = null as Done | null;
  let refusal: Refusal | null = null;
  inner.attempt(() => {
    const start = session.stagedCount;
    const carried = rehearse(session, others, inner);
    const failed = carried.filter(({ answer }) => answer.refused);
    if (failed.length > 0) refusal = failureOf(failed);
    else {
      const [from, first] = [session.stagedCount, session.next.nextId];
      if (run()) {
        const to = session.next.nextId;
        const expects = [...expectationsOf(session, { before, from })];
        const held = { expects, ...(to > first ? { ids: { from: first, to } } : {}) };
        done = { held, staged: session.stagedFrom(start), carried };
      }
    }
    return FORGOTTEN;
  });
  if (refusal !== null || done === null) return refusal;
  const { held, ...rehearsed } = done;
  const { method, path, query, body } = request;
  const item = Number(/^\/[^/]+\/v2\/[\w-]+\/([1-9]\d{0,14})(?:\/|$)/.exec(path)?.[1] ?? 0);
  const sent = { method, path, item, query: JSON.stringify(query), body: JSON.stringify(body) };
  const put = { request: number, by: viewer.id, ...sent, ...held };
  const { isSettled } = session;
  const refused = putIn(session, release, put);
  if (refused === null && isSettled) noteRehearsed(session, [...others, { release: release.id, ...put }], rehearsed);
  return refused;
}
