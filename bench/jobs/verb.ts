/** Runs a local command as the command line does. */
import { progressOn } from '#ops/progress.ts';
import { verbs } from '#ops/verbs.ts';
import { readConfig } from '../../src/config.ts';
import { limitHeapGrowth } from '../../src/process/heap-limits.ts';

export interface VerbJob {
  readonly verb: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly dataDir: string;
}

/** The cost of a command. */
export interface Done {
  readonly kind: string;
  readonly seconds: number;
  /** Processor time of all its threads, seconds. */
  readonly processor: number;
  /** Peak memory, MiB. */
  readonly memory: number;
}

limitHeapGrowth();
process.on('message', async (job: VerbJob) => process.send?.(await run(job)));
process.on('disconnect', () => process.exit());

async function run({ verb: name, args, dataDir }: VerbJob): Promise<Done> {
  const verb = verbs.find((one) => one.name === name);
  if (verb === undefined || !('here' in verb)) throw new Error(`there is no verb ${name} on files`);
  const { signal } = new AbortController();
  const progress = progressOn({ stream: process.stderr, signal });
  const place = { config: readConfig({ DATA_DIR: dataDir }), progress, signal, json: false };
  const started = performance.now();
  const before = process.resourceUsage();
  const { kind } = await verb.here({ ...place, input: process.stdin, output: process.stdout }, args);
  const seconds = (performance.now() - started) / 1000;
  const after = process.resourceUsage();
  const processor = after.userCPUTime - before.userCPUTime + after.systemCPUTime - before.systemCPUTime;
  return { kind, seconds, processor: processor / 1e6, memory: after.maxRSS / 1024 };
}
