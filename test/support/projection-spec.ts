import { globSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished } from 'vitest';
import { codec } from '#catalogue/events.ts';
import type { DomainEvent, RecordedEvent } from '#domain/kernel/event.ts';
import { noChanges } from '#projections/kernel/changes.ts';
import { openProjections } from '#projections/projector/database.ts';
import { Projector } from '#projections/projector/projector.ts';

/** An event of a stream. */
interface Happened {
  readonly stream: string;
  readonly event: DomainEvent;
}

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

interface When {
  /** What the tables contain after all events: for each row at least these columns, in the order of the first column. */
  then(rows: Rows): void;
  /** Any statement that reads. */
  thenFound(sql: string, rows: readonly Readonly<Record<string, unknown>>[]): void;
}

interface Given extends When {
  /** `times`: how often these events happen, one time after the other. Default: once. */
  when(happened: readonly Happened[], options?: { readonly times?: number }): When;
}

/** Events of a stream such as `term-7`. */
export function on(stream: string, ...events: readonly DomainEvent[]): readonly Happened[] {
  return events.map((event) => ({ stream, event }));
}

/** The golden example of the newest version of an event type, with other data; without what is undefined. */
export function example(type: string, data: Readonly<Record<string, unknown>> = {}): DomainEvent {
  const versions = globSync(`${type}.v*.json`, { cwd: golden }).sort();
  const file = new URL(versions.at(-1) ?? `${type}.v1.json`, golden);
  const { event } = JSON.parse(readFileSync(file, 'utf8')) as { readonly event: DomainEvent<string, object> };
  const members = Object.entries({ ...event.data, ...asNew, ...data }).filter(([, value]) => value !== undefined);
  return { ...event, data: Object.fromEntries(members) };
}

const golden = new URL('../golden/', import.meta.url);
/** An item is new unless it is said that it comes back. */
const asNew = { again: undefined, trashed: undefined, former: undefined };

/**
 * What all projections make of events, without a site: `given(on(…)).when(on(…), { times: 2 }).then({ terms: […] })`. The rows have to be the
 * same whether each event is a commit or all are replayed at once.
 */
export function given(...happened: readonly (readonly Happened[])[]): Given {
  const before = happened.flat();
  return {
    ...outcomeOf(before),
    when: (then, { times = 1 } = {}) => outcomeOf([...before, ...Array.from({ length: times }, () => then).flat()]),
  };
}

function outcomeOf(happened: readonly Happened[]): When {
  const found = (sql: string) => {
    const recorded = happened.map(recordedAt);
    const [singly, together] = [recorded.map((one) => [one]), [recorded]].map((commits) => {
      const db = projected(commits);
      return db
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }));
    });
    expect(together, `${sql}: one by one, and replayed at once`).toEqual(singly);
    return singly ?? [];
  };
  const thenFound: When['thenFound'] = (sql, rows) => {
    const there = found(sql);
    expect(there, sql).toMatchObject(rows);
  };
  return {
    thenFound,
    // biome-ignore lint/suspicious/noThenProperty: what such specs are called; nobody awaits one
    then(rows) {
      for (const [table, expected] of Object.entries(rows)) thenFound(`SELECT * FROM ${table} ORDER BY 1`, expected);
    },
  };
}

const start = Date.parse('2026-03-01T11:00:00.000Z');

/** As a writer would record it. Throws for what no log can have. */
function recordedAt({ stream, event }: Happened, i: number): RecordedEvent {
  const misfit = codec.misfit(event);
  if (misfit !== null) throw new TypeError(`${event.type}: ${misfit.message}`);
  const at = new Date(start + i * 1000).toISOString();
  return { event, meta: { position: i + 1, since: i + 1, stream, revision: 0, at, actor: 1, correlationId: `c${i}` } };
}

function projected(commits: readonly (readonly RecordedEvent[])[]): DatabaseSync {
  const db = openProjections(':memory:');
  onTestFinished(() => db.close());
  const projector = new Projector(db);
  for (const events of commits) {
    db.exec('BEGIN');
    projector.apply(events, noChanges());
    projector.flush();
    projector.saveCheckpoint();
    projector.followers.apply(events);
    projector.followers.save();
    db.exec('COMMIT');
  }
  return db;
}
