/** One request as the driver sends it. `{n}` in path or body stands for a number that is different each time. */
export interface LoadRequest {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Clients that ask for the same kind of thing, each for the next as soon as it has its answer. */
export interface Stream {
  readonly name: string;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
  /** `random`: any of them each time, by the load's seed; `cycle`: in turn. Default: random. */
  readonly order?: 'random' | 'cycle';
  /** Status that every answer must have. Default: 200. */
  readonly status?: number;
  /** Requests per second of all clients together; without it as many as they can. */
  readonly pace?: number;
  /** Ends after so many requests. */
  readonly limit?: number;
}

/** What the driver is to do: all streams at once, against one port of this machine. */
export interface Load {
  readonly port: number;
  readonly seconds: number;
  readonly seed: number;
  readonly streams: readonly Stream[];
}

export interface StreamResult {
  readonly name: string;
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Mean length of a body. */
  readonly bytes: number;
}

export interface LoadResult {
  readonly streams: readonly StreamResult[];
  /** Share of one processor that the driver used: near 1 it was the driver that set the pace. */
  readonly driverBusy: number;
}

/** What the driver answers to a load. */
export type DriverMessage = { readonly result: LoadResult } | { readonly fault: string };
