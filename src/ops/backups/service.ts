import { setTimeout as wait } from 'node:timers/promises';
import type { HealthReason } from '#http/server/health.ts';
import { type Child, startChild } from '#process/child.ts';
import type { Reporter } from '#process/reporter.ts';
import type { Config } from '../../config.ts';
import { backupMessage } from './messages.ts';

const script = new URL('./child.ts', import.meta.url);
/** Milliseconds until an ended child process is restarted. */
const pause = 10_000;
/** Shortest time in milliseconds for which a stopping server waits for the rest to be shipped. */
const moment = 1500;

export interface BackupService {
  /** Whether the log is shipped, besides whole backups. */
  readonly ships: boolean;
  /** Position up to which the log is shipped; 0 if shipping is off. */
  readonly shipped: number;
  /** Seconds since the oldest acknowledged event that is not shipped yet; 0 if there is none. */
  lag(): number;
  warnings(): readonly HealthReason[];
  /** Ships the rest within `patience` milliseconds, or warns how much of it remains. */
  close(patience: number): Promise<void>;
}

export interface ServiceParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: Pick<Config, 'backups'>;
  readonly head: () => number;
  readonly reporter: Reporter;
}

/** Starts the child process that backs up the site; null if the settings request no backups. */
export function startBackups(parts: ServiceParts): BackupService | null {
  const { every = 0, ships = false } = parts.config.backups ?? {};
  return every === 0 && !ships ? null : new BackupsInChild(parts, ships);
}

class BackupsInChild implements BackupService {
  readonly #parts: ServiceParts;
  readonly #ships: boolean;
  #child: Child;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #fault: string | null = null;
  #shipped = 0;
  #complete = Date.now();
  #findings: readonly string[] = [];

  constructor(parts: ServiceParts, ships: boolean) {
    this.#parts = parts;
    this.#ships = ships;
    this.#child = this.#start();
  }

  get ships(): boolean {
    return this.#ships;
  }

  get shipped(): number {
    return this.#shipped;
  }

  lag(): number {
    return !this.#ships || this.#shipped >= this.#parts.head() ? 0 : (Date.now() - this.#complete) / 1000;
  }

  warnings(): readonly HealthReason[] {
    const [finding] = this.#findings;
    const files = finding === undefined ? null : `files are missing in the last backup: ${finding}`;
    return [this.#fault, files].flatMap((message) => (message === null ? [] : [{ code: 'backups_failing', message }]));
  }

  async close(patience: number): Promise<void> {
    const { head, reporter } = this.#parts;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    const isTold = (await child.send({ stop: true })) === true;
    if (isTold) await Promise.race([child.ended, wait(Math.max(moment, patience), undefined, { ref: false })]);
    child.stop();
    const rest = this.#ships ? head() - this.#shipped : 0;
    if (rest > 0) {
      reporter.warning(
        `backups: the end of the log may not be shipped: ${rest} events, positions ${this.#shipped + 1} to ${head()}`,
      );
    }
  }

  #start(): Child {
    const started = startChild(script, { args: [], env: this.#parts.env, onMessage: (message) => this.#hear(message) });
    started.ended.then(() => {
      if (this.#isClosed) return;
      this.#note('the process that makes them ended and is started again');
      const again = () => {
        this.#child = this.#start();
      };
      this.#timer = setTimeout(again, pause).unref();
    });
    return started;
  }

  #hear(message: unknown): void {
    const { data } = backupMessage.safeParse(message);
    if (data?.kind === 'fault') this.#note(data.message);
    if (data?.kind === 'shipped') [this.#shipped, this.#complete] = [data.position, data.at];
    if (data?.kind !== 'backup') return;
    this.#findings = data.findings;
    this.#parts.reporter.info(
      `backups: ${data.key} has position ${data.position}; ${data.events} events and ${data.files} files were written`,
    );
  }

  #note(message: string | null): void {
    const { reporter } = this.#parts;
    if (message !== null && message !== this.#fault) reporter.warning(`backups: ${message}`);
    if (message === null && this.#fault !== null) reporter.info('backups: they work again');
    this.#fault = message;
  }
}
