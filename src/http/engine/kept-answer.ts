export interface NewAnswer {
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole `Content-Type`. */
  readonly type: string;
  readonly body: string;
}

export interface KeptAnswer extends NewAnswer {
  /** Where it stands in the log: the end of the commit that it told of. */
  readonly position: number;
}
