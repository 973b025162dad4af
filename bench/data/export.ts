import { closeSync, openSync, writeSync } from 'node:fs';
import type { DataSet } from '../data.ts';
import { postSource, timeText } from './posts.ts';
import { prose } from './prose.ts';
import { vocabulary } from './words.ts';

/** Revisions of each post. */
const revisions = 2;
const namespaces = ['excerpt', 'wp', 'content']
  .map((name) => `xmlns:${name}="http://wordpress.org/export/1.2/${name === 'wp' ? '' : `${name}/`}"`)
  .join(' ')
  .replace('http://wordpress.org/export/1.2/content/', 'http://purl.org/rss/1.0/modules/content/');
const began = Date.UTC(2016, 0, 1);
const hour = 3_600_000;

/** Writes an export of another site with posts and their revisions. Returns how many items it has. */
export function writeExport(file: string, { seed, posts }: Pick<DataSet, 'seed' | 'posts'>): number {
  const source = postSource(seed, prose(vocabulary(seed)));
  const out = openSync(file, 'w');
  const write = (text: string) => writeSync(out, text);
  let next = posts;
  write(`<?xml version="1.0"?>\n<rss version="2.0" ${namespaces}>\n<channel>\n<link>https://old.example</link>\n`);
  for (let id = 1; id <= posts; id += 1) {
    const { title, content } = source.create(id, began + id * hour);
    write(item({ id, type: 'post', name: `post-${id}`, parent: 0, at: began + id * hour, title, content }));
    for (let save = 1; save <= revisions; save += 1) {
      const texts = source.revise(id, save);
      next += 1;
      const at = began + id * hour - save * 60_000;
      write(item({ id: next, type: 'revision', name: `${id}-revision-v1`, parent: id, at, ...texts }));
    }
  }
  write('</channel>\n</rss>\n');
  closeSync(out);
  return posts * (1 + revisions);
}

interface ExportedItem {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly parent: number;
  readonly at: number;
  readonly title: string;
  readonly content: string;
}

function item({ id, type, name, parent, at, title, content }: ExportedItem): string {
  const time = timeText(at).replace('T', ' ');
  const said = {
    title,
    link: `https://old.example/${name}/`,
    'wp:post_id': id,
    'wp:post_date': time,
    'wp:post_date_gmt': time,
    'wp:post_modified': time,
    'wp:post_modified_gmt': time,
    'wp:post_name': name,
    'wp:status': type === 'post' ? 'publish' : 'inherit',
    'wp:post_parent': parent,
    'wp:post_type': type,
    'content:encoded': content,
  };
  const elements = Object.entries(said).map(([element, value]) => `<${element}><![CDATA[${value}]]></${element}>\n`);
  return `<item>\n${elements.join('')}</item>\n`;
}
