import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { WriteContext } from '#commands/session.ts';
import type { Node, OpenOptions } from '#node/node.ts';
import { openNode } from '#ops/open-node.ts';
import { renderMissing } from '#projections/entries/render.ts';
import { comparedTables } from '#projections/projector/compare.ts';
import { removeProjections } from '#projections/projector/database.ts';
import { readConfig } from '../../src/config.ts';
import { temporaryDirectory } from './temporary.ts';

/** The context of a user with every right, for writes of the tests. */
export const admin: WriteContext = { viewer: { id: 1, role: 'administrator' }, correlationId: 'test' };

export interface TestOptions extends Omit<OpenOptions, 'answers'> {
  /** Settings in addition to those of all tests. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Opens a node in a new directory; its clock stands still unless it is moved. */
export async function openTestNode(directory = temporaryDirectory(), { env = {}, ...options }: TestOptions = {}) {
  const clock = { now: Date.parse('2026-03-01T11:00:00.000Z') };
  const fixed = { DATA_DIR: directory, SITE_TIMEZONE: 'Europe/Berlin' };
  const config = readConfig({ SITE_URL: 'http://site.example', REBUILD_PRIORITY: 'normal', ...env, ...fixed });
  const node: Node = await openNode(config, { clock: () => clock.now, ...options });
  return { node, clock, directory, config };
}

/** Opens a closed node without its projections, which follow from the log. */
export async function reopenRebuilt(directory: string): Promise<Node> {
  removeProjections(join(directory, 'projections.db'));
  return (await openTestNode(directory)).node;
}

/** Dumps the projections, table by table, except data about their storage. */
export function dump(directory: string): Record<string, unknown[]> {
  const db = rendered(new DatabaseSync(join(directory, 'projections.db'), { readOnly: true }));
  const rows = Object.fromEntries(
    comparedTables(db, 'main').map((table) => [table, db.prepare(`SELECT * FROM ${table} ORDER BY 1`).all()]),
  );
  db.close();
  return rows;
}

/** The same file, or a copy in which everything is rendered. */
function rendered(db: DatabaseSync): DatabaseSync {
  if (db.prepare("SELECT 1 FROM entries WHERE title_json = ''").get() === undefined) return db;
  const path = join(temporaryDirectory(), 'projections.db');
  db.prepare('VACUUM INTO ?').run(path);
  db.close();
  const copy = new DatabaseSync(path);
  renderMissing(copy)(Number.MAX_SAFE_INTEGER);
  return copy;
}
