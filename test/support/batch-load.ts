/**
 * Serves the site in a directory and sends itself batches as fast as it can until it is killed:
 * `node batch-load.ts <directory>`. Batch N creates posts titled `batch N`; each one that is
 * acknowledged is one line on standard output, with its number and how many posts it made.
 */
import { writeSync } from 'node:fs';
import { startSite } from './site.ts';

const [directory = ''] = process.argv.slice(2);
const site = await startSite({ directory });
let next = 0;

async function send(): Promise<never> {
  for (;;) {
    const number = next++;
    const body = { title: `batch ${number}`, content: 'Text '.repeat(200), status: 'publish' };
    const requests = Array.from({ length: 2 + (number % 24) }, () => ({ path: '/cms/v2/posts', body }));
    const { status } = await site.call('editor', 'POST /cms-json/batch/v1', { requests });
    if (status !== 207) throw new Error(`batch ${number} was answered with ${status}`);
    writeSync(1, `${number} ${requests.length}\n`);
  }
}

// Concurrent, so that they share appends.
await Promise.all([send(), send(), send(), send()]);
