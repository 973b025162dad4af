export interface NewAnswer {
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The complete `Content-Type`. */
  readonly type: string;
  readonly body: string;
}

export interface KeptAnswer extends NewAnswer {
  /** Position of the end of the commit that the answer reported. */
  readonly position: number;
}
