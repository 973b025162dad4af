import { lapsedBy, type RequestEvent, requestStream } from '#domain/request/events.ts';
import type { RequestRow } from '#projections/site/requests.ts';
import type { Session } from './session.ts';

/** Kept answers, so that a repeated request is not carried out again. */

export function keptAnswer(session: Session, key: string): RequestRow | null {
  const row = session.requests.get(key);
  if (row === undefined) return null;
  return row.at > lapsedBy(session.at) || session.answerAges.isYoung(key, row.at) ? row : null;
}

/** Keeps an answer in the same commit as the effects of its request: the log has both or neither. */
export function keepAnswer(session: Session, key: string, answer: RequestEvent['data']): void {
  session.answerAges.note(key, session.at);
  session.stage(requestStream(key), [{ type: 'RequestAnswered', data: answer }]);
}
