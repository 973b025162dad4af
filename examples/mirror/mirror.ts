// Keeps the posts of a site in an SQLite file: `node mirror.ts <root of the interface> <file> [--once]`.
import { DatabaseSync } from 'node:sqlite';
import { CmsError, createClient, type FeedCommit } from '../../packages/client/src/index.ts';

const [root = 'http://localhost:8080/cms-json/', file = 'mirror.db', once] = process.argv.slice(2);
const cms = createClient(root, { retries: once === '--once' ? 4 : Number.POSITIVE_INFINITY });
const db = new DatabaseSync(file);
db.exec(`
  CREATE TABLE IF NOT EXISTS posts (id INTEGER PRIMARY KEY, slug TEXT, title TEXT, content TEXT, modified TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS place (one INTEGER PRIMARY KEY CHECK (one = 1), position INTEGER) STRICT;
  INSERT OR IGNORE INTO place VALUES (1, 0);
`);
const put = db.prepare('INSERT OR REPLACE INTO posts VALUES (?, ?, ?, ?, ?)');
const drop = db.prepare('DELETE FROM posts WHERE id = ?');
const reach = db.prepare('UPDATE place SET position = ?');

interface Post {
  readonly id: number;
  readonly slug: string;
  readonly title: { readonly rendered: string };
  readonly content: { readonly rendered: string };
  readonly modified_gmt: string;
}

/** Carries the mirror on to what has changed since `position`. Returns where it is then. */
async function follow(position: number): Promise<number> {
  const query = { since: position, wait: once === '--once' ? 0 : 30 };
  const { position: reached, commits } = (await cms.get('/cms/v2/changes', { query })).data as {
    position: number;
    commits: readonly FeedCommit[];
  };
  const changes = commits.flatMap((commit) => commit.changes).filter(({ resource }) => resource === 'posts');
  const posts: [number, Post | null][] = [];
  // At least as new as the feed, whichever node answers.
  for (const id of new Set(changes.map((change) => change.id))) posts.push([id, await post(id, reached)]);
  // Rows and place together: a mirror that was killed goes on where it was.
  db.exec('BEGIN');
  for (const [id, now] of posts) {
    if (now === null) drop.run(id);
    else put.run(id, now.slug, now.title.rendered, now.content.rendered, now.modified_gmt);
  }
  reach.run(reached);
  db.exec('COMMIT');
  return reached;
}

async function post(id: number, position: number): Promise<Post | null> {
  try {
    const headers = { 'X-CMS-Position': String(position) };
    return (await cms.get('/cms/v2/posts/{id}', { path: { id }, headers })).data as Post;
  } catch (error) {
    if (error instanceof CmsError && [401, 404, 410].includes(error.status)) return null;
    throw error;
  }
}

let position = Number(db.prepare('SELECT position FROM place').get()?.['position']);
for (let isBehind = true; isBehind || once !== '--once'; ) {
  const reached = await follow(position);
  isBehind = reached > position;
  position = reached;
}
console.log(`at position ${position}`);
