import type { AuditorRead, Readings } from '#domain/user/logins.ts';
import type { Reporter } from '#process/reporter.ts';
import { type NodeFile, notedIn } from './node-file.ts';
import { attempting, delayed } from './noting.ts';

/** Milliseconds until readings are written: a page is followed by the next. */
const delay = 1000;
const dayLength = 24 * 60 * 60 * 1000;
/** Rows that are kept; the oldest go first. */
const most = 50_000;
/** Characters of a path. */
const longest = 200;

export interface ReadingsOptions {
  readonly file: NodeFile;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Days for which readings are kept; 0 keeps none. */
  readonly days: number;
  readonly reporter: Reporter;
}

type Noted = Pick<AuditorRead, 'day' | 'user' | 'route' | 'item'>;

/** Notes what auditors read. A crash loses the last second. */
export function openReadings({ file, clock, days, reporter }: ReadingsOptions): Readings & { close(): void } {
  let waiting = new Map<string, AuditorRead>();
  const attempt = attempting(reporter);
  const write = () => {
    const noted = [...waiting.values()];
    waiting = new Map();
    file.atOnce(() => {
      for (const { day, user, route, item, at, times } of noted) {
        const [before] = readingsIn(file, ofDay, day, user, route, item);
        file.put('readings', day, user, route, item, at, (before?.times ?? 0) + times);
      }
      file.remove('readings', 'WHERE at < ?', clock() - days * dayLength);
      file.remove('readings', 'WHERE at < (SELECT at FROM readings ORDER BY at DESC LIMIT 1 OFFSET ?)', most - 1);
    });
  };
  const writing = delayed(write, delay, attempt);
  return {
    note({ user, route, item: path }) {
      if (days === 0) return;
      const at = clock();
      const noted: Noted = { day: new Date(at).toISOString().slice(0, 10), user, route, item: path.slice(0, longest) };
      const key = JSON.stringify(noted);
      waiting.set(key, { ...noted, at, times: (waiting.get(key)?.times ?? 0) + 1 });
      writing.soon();
    },
    all() {
      writing.now();
      return attempt(() => readingsIn(file, newestFirst), []);
    },
    close() {
      if (waiting.size > 0) writing.now();
    },
  };
}

/** What a data directory says of readings, with or without a running server. */
export function readReadings(dataDir: string): readonly AuditorRead[] {
  return notedIn(dataDir, (file) => readingsIn(file, newestFirst));
}

const ofDay = 'WHERE day = ? AND user = ? AND route = ? AND item = ?';
const newestFirst = 'ORDER BY at DESC, item';

function readingsIn(file: NodeFile, ...condition: [string, ...(string | number)[]]): readonly AuditorRead[] {
  return file.rows('readings', ...condition).map(({ sum: _, ...reading }) => reading as unknown as AuditorRead);
}
