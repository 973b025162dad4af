import type { Logger } from 'pino';
import type { Config } from '#config.ts';
import type { App } from '#http/app/app.ts';
import type { Connections } from '#http/server/connections.ts';
import type { Crawler } from '#http/server/crawler.ts';
import type { Health } from '#http/server/health.ts';
import type { StartingServer } from '#http/server/starting.ts';
import type { Node } from '#node/node.ts';
import type { OriginJournal } from '#node/origins.ts';
import type { Readiness } from '#node/readiness.ts';
import type { Poster } from '#outgoing/post.ts';
import { partsOf } from '#process/parts.ts';
import type { Reporter } from '#process/reporter.ts';
import type { BackupService } from '../backups/service.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ReaderThreads } from '../readers/pool.ts';
import type { Telemetry } from '../telemetry.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The parts of a server by name; the first seven are given, the others open in the order of `all.ts`. */
export interface ServerParts {
  readonly config: Config;
  readonly env: Environment;
  readonly logger: Logger;
  readonly reporter: Reporter;
  readonly readiness: Readiness;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly stop: StopTime;
  readonly metrics: Metrics | null;
  readonly telemetry: Telemetry | null;
  readonly starting: StartingServer;
  readonly node: Node;
  readonly backups: BackupService | null;
  readonly journal: OriginJournal | undefined;
  readonly connections: Connections;
  readonly crawler: Crawler | undefined;
  readonly poster: Poster;
  readonly health: Health;
  readonly readers: ReaderThreads;
  readonly app: App;
  readonly control: undefined;
  /** Port of the metrics; null: not served. */
  readonly metricsPort: number | null;
  readonly listening: undefined;
  readonly work: undefined;
  readonly greeting: undefined;
}

export const definePart = partsOf<ServerParts>();

/** How long a stop may take. */
export class StopTime {
  readonly #most: number;
  #until = Number.POSITIVE_INFINITY;

  /** `most`: milliseconds from `begin` on. */
  constructor(most: number) {
    this.#most = most;
  }

  begin(): void {
    this.#until = performance.now() + this.#most;
  }

  /** Milliseconds that are left; all of them before the stop begins. */
  get left(): number {
    return Math.min(this.#most, this.#until - performance.now());
  }
}
