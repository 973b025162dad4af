import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { seeded } from './data/random.ts';
import type { DataSet } from './data.ts';
import { ms } from './figures/bench.ts';
import { importsOf } from './figures/moves.ts';
import { untilIdle } from './figures/throughput.ts';
import { type Kind, kinds, type Round, roundOf } from './kinds.ts';
import type { Driver } from './load/driver.ts';
import type { Options } from './options.ts';
import { item } from './queries/paths.ts';
import { makeTraffic } from './queries/traffic.ts';
import { median } from './rounds.ts';
import { scratchCopy } from './scratch.ts';
import { memoryOf } from './servers/process.ts';
import { type Product, productOf, startProduct } from './servers/product.ts';

/** One of two trees, each with its own copy of the data. */
interface Side {
  readonly main: string;
  readonly directory: string;
  readonly product: Product;
}

/** A figure of this tree, and of the other in the same run. */
interface Compared {
  readonly name: string;
  readonly unit: string;
  readonly now: number;
  readonly before: number;
}

/**
 * Compares this tree with another checkout: starts, reads, writes and memory of both, round by round in turns.
 * Each starts once before, because it may have to build its projections.
 */
export async function compare(
  checkout: string,
  { data, driver, options, note }: { data: DataSet; driver: Driver; options: Options; note: (text: string) => void },
): Promise<string> {
  const first = item(data.ids[0] ?? 1);
  const sides: Side[] = [];
  const copies = ['now', 'before'].map((name) => scratchCopy(name, data.directory));
  const mains = [productOf(join(import.meta.dirname, '..')), productOf(checkout)];
  try {
    for (const [i, main] of mains.entries()) {
      const directory = copies[i]?.directory ?? '';
      note(`starting ${main}`);
      const settling = await startProduct(directory, first, {}, [], main);
      await untilIdle(settling.process);
      await settling.process.stop();
      sides.push({ main, directory, product: await startProduct(directory, first, {}, [], main) });
    }
    const found: Compared[] = [
      pair(
        'start',
        'ms',
        sides.map(({ product }) => product.startedIn),
      ),
    ];
    for (const { product } of sides) await untilIdle(product.process);
    const traffic = await makeTraffic(sides[0]?.product.port ?? 0, data, seeded(data.seed, 20));
    for (const kind of kinds(data, traffic)) {
      note(kind.name);
      found.push(...(await inTurns(kind, sides, { driver, options })));
    }
    found.push(
      pair(
        'memory afterwards',
        'MiB',
        sides.map(({ product }) => memoryOf(product.process.pid) ?? Number.NaN),
      ),
    );
    const checkouts = [join(import.meta.dirname, '..'), checkout];
    const imports = await importsOf(checkouts, { data, rounds: options.rounds, note });
    found.push(
      pair(
        'import of another site',
        'items/s',
        imports.map(({ product }) => product),
      ),
    );
    return tableOf(found);
  } finally {
    for (const { product } of sides) await product.process.stop();
    for (const copy of copies) copy.remove();
  }
}

async function inTurns(
  kind: Kind,
  sides: readonly Side[],
  { driver, options: { rounds, seconds } }: { readonly driver: Driver; readonly options: Options },
): Promise<Compared[]> {
  const found: Round[][] = sides.map(() => []);
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, { product }] of sides.entries()) {
      const measured = await roundOf(kind, product, { driver, seconds, seed: round + 1 });
      if (round > 0) found[i]?.push(measured);
      await wait(100);
    }
  }
  const middle = (member: keyof Round) => found.map((rounds) => median(rounds.map((round) => round[member])));
  return [
    pair(kind.name, 'req/s', middle('perSecond')),
    pair('  processor', 'µs', middle('processor')),
    pair('  p99', 'ms', middle('p99')),
  ];
}

function pair(name: string, unit: string, [now = Number.NaN, before = Number.NaN]: readonly number[]): Compared {
  return { name, unit, now, before };
}

function tableOf(rows: readonly Compared[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const shown = (value: number, unit: string) =>
    (unit === 'ms' ? ms(value) : `${Math.round(value)} ${unit}`).padStart(12);
  const line = ({ name, unit, now, before }: Compared) =>
    `${name.padEnd(width)}${shown(now, unit)}${shown(before, unit)}${(now / before).toFixed(2).padStart(8)}`;
  return [
    `${''.padEnd(width)}${'now'.padStart(12)}${'before'.padStart(12)}${'ratio'.padStart(8)}`,
    ...rows.map(line),
  ].join('\n');
}
