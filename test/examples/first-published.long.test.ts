import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { startServer } from '../support/server.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { edited, filesOf, recipe } from './edited.ts';

const root = join(import.meta.dirname, '../..');

/** Runs a server on a directory while requests are sent to it as the administrator. */
async function serving(
  { directory, copy = root, password }: { directory: string; copy?: string; password?: string },
  use: (call: (request: string, body: object) => Promise<{ id: number }>) => Promise<void>,
): Promise<string> {
  const server = await startServer(directory, copy);
  const known = password ?? server.password;
  const authorization = `Basic ${Buffer.from(`admin:${known}`).toString('base64')}`;
  await use(async (request, body) => {
    const [method = '', path] = request.split(' ');
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${server.root}cms/v2${path}`, { method, headers, body: JSON.stringify(body) });
    return (await answer.json()) as { id: number };
  });
  await server.stop();
  return known;
}

const nothing = async () => undefined;

/** The state of the projection for each entry. */
function told(directory: string): Record<number, string> {
  const db = new DatabaseSync(join(directory, 'projections.db'), { readOnly: true });
  const rows = db.prepare('SELECT id, state FROM first_published ORDER BY id').all();
  db.close();
  return Object.fromEntries(rows.map(({ id, state }) => [id, JSON.parse(String(state))]));
}

it('a new projection takes two source files, and is filled by events, by a rebuild and for a new version', async () => {
  const edits = recipe('projection');
  expect(filesOf(edits)).toBeLessThanOrEqual(2);
  const directory = temporaryDirectory();
  const copy = edited(edits);
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
  const expected: Record<number, unknown> = {};

  // It includes earlier entries, whether they were created as public or became so.
  const password = await serving({ directory }, async (call) => {
    const { id } = await call('POST /posts', { title: 'From before', status: 'publish' });
    await call(`PATCH /posts/${id}`, { status: 'draft' });
    await call('POST /posts', { title: 'Draft' });
    expected[id] = day;
  });
  await serving({ directory, copy, password }, async (call) => {
    const { id } = await call('POST /posts', { title: 'Draft' });
    await call(`PATCH /posts/${id}`, { status: 'publish' });
    expected[id] = day;
    const gone = await call('POST /posts', { title: 'Gone', status: 'publish' });
    await call(`DELETE /posts/${gone.id}?force=true`, {});
  });
  const days = told(directory);
  expect(days).toEqual(expected);

  const verified = execFileSync(process.execPath, ['src/cli.ts', 'verify'], {
    cwd: copy,
    env: { PATH: process.env['PATH'], DATA_DIR: directory },
    encoding: 'utf8',
  });
  expect(verified).toMatch(/projections +ok/);
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(directory, `projections.db${suffix}`), { force: true });
  await serving({ directory, copy, password }, nothing);
  expect(told(directory)).toEqual(days);

  const changed = edited(
    edits.map((edit) => ({
      ...edit,
      to: edit.to.replace('version: 0', 'version: 1').replace('slice(0, 10)', 'slice(0, 7)'),
    })),
  );
  await serving({ directory, copy: changed, password }, nothing);
  const months = Object.entries(days).map(([id, date]) => [id, date.slice(0, 7)]);
  expect(told(directory)).toEqual(Object.fromEntries(months));
});
