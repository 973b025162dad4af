/** Told of parts of the work, for those who trace requests. */
export interface Tracing {
  /**
   * A part that has just ended. `request`: correlation id of the request that it belongs to; null: whichever is under way here.
   * `began`: by `performance.now()`.
   */
  readonly note: (part: string, request: string | null, began: number, about?: Attributes) => void;
}

export type Attributes = Readonly<Record<string, string | number>>;
