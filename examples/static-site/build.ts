// Writes all published posts of a site as pages, with Eleventy: `npx node build.ts <root of the interface> <folder>`.
import { readdir, rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import Eleventy from '@11ty/eleventy';

interface Post {
  readonly slug: string;
  readonly date: string;
  readonly title: { readonly rendered: string };
  readonly content: { readonly rendered: string };
}

/** Eleventy takes paths relative to the working directory. */
const pages = relative('', join(import.meta.dirname, 'pages'));

/** Builds the site anew; pages of posts that are gone go as well. Returns how many posts there are. */
export async function build(root: string, folder: string): Promise<number> {
  const posts = await allPosts(root);
  const site = new Eleventy(pages, folder, { config: (config) => config.addGlobalData('posts', posts) });
  site.disableLogger();
  const [, written] = await site.write();
  const names = new Set(written.map(({ outputPath }) => basename(outputPath)));
  for (const name of await readdir(folder)) {
    if (name.endsWith('.html') && !names.has(name)) await rm(join(folder, name));
  }
  return posts.length;
}

async function allPosts(root: string): Promise<readonly Post[]> {
  const posts: Post[] = [];
  for (let page = 1, count = 1; page <= count; page++) {
    const fields = '_fields=slug,date,title,content';
    const answer = await fetch(`${root}cms/v2/posts?per_page=100&page=${page}&${fields}`);
    if (!answer.ok) throw new Error(`the site answers ${answer.status}`);
    count = Number(answer.headers.get('X-CMS-TotalPages'));
    posts.push(...((await answer.json()) as Post[]));
  }
  return posts;
}

if (import.meta.main) {
  const [root = 'http://localhost:8080/cms-json/', folder = 'public'] = process.argv.slice(2);
  console.log(`${await build(root, folder)} posts in ${folder}`);
}
