import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataSet } from '../data.ts';
import type { Done, VerbJob } from '../jobs/verb.ts';
import type { Figure } from '../report.ts';
import { inTurn, median } from '../rounds.ts';
import { scratch } from '../scratch.ts';
import { start } from '../servers/process.ts';
import type { Bench } from './bench.ts';

/** Events per second. */
const target = { atLeast: 50_000 };
/** A command reads the whole log, long enough to average out other load on the machine. */
const maxRounds = 2;
/** Ratio between the lengths of the two logs whose memory is compared. */
const longer = 10;

const call = promisify(execFile);
const cli = join(import.meta.dirname, '..', '..', 'src', 'cli.ts');
/** As in `npm run cli`. */
const flags = ['--max-semi-space-size=16'];
/** Number of measured starts. */
const starts = 9;

/** A data directory, and a folder for its export and other output of commands. */
interface Place {
  readonly dataDir: string;
  readonly exported: string;
  readonly made: string;
}

interface Run {
  readonly name: string;
  readonly target: Figure['target'];
  readonly job: (place: Place) => VerbJob;
}

const runs: readonly Run[] = [
  { name: 'verify, the log', target, job: ({ dataDir }) => ({ verb: 'verify', args: { quick: true }, dataDir }) },
  { name: 'verify, all of it', target: null, job: ({ dataDir }) => ({ verb: 'verify', args: {}, dataDir }) },
  { name: 'export', target, job: ({ dataDir, made }) => ({ verb: 'export', args: { file: made }, dataDir }) },
  {
    name: 'import',
    target,
    job: ({ exported, made }) => ({ verb: 'import', args: { file: exported }, dataDir: made }),
  },
  {
    name: 'backup',
    target: null,
    job: ({ dataDir, made }) => ({ verb: 'backup', args: { directory: made }, dataDir }),
  },
];

/** The commands on files, beside a bare scan of the same log; their memory beside that for a log of a tenth. */
export async function ops({ data, rounds, note }: Bench): Promise<Figure[]> {
  const { seed, posts, events } = data;
  // With the same number of posts if possible: memory may grow with posts.
  const fewer = Math.ceil(events / longer);
  const part = { seed, posts: Math.min(posts, fewer), events: fewer };
  const { directory: work, remove } = scratch('ops');
  try {
    const whole = await placeOf(data.directory, join(work, 'whole'));
    const small = await placeOf((await dataSet(part, note)).directory, join(work, 'tenth'));
    const figures: Figure[] = [];
    for (const run of runs) {
      note(`${run.name}, ${events} events`);
      const memory = (await carryOut(run, small)).memory;
      const { product, limit } = await inTurn(Math.min(rounds, maxRounds), {
        product: () => carryOut(run, whole),
        limit: () => inChild<{ seconds: number }>('scan.ts', { path: join(whole.dataDir, 'log.db') }),
      });
      const over = (value: (done: Done) => number) => median(product.map(value));
      figures.push(
        {
          name: run.name,
          unit: 'events/s',
          product: events / over(({ seconds }) => seconds),
          limit: events / median(limit.map(({ seconds }) => seconds)),
          target: run.target,
          note: `processor ${over(({ processor }) => processor).toFixed(1)} s`,
        },
        {
          name: `${run.name}: memory`,
          unit: 'MiB',
          product: over((done) => done.memory),
          limit: memory,
          target: null,
          note: `limit: with ${part.events.toLocaleString('en')} events`,
        },
      );
    }
    return [...figures, await startOfVerb()];
  } finally {
    remove();
  }
}

/** The start of a command, beside the start of a bare process. */
async function startOfVerb(): Promise<Figure> {
  const seconds = async (...args: readonly string[]) => {
    const since = performance.now();
    await call(process.execPath, args);
    return (performance.now() - since) / 1000;
  };
  const { product, limit } = await inTurn(starts, {
    product: () => seconds(...flags, cli, 'verify', '--help'),
    limit: () => seconds('-e', ''),
  });
  return { name: 'start of a verb', unit: 's', product: median(product), limit: median(limit), target: null };
}

async function placeOf(dataDir: string, work: string): Promise<Place> {
  const exported = `${work}.ndjson`;
  await inChild<Done>('verb.ts', { verb: 'export', args: { file: exported }, dataDir });
  return { dataDir, exported, made: work };
}

async function carryOut({ name, job }: Run, place: Place): Promise<Done> {
  rmSync(place.made, { recursive: true, force: true });
  const done = await inChild<Done>('verb.ts', job(place));
  if (done.kind !== 'done') throw new Error(`${name} ended with ${done.kind}`);
  return done;
}

async function inChild<T>(file: string, job: object): Promise<T> {
  const child = start(join(import.meta.dirname, '..', 'jobs', file), {}, flags);
  try {
    return (await child.ask(job)) as T;
  } finally {
    await child.stop();
  }
}
