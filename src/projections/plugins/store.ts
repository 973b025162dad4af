import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { areas } from '#catalogue/areas.ts';
import { codec } from '#catalogue/events.ts';
import { keptIds } from '#domain/identities.ts';
import type { DomainEvent, EventMeta, RecordedEvent } from '#domain/kernel/event.ts';
import { type Area, onlyKey } from '#domain/plugins/area.ts';
import { defineProjection } from '../kernel/define.ts';
import { eventsUntil, toRecorded } from '../kernel/events-until.ts';
import { remember } from '../kernel/remember.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';
import { standingOf } from '../kernel/versions.ts';

const byStream = new Map(areas.map((area) => [area.stream, area]));

/** The area of a stream; undefined for streams outside plugins. */
function areaOf(stream: string): Area | undefined {
  return byStream.get(stream);
}

export class PluginTable {
  readonly #get: StatementSync;
  readonly #all: StatementSync;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;

  readonly #db: DatabaseSync;
  #folded: { position: number; areas: Map<string, ReadonlyMap<string, unknown> | null> } = {
    position: -1,
    areas: new Map(),
  };

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#get = db.prepare('SELECT document, sum FROM plugins WHERE area = ? AND key = ?');
    this.#all = db.prepare('SELECT key, document, sum FROM plugins WHERE area = ? ORDER BY key');
    this.#put = db.prepare('INSERT OR REPLACE INTO plugins VALUES (?, ?, ?, ?)');
    this.#drop = db.prepare('DELETE FROM plugins WHERE area = ? AND key = ?');
  }

  get<S, E extends DomainEvent>(area: Area<S, E>, key: string = onlyKey): S {
    const { name, empty } = area;
    const earlier = this.#earlier(area);
    if (earlier !== null) return earlier.get(key) ?? empty;
    const row = this.#get.get(name, key);
    return row === undefined ? empty : (documentIn(row, name, key) as S);
  }

  all<S, E extends DomainEvent>(area: Area<S, E>): ReadonlyMap<string, S> {
    const { name } = area;
    const earlier = this.#earlier(area);
    if (earlier !== null) return earlier;
    const rows = this.#all.all(name).map((row) => ({ row, key: String(row['key']) }));
    return new Map(rows.map(({ row, key }) => [key, documentIn(row, name, key) as S]));
  }

  apply(area: Area, event: DomainEvent, { at }: EventMeta): void {
    // Members are in the order of a replay, because documents are shown unchanged.
    const read = codec.decode(codec.encode(event));
    for (const key of area.keysOf(read)) this.#save(area, key, area.evolve(this.get(area, key), read, { key, at }));
  }

  /** Replaces all documents of an area. */
  replace(area: Area, documents: ReadonlyMap<string, unknown>): void {
    for (const key of this.all(area).keys()) if (!documents.has(key)) this.#drop.run(area.name, key);
    for (const [key, document] of documents) this.#save(area, key, document);
  }

  /**
   * The documents of an area where they were others than now, from the log: each may be long and change often, so that keeping all that it
   * ever was would take the square of its length.
   */
  #earlier<S, E extends DomainEvent>(area: Area<S, E>): ReadonlyMap<string, S> | null {
    const standing = standingOf(this.#db);
    if (standing === undefined) return null;
    const { position, log } = standing;
    if (this.#folded.position !== position) this.#folded = { position, areas: new Map() };
    return remember(this.#folded.areas, area.name, () => {
      const [last] = log.read({ stream: area.stream, direction: 'backwards', limit: 1 });
      if (last === undefined || last.position <= position) return null;
      return documentsAfter(eventsUntil(log, area.stream, position) as RecordedEvent<E>[], area);
    }) as ReadonlyMap<string, S> | null;
  }

  #save({ name, empty }: Area, key: string, document: unknown): void {
    const text = JSON.stringify(document);
    if (text === JSON.stringify(empty)) this.#drop.run(name, key);
    else this.#put.run(name, key, text, sumOf([name, key, text]));
  }
}

function documentIn({ document, sum }: Record<string, unknown>, area: string, key: string): unknown {
  const text = String(document);
  checkSum(sum, sumOf([area, key, text]), 'plugins', `${area} ${key}`);
  return JSON.parse(text);
}

export const plugins = defineProjection({
  name: 'plugins',
  version: 3,
  tables: `
    -- Documents of plugins, by area and key.
    CREATE TABLE plugins (
      area TEXT NOT NULL, key TEXT NOT NULL, document TEXT NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (area, key)
    ) STRICT, WITHOUT ROWID;
  `,
  touches: ['plugins', 'credentials'],
  open: (db) => new PluginTable(db),
  area: 'plugin',
  apply(table, { event, meta }: RecordedEvent, { checkpoint }) {
    for (const { of, to } of keptIds(event)) {
      const next = nextOf[of];
      checkpoint[next] = Math.max(checkpoint[next], to);
    }
    const area = areaOf(meta.stream);
    if (area !== undefined) table.apply(area, event, meta);
  },
  *scan(table) {
    for (const area of areas) {
      table.all(area);
      yield;
    }
  },
  *forget(table, { events, log }) {
    for (const area of new Set(events.flatMap(({ meta }) => areaOf(meta.stream) ?? []))) {
      // A key may have been derived from an erased text, so all documents are made again.
      const all = [...log.read({ stream: area.stream, limit: largest + 1 })];
      if (all.length > largest) return false;
      yield;
      table.replace(area, documentsAfter(all.map(toRecorded), area));
      yield;
    }
    return true;
  },
});

const nextOf = { item: 'nextId', term: 'nextTerm', user: 'nextUser', comment: 'nextComment' } as const;

/** Events of an area from which its documents are made within some hundred milliseconds. */
const largest = 20_000;

function documentsAfter<S, E extends DomainEvent>(
  events: readonly RecordedEvent<E>[],
  area: Area<S, E>,
): ReadonlyMap<string, S> {
  const documents = new Map<string, S>();
  for (const { event, meta } of events) {
    for (const key of area.keysOf(event)) {
      documents.set(key, area.evolve(documents.get(key) ?? area.empty, event, { key, at: meta.at }));
    }
  }
  return documents;
}
