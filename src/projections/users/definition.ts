import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EventMeta, RecordedEvent } from '#domain/kernel/event.ts';
import type { UserDeletedEvent, UserEvent } from '#domain/user/events.ts';
import type { Role } from '#domain/user/roles.ts';
import { evolveUser, type User, userStream } from '#domain/user/state.ts';
import { defineProjection } from '../kernel/define.ts';
import { eachId } from '../kernel/each-id.ts';
import { Endings } from '../kernel/endings.ts';
import { eventsUntil } from '../kernel/events-until.ts';
import { runsOf } from '../kernel/projection.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';
import { renewEarlier, standsAt, upsertSql } from '../kernel/versions.ts';

export interface UserRow extends User {
  readonly published: number;
}

export interface DeletedUser {
  readonly position: number;
  readonly event: UserDeletedEvent;
}

export class UserTable {
  readonly #byId: StatementSync;
  readonly #byLogin: StatementSync;
  readonly #byName: StatementSync;
  readonly #bySlug: StatementSync;
  readonly #all: StatementSync;
  readonly #withText: StatementSync;
  readonly #byEmail: StatementSync;
  readonly #passwords: StatementSync;
  readonly #deleted: StatementSync;
  /** Where users left the names that their pages had. */
  readonly left: Endings;
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.left = new Endings(db, 'users', { by: 'slug' });
    this.#byId = db.prepare('SELECT * FROM users WHERE id = ?');
    this.#byLogin = db.prepare('SELECT * FROM users WHERE login = ?');
    this.#byName = db.prepare(byName);
    this.#bySlug = db.prepare('SELECT * FROM users WHERE slug = ?');
    this.#all = db.prepare('SELECT * FROM users WHERE id > ? ORDER BY id LIMIT ?');
    this.#withText = db.prepare('SELECT * FROM users WHERE instr(state, ?) > 0 ORDER BY id');
    this.#passwords = db.prepare(
      `SELECT password.value ->> '$.id' AS id FROM users, json_each(users.state, '$.passwords') AS password`,
    );
    this.#byEmail = db.prepare(`SELECT * FROM users WHERE ${email} = lower(?) ORDER BY id LIMIT 1`);
    this.#deleted = db.prepare('SELECT position, id, heir FROM lost_users ORDER BY position');
  }

  get(id: number): UserRow | undefined {
    return toUser(this.#byId.get(id));
  }

  byLogin(login: string): UserRow | undefined {
    return toUser(this.#byLogin.get(login));
  }

  /** Id of the user with a login, ignoring case; else of the user with that mail address. */
  idByName(name: string): number | undefined {
    const row = this.#byName.get({ name, low: name.toLowerCase() });
    return row === undefined ? undefined : Number(row['id']);
  }

  bySlug(slug: string): UserRow | undefined {
    return toUser(this.#bySlug.get(slug));
  }

  /** All users by id, or at most `limit` of those after an id. */
  all(after = 0, limit = -1): UserRow[] {
    return this.#all.all(after, limit).flatMap((row) => toUser(row) ?? []);
  }

  /** Ids of the application passwords of all users. */
  passwords(): string[] {
    return this.#passwords.all().map(({ id }) => String(id));
  }

  withRole(role: Role): UserRow[] {
    const found = this.#withText.all(`"${role}"`).flatMap((row) => toUser(row) ?? []);
    return found.filter(({ roles }) => roles.includes(role));
  }

  /** The first user with a mail address, ignoring the case of ASCII letters. */
  byEmail(address: string): UserRow | undefined {
    return toUser(this.#byEmail.get(address));
  }

  deleted(): DeletedUser[] {
    return this.#deleted.all().map((row) => {
      const data = { id: Number(row['id']), heir: Number(row['heir']) };
      return { position: Number(row['position']), event: { type: 'UserDeleted', data } };
    });
  }

  apply(event: UserEvent, meta: EventMeta): void {
    const { published, ...before } = this.get(event.data.id) ?? { published: 0 };
    if (event.type === 'UserDeleted') this.#lose(event, meta.position);
    const after = evolveUser('id' in before ? before : null, event, meta.at);
    if (after === null) return;
    const values = Object.values(toColumns(after));
    this.#db.prepare(upsertSql('users', userColumns)).run(...values, published, 0 - published, sumOf(values));
  }

  /** Gives the earlier rows of a user what the events say now. */
  renewEarlier(id: number, events: readonly RecordedEvent[]): void {
    renewEarlier(this.#db, { table: 'users', value: id }, (_, until) => {
      const then = events.filter(({ meta }) => meta.position < until);
      const fold = (user: User | null, { event, meta }: RecordedEvent) => evolveUser(user, event as UserEvent, meta.at);
      const user = then.reduce<User | null>(fold, null);
      if (user === null) throw new Error(`user ${id} was not there before position ${until}`);
      const columns = toColumns(user);
      return { ...columns, sum: sumOf(Object.values(columns)) };
    });
  }

  #lose({ data: { id, heir } }: UserDeletedEvent, position: number): void {
    this.#db.prepare('DELETE FROM users WHERE id = ?').run(id);
    this.#db.prepare('INSERT OR REPLACE INTO lost_users VALUES (?, ?, ?, 0)').run(position, id, heir);
    if (heir !== 0) return;
    this.#db.prepare(`UPDATE lost_users SET trashed = ?2 WHERE id IN (${predecessors})`).run(id, position);
  }
}

const userColumns = ['id', 'login', 'slug', 'state', 'published', 'unpublished', 'sum'];

/** SQL: ids of a user, and of deleted users whose entries the user inherited. Takes the user's id. */
export const predecessors = `
WITH RECURSIVE predecessors (id) AS (
  SELECT ?1 UNION SELECT lost_users.id FROM lost_users JOIN predecessors ON lost_users.heir = predecessors.id
)
SELECT id FROM predecessors`;

const email = `lower(json_extract(state, '$.email'))`;
/** Erased users have neither login nor address. */
const byName = `
SELECT id, CASE WHEN login = :name THEN 0 ELSE 1 END AS rank FROM users WHERE lower(login) = :low
UNION ALL
SELECT id, 2 FROM users WHERE ${email} = :low AND :low <> ''
ORDER BY rank, id LIMIT 1`;

function toColumns(user: User) {
  const { id, slug } = user;
  return { id, login: user.erased ? null : user.login, slug, state: JSON.stringify(user) };
}

interface Columns {
  readonly id: number;
  readonly login: string | null;
  readonly slug: string;
  readonly state: string;
  readonly published: number;
  readonly unpublished: number;
  readonly sum: number;
}

function toUser(row: Record<string, unknown> | undefined): UserRow | undefined {
  if (row === undefined) return undefined;
  const { id, login, slug, state, published, unpublished, sum } = row as unknown as Columns;
  checkSum(sum, sumOf([id, login, slug, state]), 'users', id);
  checkSum(published, 0 - unpublished, 'users', id);
  return { ...(JSON.parse(state) as User), published };
}

export const users = defineProjection({
  name: 'users',
  version: 4,
  tables: `
    -- The login is null for an erased account, which cannot be found by login.
    CREATE TABLE users (
      id INTEGER PRIMARY KEY, login TEXT, slug TEXT NOT NULL, state TEXT NOT NULL,
      published INTEGER NOT NULL DEFAULT 0, unpublished INTEGER NOT NULL DEFAULT 0, sum INTEGER NOT NULL,
      since INTEGER NOT NULL
    ) STRICT;
    -- Not unique: during a replay, several accounts that are erased later may read as erased.
    CREATE INDEX users_by_slug ON users (slug);
    CREATE INDEX users_by_login ON users (login);
    CREATE INDEX users_by_name ON users (lower(login));
    CREATE INDEX users_by_email ON users (lower(json_extract(state, '$.email')));

    -- Deleted users, in log order; heir is 0 for none. Their entries and media pass to the heir when these are read. \`trashed\` is the
    -- position at which they were trashed, with the user or the last heir; 0: they were not.
    CREATE TABLE lost_users (
      position INTEGER PRIMARY KEY, id INTEGER NOT NULL, heir INTEGER NOT NULL, trashed INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX lost_users_by_id ON lost_users (id);
    CREATE INDEX lost_users_by_heir ON lost_users (heir);
  `,
  versioned: {
    users: { without: { published: '0', unpublished: '0' }, lookedUpBy: ['slug'] },
    lost_users: { appendedAt: 'position', shown: { trashed: `iif(trashed > ${standsAt}, 0, trashed)` } },
  },
  touches: ['users', 'credentials'],
  open: (db) => new UserTable(db),
  area: 'user',
  apply(table, { event, meta }: RecordedEvent<UserEvent>, { checkpoint }) {
    checkpoint.nextUser = Math.max(checkpoint.nextUser, event.data.id + 1);
    table.apply(event, meta);
  },
  scan: (table, { db }) => eachId(db, 'users', (id) => table.get(id)),
  *forget(table, { events, log }) {
    for (const id of new Set(runsOf(events).flatMap(({ area, id }) => (area === 'user' ? id : [])))) {
      // The order itself has emptied the row.
      if (table.get(id)?.erased === false) return false;
      table.renewEarlier(id, eventsUntil(log, userStream(id), Number.POSITIVE_INFINITY));
      yield;
    }
    return true;
  },
});
