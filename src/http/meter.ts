/** Where an answer to a read came from: it was kept, it was ready, or it had to be made. */
export type Source = 'kept' | 'ready' | 'made';

/** What was tried: a login with a password, or the password of a protected post. */
export type AttemptKind = 'login' | 'post';

export interface RequestMeter {
  /** `route`: its pattern, or `page`, `file` or `none`; `ms`: time until the answer was handed over. */
  request(route: string, method: string, status: number, ms: number): void;
  read(source: Source): void;
  /** A password was wrong, or was not looked at because too many were. */
  attempt(kind: AttemptKind, outcome: 'failed' | 'refused'): void;
}
