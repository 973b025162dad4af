import type { LoginCount, LoginCounts } from '#domain/user/logins.ts';
import type { Reporter } from '#process/reporter.ts';
import { type NodeFile, notedIn } from './node-file.ts';
import { attempting, delayed } from './noting.ts';

/** Days for which counts are kept. */
const kept = 400;
/** Milliseconds until counts are written: guesses come in numbers. */
const delay = 1000;
const dayLength = 24 * 60 * 60 * 1000;

export interface LoginCountsOptions {
  readonly file: NodeFile;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly reporter: Reporter;
}

/** Counts log-ins. A crash loses the last second. */
export function openLoginCounts({ file, clock, reporter }: LoginCountsOptions): LoginCounts & { close(): void } {
  let waiting = new Map<string, [succeeded: number, failed: number]>();
  const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10);
  const attempt = attempting(reporter);
  const write = () => {
    if (waiting.size === 0) return;
    const counted = waiting;
    waiting = new Map();
    for (const [key, [succeeded, failed]] of counted) {
      const [day = '', user = '0'] = key.split(' ');
      const [before] = countsIn(file, 'WHERE day = ? AND user = ?', day, Number(user));
      file.put('logins', day, Number(user), (before?.succeeded ?? 0) + succeeded, (before?.failed ?? 0) + failed);
    }
    file.remove('logins', 'WHERE day < ?', dayAt(clock() - kept * dayLength));
  };
  const writing = delayed(write, delay, attempt);
  return {
    note(user, succeeded) {
      const key = `${dayAt(clock())} ${user}`;
      const [good, bad] = waiting.get(key) ?? [0, 0];
      waiting.set(key, succeeded ? [good + 1, bad] : [good, bad + 1]);
      writing.soon();
    },
    all() {
      writing.now();
      return attempt(() => countsIn(file, latestFirst), []);
    },
    close: writing.now,
  };
}

/** The counts of a data directory, with or without a running server. */
export function readLoginCounts(dataDir: string): readonly LoginCount[] {
  return notedIn(dataDir, (file) => countsIn(file, latestFirst));
}

const latestFirst = 'ORDER BY day DESC, user';

function countsIn(file: NodeFile, ...condition: [string, ...(string | number)[]]): readonly LoginCount[] {
  return file.rows('logins', ...condition).map(({ sum: _, ...count }) => count as unknown as LoginCount);
}
