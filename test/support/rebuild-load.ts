/**
 * Serves the site in a directory, writes to it and rebuilds its projections, again and again, until it is killed:
 * `node rebuild-load.ts <directory>`. Writes a line to standard output for each acknowledged post and each new task.
 */
import { writeSync } from 'node:fs';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { startSite } from './site.ts';

const [directory = ''] = process.argv.slice(2);
const site = await startSite({ directory });
const { rebuilding } = site.node.store;
let told = '';

setInterval(() => {
  const { run, task } = rebuilding.state;
  if (task === null || `${run} ${task.name}` === told) return;
  told = `${run} ${task.name}`;
  writeSync(1, `task ${told}\n`);
}, 1);

for (let number = 0; ; number++) {
  const id = await site.make('editor', '/posts', { title: `Post ${number}`, content: 'Text', status: 'publish' });
  writeSync(1, `post ${id}\n`);
  if (rebuilding.state.task === null && isRefusal(rebuilding.start({ projections: [], check: false }))) break;
}
