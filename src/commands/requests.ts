import type { RequestEvent } from '#domain/request/events.ts';
import { lapsedBy, requestStream } from '#domain/request/state.ts';
import type { RequestRow } from '#projections/requests.ts';
import type { Session } from './session.ts';

/** Answers that are kept, so that a request that is sent again is not carried out again. */

export function keptAnswer(session: Session, key: string): RequestRow | null {
  const row = session.requests.get(key);
  if (row === undefined) return null;
  return row.at > lapsedBy(session.at) || session.answerAges.isYoung(key, row.at) ? row : null;
}

/** Keeps an answer in the commit of what it answers: both are in the log, or neither is. */
export function keepAnswer(session: Session, key: string, answer: RequestEvent['data']): void {
  session.answerAges.note(key, session.at);
  session.stage(requestStream(key), [{ type: 'RequestAnswered', data: answer }]);
}
