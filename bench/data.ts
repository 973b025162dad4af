import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codec } from '#catalogue/events.ts';
import { entryStream } from '#domain/entry/state.ts';
import { type Commit, type EventStore, isConflict } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { type HistorySpec, history, type Save } from './data/history.ts';
import { postSource } from './data/posts.ts';
import { prose } from './data/prose.ts';
import { hexDigits, type Random, seeded } from './data/random.ts';
import { type StreamEvent, siteEvents } from './data/site.ts';
import { vocabulary } from './data/words.ts';

export interface DataSpec {
  readonly seed: number;
  readonly posts: number;
  /** Events in all. */
  readonly events: number;
}

/** A data directory as the server uses it, and the ids and words that the benches need for their requests. */
export interface DataSet extends DataSpec {
  readonly directory: string;
  /** Published posts without a password. */
  readonly ids: readonly number[];
  readonly slugs: readonly string[];
  /** Words by frequency, the most frequent first. */
  readonly words: readonly string[];
}

/** Raise it when the same seed produces different data. */
const version = 3;
/** Folder of the data sets and other files of the benches; not part of the project. */
export const home = join(import.meta.dirname, '.data');
const perAppend = 500;

/** Returns the data set of a specification; creates it if necessary. */
export async function dataSet(spec: DataSpec, note: (text: string) => void): Promise<DataSet> {
  const directory = join(home, `${spec.posts}-${spec.events}-${spec.seed}`);
  const summary = join(directory, 'data-set');
  if (existsSync(summary)) {
    const found = JSON.parse(readFileSync(summary, 'utf8')) as DataSet & { version: number };
    if (found.version === version) return { ...found, directory };
  }
  note(`making ${spec.events} events over ${spec.posts} posts`);
  const fresh = `${directory}.new`;
  for (const path of [fresh, directory]) rmSync(path, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const made = await build(spec, fresh);
  writeFileSync(join(fresh, 'data-set'), JSON.stringify({ version, ...spec, ...made }));
  renameSync(fresh, directory);
  return { ...spec, ...made, directory };
}

async function build(spec: DataSpec, directory: string): Promise<Pick<DataSet, 'ids' | 'slugs' | 'words'>> {
  const { seed, posts, events } = spec;
  const language = vocabulary(seed);
  const salts = seeded(seed, 7);
  const store = openSqliteStore({ path: join(directory, 'log.db'), salt: () => hexDigits(salts, 32) });
  const ids: number[] = [];
  const slugs: string[] = [];
  try {
    const site = siteEvents(seed, language);
    const log = appender(store, seeded(seed, 8));
    await log.add({ at: Date.UTC(2016, 0, 1), actor: null, events: site });
    const saves: HistorySpec = { seed, posts, saves: events - site.length };
    for (const save of history(saves, postSource(seed, prose(language)))) {
      await log.add(toCommit(save));
      if (save.created?.status !== 'publish' || save.created.password !== '') continue;
      ids.push(save.id);
      slugs.push(save.created.slug);
    }
    await log.flush();
  } finally {
    store.close();
  }
  return { ids, slugs, words: language.words };
}

interface Saved {
  readonly at: number;
  readonly actor: number | null;
  readonly events: readonly StreamEvent[];
}

function toCommit({ id, at, actor, event }: Save): Saved {
  return { at, actor, events: [{ stream: entryStream(id), event }] };
}

/** Appends commits in large groups, one transaction per group. */
function appender(store: EventStore, random: Random) {
  let waiting: Commit[] = [];

  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    const head = await store.append(waiting, store.head().position);
    if (isConflict(head)) throw new Error(`somebody else writes to the log: it stands at ${head.position}`);
    waiting = [];
  }

  async function add({ at, actor, events }: Saved): Promise<void> {
    const id = uuid(random);
    waiting.push({
      id,
      at: new Date(at).toISOString(),
      actor,
      correlationId: id,
      causationId: null,
      events: events.map(({ stream, event }) => ({ stream, ...codec.encode(event) })),
    });
    if (waiting.length >= perAppend) await flush();
  }

  return { add, flush };
}

function uuid(random: Random): string {
  const hex = hexDigits(random, 32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
