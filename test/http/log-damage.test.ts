import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { refusal } from '../support/history.ts';
import { startSite } from '../support/site.ts';

it.each([
  ['its text is cut off', 'data = substr(data, 1, 5)'],
  ['a character of its text is another one', `data = replace(data, '"', '?')`],
  ['its sealed text is another one', "sealed = '{' || sealed"],
  ['its type is unknown', "type = 'Entry?'"],
])('an old event that is damaged is a 503 for what needs it: %s', async (_, change) => {
  const site = await startSite();
  const id = await site.make('editor', '/posts', { title: 'Old', content: 'Words', status: 'publish' });
  await site.call('editor', `POST /posts/${id}`, { title: 'New', content: 'Other words' });
  const db = new DatabaseSync(join(site.directory, 'log.db'));
  for (const { name } of db.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all())
    db.exec(`DROP TRIGGER ${name}`);
  const { changes } = db
    .prepare(`UPDATE events SET ${change} WHERE stream = ? AND sealed IS NOT NULL`)
    .run(`entry-${id}`);
  expect(changes).toBeGreaterThan(0);
  db.close();
  const seen = new Set<string>();
  for (const path of [
    '/changes',
    '/changes?since=1',
    `/posts/${id}/revisions?context=edit`,
    `/posts/${id}`,
    '/posts',
  ]) {
    const answer = await site.call('administrator', `GET ${path}`);
    if (answer.status !== 200) seen.add(refusal(answer).join(' '));
  }
  await site.close();
  expect([...seen]).toEqual(['503 log_unreadable']);
});
