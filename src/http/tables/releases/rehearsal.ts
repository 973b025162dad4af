import { digestOfRequests } from '#commands/releases.ts';
import type { Session } from '#commands/session.ts';
import type { StagedPart } from '#commands/session-types.ts';
import type { HeldRequest } from '#domain/release/area.ts';
import type { Inner } from '../../engine/types.ts';
import { type Carried, carryOut } from './carrying.ts';

/** What the requests of a release staged on a state of the site. */
interface Rehearsal {
  readonly key: string;
  /** Position of that state. */
  readonly position: number;
  readonly staged: StagedPart;
  readonly carried: readonly Carried[];
}

const latest = new WeakMap<Session, Rehearsal>();

/** Stages what requests do; what was decided in this minute on the same state is staged again without being decided. */
export function rehearse(session: Session, requests: readonly HeldRequest[], inner: Inner): readonly Carried[] {
  const [key, position, from] = [keyOf(session, requests), session.reached, session.stagedCount];
  const known = latest.get(session);
  if (known?.key === key && known.position === position && session.isSettled) {
    session.restage(known.staged);
    return known.carried;
  }
  // What is not in the log yet may not get there.
  const { isSettled } = session;
  const carried = carryOut(session, requests, inner);
  if (isSettled) latest.set(session, { key, position, staged: session.stagedFrom(from), carried });
  return carried;
}

/** Notes what one more request of a release has staged, for the state that the commit of that request leads to. */
export function noteRehearsed(
  session: Session,
  requests: readonly HeldRequest[],
  done: Pick<Rehearsal, 'staged' | 'carried'>,
): void {
  latest.set(session, { key: keyOf(session, requests), position: session.reached, ...done });
}

function keyOf(session: Session, requests: readonly HeldRequest[]): string {
  return `${session.clock.slice(0, 16)} ${requests[0]?.release} ${digestOfRequests(requests)}`;
}
