import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compare } from './against.ts';
import { dataSet } from './data.ts';
import { audit } from './figures/audit.ts';
import type { Bench } from './figures/bench.ts';
import { beside } from './figures/beside.ts';
import { erase } from './figures/erase.ts';
import { hooks } from './figures/hooks.ts';
import { moves } from './figures/moves.ts';
import { nodes } from './figures/nodes.ts';
import { ops } from './figures/ops.ts';
import { past } from './figures/past.ts';
import { reads } from './figures/reads.ts';
import { rebuild } from './figures/rebuild.ts';
import { hardSearches } from './figures/searches.ts';
import { startTime } from './figures/start.ts';
import { longTexts } from './figures/texts.ts';
import { transparency } from './figures/transparency.ts';
import { turns } from './figures/turns.ts';
import { writes } from './figures/writes.ts';
import { growth, growthChart, growthTable } from './growth.ts';
import { type Driver, startDriver } from './load/driver.ts';
import { type Options, type Part, readOptions, usage } from './options.ts';
import { type Figure, judge, table } from './report.ts';
import { soak, soakTable } from './soak.ts';

/** A part of the suite: the number of events that it needs, and its measurement. */
interface Measurement {
  readonly part: Part;
  readonly events: (options: Options) => number;
  readonly measure: (bench: Bench) => Promise<readonly Figure[]>;
}

const site = ({ posts }: Options) => 2 * posts;
const measurements: readonly Measurement[] = [
  { part: 'start', events: site, measure: startTime },
  { part: 'reads', events: site, measure: reads },
  { part: 'memory', events: site, measure: async (bench) => (await reads(bench)).slice(-1) },
  { part: 'writes', events: site, measure: writes },
  { part: 'hooks', events: site, measure: hooks },
  { part: 'past', events: site, measure: past },
  { part: 'nodes', events: site, measure: nodes },
  { part: 'rebuild', events: ({ events }) => events, measure: rebuild },
  { part: 'beside', events: ({ events }) => events, measure: beside },
  { part: 'ops', events: ({ events }) => events, measure: ops },
  { part: 'moves', events: site, measure: moves },
  { part: 'audit', events: ({ events }) => events, measure: audit },
  { part: 'erase', events: site, measure: erase },
  { part: 'texts', events: site, measure: longTexts },
  { part: 'turns', events: site, measure: turns },
  { part: 'searches', events: site, measure: hardSearches },
  { part: 'transparency', events: ({ events }) => events, measure: transparency },
];

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = readOptions(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    return 2;
  }
  if (options.help) {
    console.log(usage);
    return 0;
  }
  const driver = startDriver();
  if (options.against !== '') {
    const { seed, posts, against } = options;
    const data = await dataSet({ seed, posts, events: site(options) }, note);
    console.log(await compare(resolve(against), { data, driver, options, note }).finally(() => driver.stop()));
    return 0;
  }
  if (options.growth) {
    const found = await growth({ driver, options, note }).finally(() => driver.stop());
    if (options.chart !== '') writeFileSync(options.chart, growthChart(found));
    console.log(options.json ? JSON.stringify({ options, ...found }, null, 2) : growthTable(found));
    return 0;
  }
  if (options.soak > 0) {
    const found = await soak({ driver, options, note }).finally(() => driver.stop());
    console.log(options.json ? JSON.stringify({ options, ...found }, null, 2) : soakTable(found));
    return 0;
  }
  const { figures, faults } = await measureAll(options, driver).finally(() => driver.stop());
  const judged = figures.map(judge);
  console.log(options.json ? JSON.stringify({ options, figures: judged, faults }, null, 2) : table(judged));
  return faults.length === 0 ? 0 : 1;
}

// If one part fails, the others still run.
async function measureAll(options: Options, driver: Driver): Promise<{ figures: Figure[]; faults: string[] }> {
  const { seed, posts, seconds, rounds, only } = options;
  const figures: Figure[] = [];
  const faults: string[] = [];
  for (const { part, events, measure } of measurements.filter(({ part }) => only.includes(part))) {
    try {
      const data = await dataSet({ seed, posts, events: events(options) }, note);
      figures.push(...(await measure({ data, driver, seconds, rounds, note })));
    } catch (error) {
      note(`${part} failed: ${error instanceof Error ? error.stack : error}`);
      faults.push(part);
    }
  }
  return { figures, faults };
}

function note(text: string): void {
  console.error(`· ${text}`);
}
