import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EventStore } from '#eventstore/port.ts';

/**
 * A table of a projection that is read as of earlier positions, too. It has a column `since`: where the commit begins that wrote the row.
 * A table beside it has the rows that later commits have replaced or deleted, with `since` and `until`, where the later commit begins.
 * Triggers fill it in the transaction of the change.
 */
export interface Versioned {
  /** Columns of the primary key. Default: `id`. */
  readonly key?: readonly string[];
  /** Columns that earlier rows lack, and the SQL that stands for each in these. */
  readonly without?: Readonly<Record<string, string>>;
  /** Columns by which earlier rows are looked up, besides the key. */
  readonly lookedUpBy?: readonly string[];
  /** Whether a replay holds its rows back. Triggers would see only those that it writes, so `Versions` keeps the earlier ones. */
  readonly isHeldBack?: boolean;
  /** Instead of all this: the column with the position of a row, in a table whose rows stay as they are. */
  readonly appendedAt?: string;
  /** SQL for columns of such a table that are set once, later. */
  readonly shown?: Readonly<Record<string, string>>;
}

interface Of {
  readonly versioned: Readonly<Record<string, Versioned>>;
}

/** SQL, on a connection that writes: where the commit begins whose events are being applied. */
export const thisCommit = 'commit_start()';

interface Moment {
  since: number;
}

const moments = new WeakMap<DatabaseSync, Moment>();

/** Where the commit begins whose events are being applied on a connection. */
export function commitOn(db: DatabaseSync): Moment {
  const known = moments.get(db);
  if (known !== undefined) return known;
  const moment = { since: 0 };
  moments.set(db, moment);
  db.function('commit_start', () => moment.since);
  return moment;
}

/**
 * SQL that writes a row, with a parameter for each column but `since`, in place of the one with the same key. `OR REPLACE` would rule inside
 * triggers, too.
 */
export function upsertSql(table: string, columns: readonly string[], key: readonly string[] = ['id']): string {
  const changed = columns.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
  return `INSERT INTO ${table} (${columns.join(', ')}, since) VALUES (${columns.map(() => '?').join(', ')}, ${thisCommit})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${[...changed, 'since = excluded.since'].join(', ')}`;
}

/** Name of the table with the earlier rows of a table. */
export const historyOf = (table: string): string => `${table}_history`;

/** Creates the tables with earlier rows, and the triggers that fill them, beside the tables of a projection. */
export function createHistories(db: DatabaseSync, { versioned }: Of): void {
  for (const [table, how] of Object.entries(versioned)) {
    if (how.appendedAt !== undefined) continue;
    db.exec(historySql(db, table, how));
    if (how.isHeldBack !== true) db.exec(triggersSql(db, table, how));
  }
}

/** SQL for indexes of the tables with earlier rows, each `IF NOT EXISTS`. */
export function historyIndexes({ versioned }: Of): string {
  const indexes = Object.entries(versioned).flatMap(([table, { key = ['id'], lookedUpBy = [], appendedAt }]) => {
    if (appendedAt !== undefined) return [];
    const history = historyOf(table);
    return [key, ...lookedUpBy.map((name) => [name])].map(
      (names) =>
        `CREATE INDEX IF NOT EXISTS ${history}_by_${names.join('_')} ON ${history} (${names.join(', ')}, until, since);`,
    );
  });
  return indexes.join('\n');
}

function historySql(db: DatabaseSync, table: string, how: Versioned): string {
  const columns = keptColumns(db, table, how);
  const declared = columns.map(({ name, type, notnull, pk }) =>
    notnull + pk === 0 ? `${name} ${type}` : `${name} ${type} NOT NULL`,
  );
  // In this order, rows are appended.
  const key = ['until', ...(how.key ?? ['id'])].join(', ');
  return `CREATE TABLE ${historyOf(table)} (${declared.join(', ')}, until INTEGER NOT NULL, PRIMARY KEY (${key})) STRICT, WITHOUT ROWID`;
}

function triggersSql(db: DatabaseSync, table: string, how: Versioned): string {
  const names = keptColumns(db, table, how).map(({ name }) => name);
  const keep = (until: string) => `
      SELECT RAISE(ABORT, 'a row of ${table} would end before it began') WHERE OLD.since > ${until};
      INSERT INTO ${historyOf(table)} (${names.join(', ')}, until) VALUES (${names.map((name) => `OLD.${name}`).join(', ')}, ${until});`;
  return `
    CREATE TRIGGER ${table}_replaced AFTER UPDATE ON ${table} WHEN OLD.since <> NEW.since BEGIN${keep('NEW.since')} END;
    CREATE TRIGGER ${table}_deleted AFTER DELETE ON ${table} WHEN OLD.since <> ${thisCommit} BEGIN${keep(thisCommit)} END;`;
}

/** Keeps earlier rows of a table whose rows are held back. */
export class Versions {
  /** Columns of the rows that it keeps. */
  readonly columns: readonly string[];
  readonly #insert: StatementSync;
  readonly #copy: StatementSync;

  constructor(db: DatabaseSync, table: string, how: Versioned) {
    this.columns = keptColumns(db, table, how).map(({ name }) => name);
    const names = this.columns.join(', ');
    const into = `INSERT INTO ${historyOf(table)} (${names}, until)`;
    this.#insert = db.prepare(`${into} VALUES (${this.columns.map(() => '?').join(', ')}, ?)`);
    this.#copy = db.prepare(`${into} SELECT ${names}, ? FROM ${table} WHERE id = ?`);
  }

  /** Keeps a row that was not written. */
  keep(values: readonly (string | number | null)[], until: number): void {
    this.#insert.run(...values, until);
  }

  /** Keeps the row that the table has. */
  copy(id: number, until: number): void {
    this.#copy.run(until, id);
  }
}

type Row = Readonly<Record<string, string | number | null>>;

/** Replaces columns of earlier rows, whose texts have been erased. `renewed` gets a row, and where the next one begins. */
export function renewEarlier(
  db: DatabaseSync,
  { table, by = 'id', value }: { readonly table: string; readonly by?: string; readonly value: number },
  renewed: (row: Row, until: number) => Row,
): void {
  const history = historyOf(table);
  const rows = db.prepare(`SELECT * FROM ${history} WHERE ${by} = ?`).all(value) as unknown as Row[];
  for (const row of rows) {
    const { until = null, id = null } = row;
    const changed = renewed(row, Number(until));
    const set = Object.keys(changed).map((name) => `${name} = ?`);
    const update = db.prepare(`UPDATE ${history} SET ${set.join(', ')} WHERE until = ? AND id = ?`);
    update.run(...Object.values(changed), until, id);
  }
}

/** What a connection shows that shows the tables as of a position. */
export interface PastStanding {
  position: number;
  readonly log: Pick<EventStore, 'read'>;
}

const standings = new WeakMap<DatabaseSync, PastStanding>();

/** Undefined: a connection that shows the present. */
export function standingOf(db: DatabaseSync): Readonly<PastStanding> | undefined {
  return standings.get(db);
}

/** SQL, on such a connection: that position. */
export const standsAt = '(SELECT position FROM temp.standing)';

/** Makes a connection show the tables of projections as of a position, by views of their names; at first, they are empty. */
export function showPast(db: DatabaseSync, projections: readonly Of[], log: PastStanding['log']): void {
  db.exec('CREATE TEMP TABLE standing (position INTEGER NOT NULL); INSERT INTO standing VALUES (0)');
  standings.set(db, { position: 0, log });
  for (const { versioned } of projections) {
    for (const [table, how] of Object.entries(versioned)) db.exec(viewSql(db, table, how));
  }
}

const moving = new WeakMap<DatabaseSync, StatementSync>();

/** Moves a connection that shows the past. */
export function standAt(db: DatabaseSync, position: number): void {
  const standing = standings.get(db);
  if (standing === undefined) throw new TypeError('this connection shows the present');
  if (standing.position === position) return;
  const move = moving.get(db) ?? db.prepare('UPDATE temp.standing SET position = ?');
  moving.set(db, move);
  move.run(position);
  standing.position = position;
}

function viewSql(db: DatabaseSync, table: string, how: Versioned): string {
  const { appendedAt, shown = {}, without = {} } = how;
  const names = columnsOf(db, table).map(({ name }) => name);
  const list = (as: Readonly<Record<string, string>>) =>
    names.map((name) => (as[name] === undefined ? name : `${as[name]} AS ${name}`)).join(', ');
  if (appendedAt !== undefined) {
    return `CREATE TEMP VIEW ${table} AS SELECT ${list(shown)} FROM main.${table} WHERE ${appendedAt} <= ${standsAt}`;
  }
  return `
    CREATE TEMP VIEW ${table} AS
    SELECT ${names.join(', ')} FROM main.${table} WHERE since <= ${standsAt}
    UNION ALL
    SELECT ${list(without)} FROM main.${historyOf(table)} WHERE until > ${standsAt} AND since <= ${standsAt}`;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

function keptColumns(db: DatabaseSync, table: string, { without = {} }: Versioned): readonly Column[] {
  return columnsOf(db, table).filter(({ name }) => !(name in without));
}

function columnsOf(db: DatabaseSync, table: string): readonly Column[] {
  const found = db.prepare('SELECT name, type, "notnull", min(pk, 1) AS pk FROM pragma_table_info(?, ?) ORDER BY cid');
  return found.all(table, 'main') as unknown as Column[];
}
