import { below, seeded } from '../data/random.ts';
import { asAdmin } from '../data/site.ts';
import type { LoadRequest, StreamResult } from '../load/types.ts';
import { combinations } from '../queries/combinations.ts';
import { list } from '../queries/paths.ts';
import type { Figure } from '../report.ts';
import { type Bench, ms } from './bench.ts';
import type { Servers } from './throughput.ts';

const perCombination = 200;
const captured = 20;
const ofCommonWords = 300;
const combinationTarget = 20;
const commonWordTarget = 30;
const maxSeconds = 20;

/** The p99 of the slowest combination of filters and orders, one client. */
export async function everyCombination(bench: Bench, servers: Servers): Promise<Figure> {
  const random = seeded(bench.data.seed, 21);
  const found: StreamResult[] = [];
  const answers: string[] = [];
  for (const { name, withLogin, address } of combinations(bench.data)) {
    bench.note(`p99: ${name}`);
    const headers = withLogin ? asAdmin : {};
    const requests = Array.from({ length: perCombination }, () => ({ path: address(random), headers }));
    found.push(await oneClient(bench, servers.product.port, name, requests));
    if (!withLogin) answers.push(...requests.slice(0, captured).map(({ path }) => path));
  }
  await servers.bare.capture(servers.product.port, answers);
  const limit = await oneClient(
    bench,
    servers.bare.port,
    'bare',
    answers.map((path) => ({ path })),
  );
  const slowest = found.toSorted((a, b) => b.p99 - a.p99);
  return {
    name: `slowest p99 of ${found.length} filters and orders, one client`,
    unit: 'ms',
    product: slowest[0]?.p99 ?? Number.NaN,
    limit: limit.p99,
    target: { atMost: combinationTarget },
    note: slowest
      .slice(0, 4)
      .map(({ name, p99, max }) => `${name} ${ms(p99)} (max ${ms(max)})`)
      .join('; '),
    details: Object.fromEntries(slowest.map(({ name, p99 }) => [name, p99])),
  };
}

/** The p99 of searches for one frequent word, with the total, one client. */
export async function commonWord(bench: Bench, servers: Servers): Promise<Figure> {
  bench.note('p99: one common word');
  const random = seeded(bench.data.seed, 22);
  const words = bench.data.words.slice(0, 300).filter((word) => word.length > 3);
  const paths = Array.from({ length: ofCommonWords }, () =>
    list({ search: words[below(random, words.length)] ?? '', offset: below(random, 500) }),
  );
  const requests = paths.map((path) => ({ path }));
  const ours = await oneClient(bench, servers.product.port, 'common word', requests);
  await servers.bare.capture(servers.product.port, paths);
  const limit = await oneClient(bench, servers.bare.port, 'bare', requests);
  return {
    name: 'search of one common word, p99, one client',
    unit: 'ms',
    product: ours.p99,
    limit: limit.p99,
    target: { atMost: commonWordTarget },
    note: `p50 ${ms(ours.p50)}, max ${ms(ours.max)}`,
  };
}

async function oneClient(
  { driver }: Bench,
  port: number,
  name: string,
  requests: readonly LoadRequest[],
): Promise<StreamResult> {
  const stream = { name, connections: 1, requests, order: 'cycle' as const, limit: requests.length };
  const { streams } = await driver.run({ port, seconds: maxSeconds, seed: 1, streams: [stream] });
  const [result] = streams;
  if (result === undefined) throw new Error('the driver measured nothing');
  return result;
}
