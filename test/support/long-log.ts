import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { commit, event, time } from './commits.ts';
import { openTestNode } from './node.ts';
import { appendTo } from './plain-log.ts';

/**
 * A site with a number of categories that are only in the log: its projections are of another version of the program.
 * Writing the events directly is much faster than deciding them.
 */
export async function siteOfAnotherVersion(count: number): Promise<string> {
  const { node, directory } = await openTestNode();
  const { nextTerm } = (await node.store.submit({ viewer: null, correlationId: 'test' }, ({ next }) => next)).value;
  await node.close();
  const terms = Array.from({ length: count }, (_, i) => {
    const id = nextTerm + i;
    const data = { id, taxonomy: 'category', name: `Name ${i}`, slug: `name-${i}`, description: '', parent: 0 };
    return event(`term-${id}`, { type: 'TermCreated', data: JSON.stringify(data) });
  });
  const perCommit = 500;
  const at = time(300 * 24 * 60 * 60 * 1000);
  const commits = Array.from({ length: Math.ceil(count / perCommit) }, (_, k) =>
    commit(terms.slice(k * perCommit, (k + 1) * perCommit), { at }),
  );
  await appendTo(directory, ...commits);
  makeOfAnotherVersion(join(directory, 'projections.db'));
  return directory;
}

/** Makes projections of another version of the program of those in a file. A server that has them open goes on serving. */
export function makeOfAnotherVersion(path: string): void {
  const db = new DatabaseSync(path, { timeout: 60_000 });
  db.exec('UPDATE checkpoint SET version = 1');
  db.close();
  // The checksum that a server leaves when it stops is that of the earlier file.
  rmSync(`${path}-sum`, { force: true });
}

/** A site with a number of posts, written in the same way. */
export async function siteOfPosts(count: number): Promise<string> {
  const { node, directory } = await openTestNode();
  await node.close();
  const [date, dateGmt] = ['2026-03-01T12:00:00', '2026-03-01T11:00:00'];
  const posts = Array.from({ length: count }, (_, i) => {
    const id = i + 1;
    const data = {
      ...{ id, kind: 'post', status: 'publish', slug: `post-${id}`, author: 1 },
      ...{ date, dateGmt, modified: date, modifiedGmt: dateGmt, commentStatus: 'open', pingStatus: 'open' },
      ...{ format: 'standard', sticky: false, template: '', parent: 0, menuOrder: 0, featuredMedia: 0 },
      ...{ categories: [1], tags: [] },
    };
    const sealed = { title: `Post ${id}`, content: 'x', excerpt: '', footnotes: '', password: '' };
    return event(`entry-${id}`, {
      ...{ type: 'EntryCreated', data: JSON.stringify(data), sealed: JSON.stringify(sealed) },
    });
  });
  await appendTo(directory, commit(posts, { at: time(70 * 24 * 60 * 60 * 1000) }));
  return directory;
}
