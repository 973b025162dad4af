import { seeded } from '../data/random.ts';
import type { LoadRequest } from '../load/types.ts';
import { item, list } from '../queries/paths.ts';
import { makeTraffic, type Traffic } from '../queries/traffic.ts';
import type { Figure } from '../report.ts';
import { startBare } from '../servers/bare.ts';
import { ask } from '../servers/http.ts';
import { memoryOf } from '../servers/process.ts';
import { startProduct } from '../servers/product.ts';
import type { Bench } from './bench.ts';
import { commonWord, everyCombination } from './latency.ts';
import { type Contest, type Servers, throughput, untilIdle } from './throughput.ts';

const memoryTarget = 400;
/** Number of different answers that the bare server keeps. */
const keptItems = 10_000;
const keptPages = 1_000;

/** Reads, and the server's memory afterwards. */
export async function reads(bench: Bench): Promise<Figure[]> {
  const { data } = bench;
  const product = await startProduct(data.directory, item(data.ids[0] ?? 1));
  const bare = await startBare();
  try {
    bench.note('waiting for the server to be idle');
    await untilIdle(product.process);
    const idle = memoryOf(bare.process.pid);
    const servers = { product, bare };
    const traffic = await makeTraffic(product.port, data, seeded(data.seed, 20));
    const figures: Figure[] = [];
    for (const contest of await contests(bench, servers, traffic)) {
      figures.push(await throughput(bench, servers, contest));
    }
    figures.push(await everyCombination(bench, servers), await commonWord(bench, servers));
    return [...figures, memory(memoryOf(product.process.pid), idle)];
  } finally {
    await Promise.all([product.process.stop(), bare.process.stop()]);
  }
}

async function contests(bench: Bench, { product, bare }: Servers, traffic: Traffic): Promise<Contest[]> {
  bench.note('handing the answers to the bare server');
  const kept: Traffic = {
    items: traffic.items.slice(0, keptItems),
    pages: traffic.pages.slice(0, keptPages),
    byCategory: traffic.byCategory.slice(0, keptPages),
    searches: traffic.searches.slice(0, keptPages),
    slugs: traffic.slugs.slice(0, keptPages),
  };
  const first = list({});
  await bare.capture(product.port, [first, ...Object.values(kept).flat()]);
  const both = (key: keyof Traffic) => ({ product: traffic[key].map(toRequest), bare: kept[key].map(toRequest) });
  const same = { product: [toRequest(first)], bare: [toRequest(first)] };
  const unchanged = await conditional(product.port, kept.items.slice(0, 1000));
  return [
    { name: 'GET item', ...both('items'), target: { ratio: 0.6 } },
    {
      name: 'GET item, unchanged (304), 1,000 of them',
      product: unchanged,
      bare: unchanged,
      status: 304,
      target: { ratio: 0.8 },
    },
    { name: 'GET collection of 10, same address', ...same, target: { ratio: 0.8 } },
    { name: 'GET collection of 10, random pages and filters', ...both('pages'), target: { ratio: 0.3 } },
    { name: 'GET collection by category, random pages', ...both('byCategory'), target: { ratio: 0.3 } },
    { name: 'GET search, one or two words', ...both('searches'), target: null },
    { name: 'GET by slug', ...both('slugs'), target: null },
  ];
}

function toRequest(path: string): LoadRequest {
  return { path };
}

export async function conditional(port: number, paths: readonly string[]): Promise<LoadRequest[]> {
  const requests: LoadRequest[] = [];
  for (const path of paths) {
    const { headers } = await ask(port, path);
    requests.push({ path, headers: { 'if-none-match': String(headers['etag']) } });
  }
  return requests;
}

function memory(used: number | null, bare: number | null): Figure {
  return {
    name: 'memory after the reads',
    unit: 'MiB',
    product: used ?? Number.NaN,
    limit: bare ?? Number.NaN,
    target: { atMost: memoryTarget },
    note: 'limit: the bare server with nothing to send',
  };
}
