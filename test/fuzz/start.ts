import { parseArgs } from 'node:util';
import { deployments } from '#domain/plugins/deployment.ts';
import { fuzzGrowth } from './growth.ts';
import { type FuzzAnswer, fuzz } from './run.ts';
import { type FuzzedText, fuzzTexts, mostBusy, mostCharacters } from './texts.ts';

/**
 * `npm run fuzz -- --count 50000 --seed 1 --only '/comments'` prints responses with 500, those with the most processor
 * time, and the memory before and after. `only`: a regular expression for route patterns. `--texts 200` saves and reads this many
 * texts of blocks as well, and prints those that take too much of the processor. `--growth 100` compares the time that this many texts take with
 * that of texts eight times as long, in every field and block, wherever they are shown.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    texts: { type: 'string', default: '100' },
    growth: { type: 'string', default: '100' },
  },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
const SHOWN = 10;

const statuses = new Map<number, number>();
const faults = new Map<string, FuzzAnswer>();
let slowest: FuzzAnswer[] = [];

function look(answer: FuzzAnswer): void {
  const { status, asked } = answer;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (status >= 500 && status !== 501) faults.set(`${status} ${asked.method} ${asked.path.split('?', 1)[0]}`, answer);
  const last = slowest.at(-1);
  if (slowest.length === SHOWN && last !== undefined && last.busy >= answer.busy) return;
  slowest = [...slowest, answer].sort((a, b) => b.busy - a.busy).slice(0, SHOWN);
}

function shown({ asked, status, ms, busy, body }: FuzzAnswer): string {
  const { as, method, path, headers } = asked;
  const type = headers['content-type'] ?? 'no type';
  const start = asked.body.toString('latin1', 0, 200);
  const said = status >= 500 ? `\n  ${body.slice(0, 2000)}` : '';
  const took = `${busy.toFixed(0)} ms of the processor in ${ms.toFixed(0)} ms`;
  return `${status} ${took} ${as} ${method} ${path.slice(0, 400)} ${type} ${JSON.stringify(start)}${said}`;
}

/** Memory in use after a garbage collection, MiB: objects, buffers, and the resident set. */
function memory(): string {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return [heapUsed, external, rss].map((bytes) => Math.round(bytes / 1024 / 1024)).join(' + ');
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const before = memory();
/** Each part has its own servers: memory that still grows after the first part is a leak. */
const parts = 4;
for (let part = 0; part < parts; part++) {
  for (const [index, deployment] of deployments.entries()) {
    const share = Math.ceil(count / deployments.length / parts);
    await fuzz({ deployment, count: share, seed: seed + part * share + index * count, only: values.only }, look);
  }
  print(`memory after part ${part + 1} of ${parts}: ${memory()}`);
}
print(
  `answers by status: ${[...statuses]
    .sort()
    .map((pair) => pair.join(': '))
    .join(', ')}`,
);
print(`memory: ${before} before, ${memory()} after`);
for (const answer of slowest) print(`slow: ${shown(answer)}`);
for (const answer of faults.values()) print(`fault: ${shown(answer)}`);

const heavy: FuzzedText[] = [];
let busiest = 0;
await fuzzTexts({ count: Number(values.texts), seed }, (made) => {
  busiest = Math.max(busiest, made.busy);
  if (made.status >= 500 || made.busy > mostBusy || made.length > mostCharacters) heavy.push(made);
});
print(`texts: ${busiest.toFixed(0)} ms of the processor at most`);
for (const { status, busy, length, path, content } of heavy) {
  print(
    `heavy: ${status} ${busy.toFixed(0)} ms, ${length} characters, ${path}, ${content.length} of ${content.slice(0, 600)}`,
  );
}
let grown = 0;
const looked = await fuzzGrowth(
  { count: Number(values.growth), seed },
  ({ place, atom, surface, times: [short, long] }) => {
    grown += 1;
    print(`grows: ${short.toFixed(0)} to ${long.toFixed(0)} ms, ${JSON.stringify(atom)} in ${place}, ${surface}`);
  },
);
print(`growth: ${looked} answers compared, ${grown} grow faster than their texts`);
process.exitCode = faults.size + heavy.length + grown === 0 ? 0 : 1;
