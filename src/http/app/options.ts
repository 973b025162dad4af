import type { FastifyBaseLogger } from 'fastify';
import type { InterfaceNames } from '#domain/site/interface-names.ts';
import type { PasswordUses } from '#domain/user/uses.ts';
import type { Model } from '#projections/reading/model.ts';
import type { AuditStore } from '../audit/store.ts';
import type { Accounts } from '../authorize/server.ts';
import type { EngineHost, Route } from '../engine/types.ts';
import type { AsOf } from '../pages/as-of.ts';
import type { ThemeFonts } from '../pages/themes/fonts.ts';
import type { Connections } from '../server/connections.ts';
import type { Crawler } from '../server/crawler.ts';
import type { DeliveredFile } from '../server/files.ts';
import type { Health } from '../server/health.ts';
import type { LoggedRequests } from '../server/journal.ts';
import type { Origins } from '../server/origin.ts';
import type { Recency } from '../server/recency.ts';
import type { SessionKeeper } from '../server/sessions.ts';
import type { RequestMeter, RequestTracing } from '../server/tracing.ts';

export interface AppOptions<M, S extends M> {
  readonly host: EngineHost<M, S>;
  readonly routes: readonly Route<M, S>[];
  /** Names of the interface. Default: those of the documentation. */
  readonly names?: InterfaceNames;
  /** Maximum bytes of a body. Default 10 MiB. */
  readonly bodyLimit?: number;
  /** Maximum bytes of the parameters of a GET and of any anonymous request. Default 64 KiB. */
  readonly parameterLimit?: number;
  /** Maximum bytes of all bodies held in memory. Default 64 MiB. */
  readonly bodiesLimit?: number;
  /** Maximum characters of the list that a read returns. Default: as `bodiesLimit`. */
  readonly answerLimit?: number;
  /** Maximum bytes of all long answers that clients have yet to read. Default: four times `bodiesLimit`. */
  readonly answersLimit?: number;
  /** Milliseconds within which a body without files must arrive. Default two minutes. */
  readonly bodyTimeout?: number;
  /** Receives the functions that make answers ahead of requests; absent: none are made ahead. */
  readonly crawler?: Crawler | undefined;
  /** Maximum bytes of the answer cache; 0: nothing is cached. Default 16 MiB. */
  readonly cacheBytes?: number;
  /** Whether cached answers are compressed for clients that accept that. Default: yes. */
  readonly compress?: boolean;
  /** Milliseconds of each turn of the event loop for all long reads together. Default 5. */
  readonly longReadShare?: number;
  readonly corsOrigins?: readonly string[];
  /** Finds uploaded files by their path below that of the uploads; absent: there are none. */
  readonly files?: (path: string) => DeliveredFile | null;
  /** How current the read model is; absent: always up to date. */
  readonly recency?: Recency;
  /** The model behind the pages for people; absent: there are no pages. */
  readonly pages?: () => Model;
  /** Fonts of the site's themes; absent: pages use fonts that visitors have. */
  readonly fonts?: ThemeFonts;
  /** Whether visitors without an account may comment on the pages. Default: no. */
  readonly visitorComments?: boolean;
  /** The data behind the audit pages; absent: there are none. */
  readonly audit?: AuditStore;
  /** Lets users give application passwords to programs; absent, or without `audit`: there is no page for that. */
  readonly accounts?: Accounts;
  /** Set if a past state of the site is served. */
  readonly asOf?: AsOf | undefined;
  readonly uses?: Pick<PasswordUses, 'note'>;
  /** Keeps logins to the audit pages across restarts; absent: they end with the process. */
  readonly sessions?: SessionKeeper;
  /** Wrong passwords within a quarter of an hour after which all are refused; 0: no limit. Default 20. */
  readonly guessLimit?: number;
  /** Maximum number of open connections; further ones are closed at once. Default: any. */
  readonly connectionLimit?: number;
  readonly onDropped?: (() => void) | undefined;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Determines client addresses; absent: the peer of the connection. */
  readonly origins?: Origins | undefined;
  readonly logger?: FastifyBaseLogger;
  /** Which requests are logged. Default: all. */
  readonly logRequests?: LoggedRequests;
  /** Milliseconds from which a request is logged as slow. Default: a second. */
  readonly slowRequest?: number;
  /** Called for every request. */
  readonly meter?: RequestMeter;
  readonly tracing?: RequestTracing;
  /** Serves `/health/live` and `/health/ready`; absent: they do not exist. */
  readonly health?: Health;
  /** Called for every request; needed to shut down the server. */
  readonly connections?: Connections;
  readonly onFault?: (error: unknown) => void;
}
