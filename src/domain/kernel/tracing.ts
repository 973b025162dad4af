/** Receives timings of parts of the work, for tracing requests. */
export interface Tracing {
  /**
   * Reports a part that has just ended. `request`: correlation id of its request; null: the current one. `began`: as returned by
   * `performance.now()`.
   */
  readonly note: (part: string, request: string | null, began: number, about?: Attributes) => void;
}

export type Attributes = Readonly<Record<string, string | number>>;
