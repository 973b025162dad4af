/**
 * Opens the site in a directory, saving the replay as often as possible: `node catch-up-load.ts <directory>`. Writes a
 * line to standard output for each position reached, and one once the site is open.
 */
import { writeSync } from 'node:fs';
import { openTestNode } from './node.ts';

const [directory = ''] = process.argv.slice(2);
const onProgress = (position: number) => void writeSync(1, `at ${position}\n`);
await openTestNode(directory, { keepEvery: 0, reporter: { progress: onProgress } });
writeSync(1, 'open\n');
setInterval(() => undefined, 1000);
