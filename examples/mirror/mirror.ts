// Keeps the posts of a site in an SQLite file: `node mirror.ts <root of the interface> <file> [--once]`.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

const [root = 'http://localhost:8080/cms-json/', file = 'mirror.db', once] = process.argv.slice(2);
const db = new DatabaseSync(file);
db.exec(`
  CREATE TABLE IF NOT EXISTS posts (id INTEGER PRIMARY KEY, slug TEXT, title TEXT, content TEXT, modified TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS place (one INTEGER PRIMARY KEY CHECK (one = 1), position INTEGER) STRICT;
  INSERT OR IGNORE INTO place VALUES (1, 0);
`);
const put = db.prepare('INSERT OR REPLACE INTO posts VALUES (?, ?, ?, ?, ?)');
const drop = db.prepare('DELETE FROM posts WHERE id = ?');
const reach = db.prepare('UPDATE place SET position = ?');

interface Changes {
  readonly position: number;
  readonly commits: readonly { readonly changes: readonly { readonly resource: string; readonly id: number }[] }[];
}

interface Post {
  readonly id: number;
  readonly slug: string;
  readonly title: { readonly rendered: string };
  readonly content: { readonly rendered: string };
  readonly modified_gmt: string;
}

/** Carries the mirror on to what has changed since `position`. Returns where it is then. */
async function follow(position: number): Promise<number> {
  const asked = once === '--once' ? 0 : 30;
  const answer = await fetch(`${root}cms/v2/changes?since=${position}&wait=${asked}`);
  if (!answer.ok) throw new Error(`the site answers ${answer.status}`);
  const { position: reached, commits } = (await answer.json()) as Changes;
  const ids = new Set(
    commits.flatMap(({ changes }) => changes.filter(({ resource }) => resource === 'posts').map(({ id }) => id)),
  );
  const posts: [number, Post | null][] = [];
  // At least as new as the feed, whichever node answers.
  for (const id of ids) posts.push([id, await post(id, reached)]);
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
  const answer = await fetch(`${root}cms/v2/posts/${id}`, { headers: { 'X-CMS-Position': String(position) } });
  if ([401, 404, 410].includes(answer.status)) return null;
  if (!answer.ok) throw new Error(`the site answers ${answer.status}`);
  return (await answer.json()) as Post;
}

let position = Number(db.prepare('SELECT position FROM place').get()?.['position']);
for (let isBehind = true; isBehind || once !== '--once'; ) {
  try {
    const reached = await follow(position);
    isBehind = reached > position;
    position = reached;
  } catch (error) {
    if (once === '--once') throw error;
    console.error(String(error));
    await wait(5000);
  }
}
console.log(`at position ${position}`);
