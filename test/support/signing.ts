import { join } from 'node:path';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { openTransparency, type Transparency } from '#node/tree/transparency.ts';
import { reporterOf } from '#process/reporter.ts';

interface Opened extends Transparency {
  readonly log: ReturnType<typeof openSqliteStore>;
  close(): void;
}

/** What signs the log in a data directory that no server uses. `sinks`: where its checkpoints are copied; `authority`: who states their time. */
export function openSigning(dataDir: string, sinks: readonly string[] = [], authority: string | null = null): Opened {
  const log = openSqliteStore({ path: join(dataDir, 'log.db'), readOnly: true });
  const clock = () => Date.parse('2026-03-01T11:00:00.000Z');
  const siteUrl = () => 'https://site.example/';
  const opened = openTransparency({
    dataDir,
    givenKey: null,
    sinks,
    authority,
    log,
    siteUrl,
    clock,
    reporter: reporterOf({}),
  });
  const close = () => {
    opened.tree.close();
    log.close();
  };
  return { ...opened, log, close };
}

/** Makes a checkpoint of the log as it is. */
export function signLog(dataDir: string) {
  const { checkpoints, keys, close } = openSigning(dataDir);
  try {
    checkpoints.make();
    const { latest } = checkpoints;
    if (latest === null) throw new Error('nothing was signed');
    return { checkpoint: latest, verifier: keys.verifiers[0] ?? '' };
  } finally {
    close();
  }
}
