/** One request as the driver sends it. `{n}` in path, headers or body stands for a number that is different each time. */
export interface LoadRequest {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Status that the answer must have. Default: that of the stream. */
  readonly status?: number;
}

/** Clients that send the same kind of request, each the next one as soon as it has its answer. */
export interface Stream {
  readonly name: string;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
  /** `random`: drawn by the load's seed; `cycle`: in turn. Default: random. */
  readonly order?: 'random' | 'cycle';
  /** Status that answers must have. Default: 200. */
  readonly status?: number;
  /** Requests per second of all clients together. Default: as many as possible. */
  readonly pace?: number;
  /** Number of requests after which the stream ends. */
  readonly limit?: number;
  /** Port of this machine, if not that of the load. */
  readonly port?: number;
}

/** A task for the driver: all streams at once, against one port of this machine unless they name others. */
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
  /** Mean length of a body, bytes. */
  readonly bytes: number;
}

export interface LoadResult {
  readonly streams: readonly StreamResult[];
  /** Share of one processor that the driver used. Near 1 the driver limited the rate. */
  readonly driverBusy: number;
}

/** The driver's report on a load. */
export type DriverMessage = { readonly result: LoadResult } | { readonly fault: string };
