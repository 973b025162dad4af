import type { StreamResult } from '../load/types.ts';
import { item, list } from '../queries/paths.ts';
import type { Figure } from '../report.ts';
import { scratchCopy } from '../scratch.ts';
import { processorTimeOf } from '../servers/process.ts';
import { type Product, startProduct } from '../servers/product.ts';
import { type Bench, ms } from './bench.ts';
import { untilIdle } from './throughput.ts';

/** Milliseconds of processor time. */
const target = 20;
/** Milliseconds that others may wait. */
const waitTarget = 50;
/** Processor time is counted in steps of 10 ms, so that some searches of each kind are measured together. */
const each = 12;
const readsPerSecond = 100;

/** Searches that are hard on the index, by what they have in common. The words are among the most frequent ones. */
function searches(words: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const [one = '', other = ''] = words.slice(0, 40).filter((word) => word.length >= 4);
  const two = (from: number) => [...new Set(words.slice(from).map((word) => word.slice(0, 2)))].slice(0, 9).join(' ');
  return {
    'words beside blanks': [`" ${one}"`, `"${one} "`, `" ${one} "`, `" ${other}"`, '" e"', '"e "', '" th"'],
    'punctuation beside blanks': ['". "', '", "', '"> "', '" <p"', '"- "', '"? "'],
    'two letters': [two(0), two(100), two(1000), 'th ch st br pl sl kl dr fr', 'zu vo wi zo ho mi ka lu ge'],
    'phrases of fragments': ['"a b"', '"e t"', '"en st"', '"s e"', `". ${one}"`],
  };
}

/** Processor time of hard searches, and reads of one post beside them. */
export async function hardSearches(bench: Bench): Promise<Figure[]> {
  const { directory, remove } = scratchCopy('searches', bench.data.directory);
  const product = await startProduct(directory, item(bench.data.ids[0] ?? 1));
  try {
    await untilIdle(product.process);
    const figures: Figure[] = [];
    const kinds = Object.entries(searches(bench.data.words));
    for (const [kind, texts] of kinds) figures.push(await processorTime(bench, product, { kind, texts }));
    figures.push(
      await readsBeside(
        bench,
        product,
        kinds.flatMap(([, texts]) => texts),
      ),
    );
    return figures;
  } finally {
    await product.process.stop();
    remove();
  }
}

async function processorTime(
  { driver, note, data }: Bench,
  { port, process }: Product,
  { kind, texts }: { readonly kind: string; readonly texts: readonly string[] },
): Promise<Figure> {
  note(`searches of ${kind}`);
  const found: { search: string; time: number }[] = [];
  for (const search of texts) {
    // The first one is not counted: what it compiles serves all that follow.
    for (const limit of [1, each]) {
      const requests = paths([search], limit).map((path) => ({ path }));
      const used = processorTimeOf(process.pid) ?? Number.NaN;
      const stream = { name: search, connections: 1, requests, order: 'cycle' as const, limit };
      await driver.run({ port, seconds: 60, seed: data.seed, streams: [stream] });
      const time = (((processorTimeOf(process.pid) ?? Number.NaN) - used) / limit) * 1000;
      if (limit === each) found.push({ search, time });
    }
  }
  found.sort((a, b) => b.time - a.time);
  return {
    name: `processor time of searches, the slowest of ${kind}`,
    unit: 'ms',
    product: found[0]?.time ?? Number.NaN,
    limit: target,
    target: { atMost: target },
    note: found.map(({ search, time }) => `${search} ${ms(time)}`).join('; '),
  };
}

async function readsBeside(bench: Bench, { port }: Product, texts: readonly string[]): Promise<Figure> {
  bench.note('reads beside searches');
  const reads = {
    ...{ name: 'one post', connections: 4, pace: readsPerSecond },
    requests: [{ path: item(bench.data.ids[0] ?? 1) }],
  };
  const searching = {
    ...{ name: 'searches', connections: 2, order: 'cycle' as const },
    requests: paths(texts, 40 * texts.length).map((path) => ({ path })),
  };
  const drive = async (streams: readonly (typeof reads | typeof searching)[]): Promise<StreamResult> => {
    const result = await bench.driver.run({ port, seconds: bench.seconds, seed: bench.data.seed, streams });
    if (result.streams[0] === undefined) throw new Error('the driver measured nothing');
    return result.streams[0];
  };
  const usual = await drive([reads]);
  const beside = await drive([reads, searching]);
  return {
    name: 'reads beside these searches by two clients, p99',
    unit: 'ms',
    product: beside.p99,
    limit: usual.p99,
    target: { atMost: waitTarget },
    note: `the slowest read ${ms(beside.max)}; limit: the same at rest`,
  };
}

/** So many addresses of searches in turn, no two of them the same. */
function paths(texts: readonly string[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) =>
    list({ search: texts[i % texts.length] ?? '', exclude: 900_000_000 + nextId++ }),
  );
}

let nextId = 0;
