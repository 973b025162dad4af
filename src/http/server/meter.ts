/** Source of the answer to a read: the answer cache, a ready answer, or made for the request. */
export type AnswerSource = 'kept' | 'ready' | 'made';

/** What was attempted: a login, or the password of a protected post. */
export type AttemptKind = 'login' | 'post';

export interface RequestMeter {
  /** `route`: its pattern, or `page`, `file` or `none`; `ms`: time until the response was ready to be sent. */
  request(route: string, method: string, status: number, ms: number): void;
  read(source: AnswerSource): void;
  /** A password was wrong, or was refused unchecked after too many wrong ones. */
  attempt(kind: AttemptKind, outcome: 'failed' | 'refused'): void;
  /** A write has to be decided again because only its decision showed that it needs a long text. */
  again(): void;
}
