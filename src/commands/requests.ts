import { lapsedBy, type RequestEvent, requestStream } from '#domain/request/events.ts';
import type { Session } from './session.ts';

/** Kept answers, so that a repeated request is not carried out again. */

export type GivenAnswer = RequestEvent['data'] & { readonly position: number };

export function keptAnswer(session: Session, key: string): GivenAnswer | null {
  const row = session.requests.get(key);
  if (row === undefined) return null;
  const { at, position } = row;
  if (at <= lapsedBy(session.at) && !session.answerAges.isYoung(key, at)) return null;
  const { data } = session.eventAt(position) as RequestEvent;
  return { ...data, position };
}

/** Keeps an answer in the same commit as the effects of its request: the log has both or neither. */
export function keepAnswer(session: Session, key: string, answer: RequestEvent['data']): void {
  session.answerAges.note(key, session.at);
  session.stage(requestStream(key), [{ type: 'RequestAnswered', data: answer }]);
}
