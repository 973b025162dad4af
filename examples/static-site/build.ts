// Writes all published posts of a site as pages: `node build.ts <root of the interface> <folder>`.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Post {
  readonly slug: string;
  readonly date: string;
  readonly title: { readonly rendered: string };
  readonly content: { readonly rendered: string };
}

/** Builds the site anew; pages of posts that are gone go as well. Returns how many pages there are. */
export async function build(root: string, folder: string): Promise<number> {
  const posts = await allPosts(root);
  const pages = new Map(posts.map((post) => [`${post.slug}.html`, pageOf(post)]));
  const items = posts.map(({ slug, title }) => `<li><a href="${slug}.html">${title.rendered}</a></li>`);
  pages.set('index.html', document('Posts', `<ul>${items.join('\n')}</ul>`));
  await mkdir(folder, { recursive: true });
  for (const [name, text] of pages) await writeFile(join(folder, name), text);
  for (const name of await readdir(folder)) {
    if (name.endsWith('.html') && !pages.has(name)) await rm(join(folder, name));
  }
  return posts.length;
}

async function allPosts(root: string): Promise<readonly Post[]> {
  const posts: Post[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const fields = '_fields=slug,date,title,content';
    const answer = await fetch(`${root}cms/v2/posts?per_page=100&page=${page}&${fields}`);
    if (!answer.ok) throw new Error(`the site answers ${answer.status}`);
    pages = Number(answer.headers.get('X-CMS-TotalPages'));
    posts.push(...((await answer.json()) as Post[]));
  }
  return posts;
}

function pageOf({ title, date, content }: Post): string {
  return document(title.rendered, `<time datetime="${date}">${date.slice(0, 10)}</time>\n${content.rendered}`);
}

function document(title: string, body: string): string {
  return `<!DOCTYPE html>\n<meta charset="utf-8">\n<title>${title}</title>\n<h1>${title}</h1>\n${body}\n`;
}

if (import.meta.main) {
  const [root = 'http://localhost:8080/cms-json/', folder = 'public'] = process.argv.slice(2);
  console.log(`${await build(root, folder)} posts in ${folder}`);
}
