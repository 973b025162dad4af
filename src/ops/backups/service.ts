import { setTimeout as wait } from 'node:timers/promises';
import type { Reason } from '#http/server/health.ts';
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
  /** Position up to which the log is shipped; 0 if shipping is off. */
  readonly shipped: number;
  /** Seconds since the oldest acknowledged event that is not shipped yet; 0 if there is none. */
  lag(): number;
  warnings(): readonly Reason[];
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
export function startBackups({ config, env, head, reporter }: ServiceParts): BackupService | null {
  const { every = 0, ships = false } = config.backups ?? {};
  if (every === 0 && !ships) return null;
  let child: Child | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let fault: string | null = null;
  let shipped = 0;
  let complete = Date.now();
  let findings: readonly string[] = [];

  function note(message: string | null): void {
    if (message !== null && message !== fault) reporter.warning(`backups: ${message}`);
    if (message === null && fault !== null) reporter.info('backups: they work again');
    fault = message;
  }

  function hear(message: unknown): void {
    const { data } = backupMessage.safeParse(message);
    if (data?.kind === 'fault') note(data.message);
    if (data?.kind === 'shipped') [shipped, complete] = [data.position, data.at];
    if (data?.kind !== 'backup') return;
    findings = data.findings;
    reporter.info(
      `backups: ${data.key} has position ${data.position}; ${data.events} events and ${data.files} files were written`,
    );
  }

  function start(): void {
    const started = startChild(script, { args: [], env, onMessage: hear });
    child = started;
    started.ended.then(() => {
      if (isClosed) return;
      note('the process that makes them ended and is started again');
      timer = setTimeout(start, pause).unref();
    });
  }

  start();
  return {
    get shipped() {
      return shipped;
    },
    lag: () => (!ships || shipped >= head() ? 0 : (Date.now() - complete) / 1000),
    warnings() {
      const files = findings.length === 0 ? null : `files are missing in the last backup: ${findings[0]}`;
      return [fault, files].flatMap((message) => (message === null ? [] : [{ code: 'backups_failing', message }]));
    },
    async close(patience) {
      isClosed = true;
      clearTimeout(timer);
      const isTold = (await child?.send({ stop: true })) === true;
      if (isTold) await Promise.race([child?.ended, wait(Math.max(moment, patience), undefined, { ref: false })]);
      child?.stop();
      const rest = ships ? head() - shipped : 0;
      if (rest > 0) {
        reporter.warning(
          `backups: the end of the log may not be shipped: ${rest} events, positions ${shipped + 1} to ${head()}`,
        );
      }
    },
  };
}
