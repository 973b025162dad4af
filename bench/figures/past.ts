import { join } from 'node:path';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { below, type Random, seeded } from '../data/random.ts';
import { asAdmin } from '../data/site.ts';
import type { LoadRequest, StreamResult } from '../load/types.ts';
import { combinations } from '../queries/combinations.ts';
import { item, list } from '../queries/paths.ts';
import type { Figure } from '../report.ts';
import { median } from '../rounds.ts';
import { type Product, startProduct } from '../servers/product.ts';
import { type Bench, ms } from './bench.ts';
import { untilIdle } from './throughput.ts';

const perCombination = 20;
const maxSeconds = 20;
/** Target for the past, as a multiple of the present. */
const timesPresent = 10;
/** Excluded: it draws from all present pages, and there were fewer in the past. */
const allPages = '100 a page';
/** Seconds. */
const farTarget = 0.5;
const day = 24 * 60 * 60 * 1000;

/** Collections of the past: of recent positions beside the present, and of positions far back. */
export async function past(bench: Bench): Promise<Figure[]> {
  const { directory, ids } = bench.data;
  const { head, yesterday } = marks(join(directory, 'log.db'));
  const product = await startProduct(directory, item(ids[0] ?? 1));
  try {
    bench.note('waiting for the server to be idle');
    await untilIdle(product.process);
    const back = Math.max(1, head - 2000);
    const spans = [
      { name: 'any position of the last day', from: yesterday, to: head },
      { name: 'a position 2,000 events back', from: back, to: back },
    ];
    const figures: Figure[] = [];
    for (const span of spans) figures.push(await near(bench, product, span));
    return [...figures, ...(await far(bench, product, head))];
  } finally {
    await product.process.stop();
  }
}

interface Span {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

function marks(path: string): { head: number; yesterday: number } {
  const log = openSqliteStore({ path, readOnly: true });
  try {
    const { position, at } = log.head();
    return { head: position, yesterday: log.positionAt(new Date(Date.parse(at ?? '') - day).toISOString()) };
  } finally {
    log.close();
  }
}

/** Every combination of filters and orders, one client, as of random positions in a span and as of now. */
async function near(bench: Bench, { port }: Product, { name, from, to }: Span): Promise<Figure> {
  const random = seeded(bench.data.seed, 61);
  const ratios: { name: string; ratio: number }[] = [];
  const [then, now]: [number[], number[]] = [[], []];
  for (const { name: what, address } of combinations(bench.data).filter(({ name }) => name !== allPages)) {
    bench.note(`as of ${name}: ${what}`);
    const draw = (more: (random: Random) => string) =>
      Array.from({ length: perCombination }, () => ({ path: address(random) + more(random), headers: asAdmin }));
    const present = await oneClient(
      bench,
      port,
      draw(() => ''),
    );
    const past = await oneClient(
      bench,
      port,
      draw((r) => `&as_of=${from + below(r, to - from + 1)}`),
    );
    then.push(past.p50);
    now.push(present.p50);
    ratios.push({ name: what, ratio: past.p50 / present.p50 });
  }
  const worst = ratios.toSorted((a, b) => b.ratio - a.ratio);
  const limit = median(now);
  return {
    name: `collection as of ${name}, median of ${ratios.length} filters and orders, one client`,
    unit: 'ms',
    product: median(then),
    limit,
    target: { atMost: timesPresent * limit },
    note: worst
      .slice(0, 3)
      .map((one) => `${one.name} ${one.ratio.toFixed(1)} ×`)
      .join('; '),
    details: Object.fromEntries(worst.map((one) => [one.name, one.ratio])),
  };
}

/** Time from the first request as of a position to its answer, and the time of further ones. */
async function far(bench: Bench, product: Product, head: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const share of [0.5, 0.9, 0.1]) {
    const position = Math.round(head * share);
    bench.note(`as of position ${position}`);
    const as = (query: Parameters<typeof list>[0]) => list({ ...query, as_of: position });
    const first = await untilAnswered(product.port, as({}));
    const second = await untilAnswered(product.port, as({ offset: 10, orderby: 'title' }));
    const search = await untilAnswered(product.port, as({ search: bench.data.words[100] ?? '' }));
    const neighbour = await untilAnswered(product.port, list({ as_of: Math.max(0, position - 1000) }));
    figures.push({
      name: `collection as of ${share * 100} % of the log, first answer`,
      unit: 's',
      product: first / 1000,
      limit: second / 1000,
      target: { atMost: farTarget },
      note: `limit: the next answer; then a search ${ms(search)}, 1,000 positions earlier ${ms(neighbour)}`,
    });
  }
  return figures;
}

/** Milliseconds until an address is answered with 200. */
async function untilAnswered(port: number, path: string): Promise<number> {
  const since = performance.now();
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { headers: asAdmin });
  if (status !== 200) throw new Error(`${path} was answered with ${status}`);
  return performance.now() - since;
}

async function oneClient({ driver }: Bench, port: number, requests: readonly LoadRequest[]): Promise<StreamResult> {
  const stream = { name: 'past', connections: 1, requests, order: 'cycle' as const, limit: requests.length };
  const { streams } = await driver.run({ port, seconds: maxSeconds, seed: 1, streams: [stream] });
  const [result] = streams;
  if (result === undefined) throw new Error('the driver measured nothing');
  return result;
}
