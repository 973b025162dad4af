import { pick, seeded } from '../data/random.ts';
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
/** Processor time is counted in steps of 10 ms, so that searches of each kind are measured together. */
const each = 24;
/** Searches of each kind that are not counted: what they compile serves all that follow. */
const first = 6;
const readsPerSecond = 100;

/**
 * Searches by kind. Each is sent once, since what was found is kept; fragments are cut from words that are as frequent as
 * the number says.
 */
function searches(words: readonly string[], seed: number): Readonly<Record<string, readonly string[]>> {
  const random = seeded(seed, 9);
  const word = (to: number, from = 0) => pick(random, words.slice(from, to));
  const start = (length: number, to: number) => word(to).slice(0, length);
  const end = (length: number, to: number) => word(to).slice(-length);
  const some = (text: () => string) => {
    const texts = new Set<string>();
    for (let tries = 0; texts.size < each && tries < 100 * each; tries++) texts.add(text());
    return [...texts];
  };
  return {
    'a word': some(() => word(2000)),
    'a word of another script, or with accents': some(() =>
      pick(
        random,
        words.filter((one) => /[^a-z]/.test(one)),
      ),
    ),
    'parts of words': some(() => start(3, 5000)),
    'nine parts of two letters': some(() => Array.from({ length: 9 }, () => start(2, 5000)).join(' ')),
    'two words': some(() => `${word(2000)} ${word(2000)}`),
    'excluded words': some(() => `${word(500)} -${word(500)} -${start(3, 500)}`),
    phrases: some(() => `"${word(2000, 50)} ${word(60, 20)}"`),
    'phrases of very common words': some(() => `"${word(30)} ${word(30)}"`),
    'phrases of ten words': some(() => `"${Array.from({ length: 10 }, () => word(1000)).join(' ')}"`),
    'phrases of parts of three letters': some(() => `"${end(3, 2000)} ${start(3, 2000)}"`),
    'phrases of parts of two letters': some(() => `"${end(2, 2000)} ${start(2, 2000)}"`),
    'phrases of single letters': some(() => `"${end(1, 200)} ${start(1, 200)}"`),
    'words beside blanks': some(() => pick(random, [`" ${word(500)}"`, `"${word(500)} "`, `" ${word(500)} "`])),
    'parts beside blanks': some(() => pick(random, [`" ${start(2, 500)}"`, `"${end(2, 500)} "`])),
    'punctuation in phrases': some(() =>
      pick(random, [`". ${start(2, 500)}"`, `"${end(2, 500)}, "`, `"<p>${start(3, 500)}"`]),
    ),
  };
}

/** Processor time of hard searches, and reads of one post beside them. */
export async function hardSearches(bench: Bench): Promise<Figure[]> {
  const { directory, remove } = scratchCopy('searches', bench.data.directory);
  const product = await startProduct(directory, item(bench.data.ids[0] ?? 1));
  try {
    await untilIdle(product.process);
    const figures: Figure[] = [];
    const kinds = Object.entries(searches(bench.data.words, bench.data.seed));
    for (const [kind, texts] of kinds) figures.push(await processorTime(bench, product, { kind, texts }));
    const [words = []] = kinds.map(([, texts]) => texts);
    const ordered = { kind: 'a word, by relevance', texts: words, query: { orderby: 'relevance' } };
    figures.push(await processorTime(bench, product, ordered));
    const inTitles = { kind: 'a word in titles', texts: words, query: { search_columns: 'post_title' } };
    figures.push(await processorTime(bench, product, inTitles));
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

interface Kind {
  readonly kind: string;
  readonly texts: readonly string[];
  readonly query?: Parameters<typeof list>[0];
}

async function processorTime(
  { driver, note, data }: Bench,
  { port, process }: Product,
  { kind, texts, query = {} }: Kind,
): Promise<Figure> {
  note(`searches of ${kind}`);
  let used = Number.NaN;
  for (const some of [texts.slice(0, first), texts.slice(first)]) {
    used = processorTimeOf(process.pid) ?? Number.NaN;
    const requests = paths(some, some.length, query).map((path) => ({ path }));
    const stream = { name: kind, connections: 1, requests, order: 'cycle' as const, limit: some.length };
    await driver.run({ port, seconds: 60, seed: data.seed, streams: [stream] });
  }
  const time = (((processorTimeOf(process.pid) ?? Number.NaN) - used) / (texts.length - first)) * 1000;
  return {
    name: `processor time of a search: ${kind}`,
    unit: 'ms',
    product: time,
    limit: target,
    target: { atMost: target },
    note: texts.slice(first, first + 3).join('; '),
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
function paths(texts: readonly string[], count: number, query: Parameters<typeof list>[0] = {}): readonly string[] {
  return Array.from({ length: count }, (_, i) =>
    list({ ...query, search: texts[i % texts.length] ?? '', exclude: 900_000_000 + nextId++ }),
  );
}

let nextId = 0;
