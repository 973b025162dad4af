import { cpSync } from 'node:fs';
import { asAdmin } from '../data/site.ts';
import type { StreamResult } from '../load/types.ts';
import { item, posts } from '../queries/paths.ts';
import type { Figure } from '../report.ts';
import { scratch } from '../scratch.ts';
import { processorTimeOf } from '../servers/process.ts';
import { type Product, startProduct } from '../servers/product.ts';
import { type Bench, ms } from './bench.ts';
import { untilIdle } from './throughput.ts';

/** Milliseconds. */
const target = 50;
export const mebibytes = 0.9;
/** Seconds that reads are measured for at a time. */
const stretch = 2;
/** A save that takes longer than all of these is given up. */
const stretches = 300;
const readsPerSecond = 100;

/** Texts that are hard on filters and renderers, each with what it consists of. */
export const texts = {
  words: 'some words of text, ',
  paragraphs: '<p>',
  blocks: '<!-- wp:a -->',
  comments: '<!--x--->',
  quotes: `"' `,
} as const;

/** Reads of one post beside saves of texts of nearly the largest body. */
export async function longTexts(bench: Bench): Promise<Figure[]> {
  const { directory, remove } = scratch('texts');
  cpSync(bench.data.directory, directory, { recursive: true });
  const product = await startProduct(directory, item(bench.data.ids[0] ?? 1));
  try {
    const figures: Figure[] = [];
    for (const [name, part] of Object.entries(texts)) {
      await untilIdle(product.process);
      figures.push(await besideSave(bench, product, { name, part }));
    }
    return figures;
  } finally {
    await product.process.stop();
    remove();
  }
}

async function besideSave(bench: Bench, product: Product, text: { name: string; part: string }): Promise<Figure> {
  bench.note(`reads beside a save of ${mebibytes} MiB of ${text.name}`);
  const usual = await reads(bench, product);
  const used = processorTimeOf(product.process.pid) ?? Number.NaN;
  let saved: { readonly seconds: number } | null = null;
  const save = saveText(product.port, text.part).then((seconds) => {
    saved = { seconds };
    return seconds;
  });
  const rounds: StreamResult[] = [];
  while (saved === null && rounds.length < stretches) {
    rounds.push(await reads(bench, product));
  }
  const seconds = await save;
  const own = (processorTimeOf(product.process.pid) ?? Number.NaN) - used;
  return {
    name: `reads beside a save of ${mebibytes} MiB of ${text.name}, p99`,
    unit: 'ms',
    product: Math.max(...rounds.map(({ p99 }) => p99)),
    limit: usual.p99,
    target: { atMost: target },
    note: `the slowest read ${ms(Math.max(...rounds.map(({ max }) => max)))}; the save ${seconds.toFixed(1)} s, processor meanwhile ${own.toFixed(1)} s; limit: the same at rest`,
  };
}

async function reads(bench: Bench, { port }: Product): Promise<StreamResult> {
  const requests = [{ path: item(bench.data.ids[0] ?? 1) }];
  const stream = { name: 'one post', connections: 4, requests, pace: readsPerSecond };
  const { streams } = await bench.driver.run({ port, seconds: stretch, seed: 1, streams: [stream] });
  if (streams[0] === undefined) throw new Error('the driver measured nothing');
  return streams[0];
}

/** As much of a text as a body can hold. */
export function contentOf(part: string): string {
  const length = JSON.stringify(part).length - 2;
  return part.repeat(Math.floor((mebibytes * 2 ** 20) / length));
}

/** Saves a post. Returns the seconds that it took. */
async function saveText(port: number, part: string): Promise<number> {
  const body = JSON.stringify({ title: 'A long text', status: 'publish', content: contentOf(part) });
  const since = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}${posts}`, {
    method: 'POST',
    headers: { ...asAdmin, 'Content-Type': 'application/json' },
    body,
  });
  await answer.arrayBuffer();
  if (answer.status !== 201) throw new Error(`the save was answered ${answer.status}`);
  return (performance.now() - since) / 1000;
}
