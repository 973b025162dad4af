/** What the server makes ahead of requests: pages for people, and answers of the interface. The index is the id of the crawler. */
export const crawlers = ['pages', 'answers'] as const;
export type CrawlerName = (typeof crawlers)[number];

export interface CrawlerState {
  readonly id: number;
  readonly name: CrawlerName;
  readonly active: boolean;
  readonly made: number;
}

/** The server that answers a request. */
export interface PluginServer {
  /** Versions that it tells clients, as the operator set them. */
  readonly versions: { readonly cms: string; readonly cache: string };
  /** Whether it compresses answers. */
  readonly compresses: boolean;
  crawlers(): readonly CrawlerState[];
}

/** The rest of a request. A batch contains several requests with one `identity`. */
export interface PluginRequest {
  readonly method: string;
  /** Path below the root of the interface: `/guestbook/v1/entries`. */
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: (name: string) => string | undefined;
  /** The bytes of the body; empty if there is none. */
  readonly body: Uint8Array;
  /** Network address of the client; `''` if there is none. */
  readonly peer: string;
  /** The same object each time that the server asks about this request. */
  readonly identity: object;
}
