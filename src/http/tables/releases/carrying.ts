import { isClosedNow } from '#commands/credentials.ts';
import { conflictsIn } from '#commands/releases.ts';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { HeldRequest } from '#domain/release/area.ts';
import { viewerOf } from '#domain/user/roles.ts';
import type { Inner, InnerAnswer, InnerRequest } from '../../engine/types.ts';

/** Takes back what an attempt has staged. */
export const FORGOTTEN = refuse('rest_release_forgotten', '');

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
  const message = `The ${first.field} of ${first.stream} has changed since request ${first.request} was made. Take that request out (DELETE …/requests/${first.request}), and send it again if it is still wanted.`;
  return refuse('rest_release_conflicts', message, { failed: [], conflicts });
}
