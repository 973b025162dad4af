import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from './data/random.ts';
import { dataSet } from './data.ts';
import { untilIdle } from './figures/throughput.ts';
import type { Driver } from './load/driver.ts';
import type { LoadResult } from './load/types.ts';
import type { Options } from './options.ts';
import { item } from './queries/paths.ts';
import { makeTraffic } from './queries/traffic.ts';
import { changes, creations } from './queries/writing.ts';
import { scratchCopy } from './scratch.ts';
import { freePort } from './servers/process.ts';
import { startProduct } from './servers/product.ts';

/** Memory of a server at a time, MiB. */
interface Sample {
  readonly minute: number;
  /** Objects of JavaScript. */
  readonly heap: number;
  /** Buffers and other memory that belongs to objects. */
  readonly external: number;
  /** What belongs to the process alone. */
  readonly anonymous: number;
  /** Pages of files, which the system takes back when it needs memory. */
  readonly mapped: number;
}

export interface Soak {
  readonly samples: readonly Sample[];
  readonly load: LoadResult;
}

interface Measuring {
  readonly driver: Driver;
  readonly options: Options;
  readonly note: (text: string) => void;
}

/** Requests of each kind per second. */
const pace = 50;
const samples = 10;

/** Memory of a server during `minutes` of steady writes and reads. */
export async function soak({ driver, options, note }: Measuring): Promise<Soak> {
  const { seed, posts, soak: minutes } = options;
  const data = await dataSet({ seed, posts, events: 2 * posts }, note);
  const copy = scratchCopy('soak', data.directory);
  const metricsPort = await freePort();
  const first = item(data.ids[0] ?? 1);
  const product = await startProduct(copy.directory, first, { METRICS_PORT: String(metricsPort) });
  try {
    await untilIdle(product.process);
    const { items, pages, searches } = await makeTraffic(product.port, data, seeded(seed, 20));
    const requests = [...items.slice(0, pages.length), ...pages, ...searches].map((path) => ({ path }));
    // Further connections would be used too rarely for the server to keep them open.
    const streams = [
      { name: 'creates', connections: 1, requests: creations(data), status: 201, pace: pace / 2 },
      { name: 'updates', connections: 1, requests: changes(data), pace: pace / 2 },
      { name: 'reads', connections: 1, requests, pace },
    ];
    const load = driver.run({ port: product.port, seconds: minutes * 60, seed, streams });
    const found: Sample[] = [];
    for (let i = 0; i <= samples; i++) {
      const sample = { minute: (i * minutes) / samples, ...(await memoryAt(product.process.pid, metricsPort)) };
      note(lineOf(sample));
      found.push(sample);
      if (i < samples) await Promise.race([sleep((minutes * 60_000) / samples), load]);
    }
    return { samples: found, load: await load };
  } finally {
    await product.process.stop();
    copy.remove();
  }
}

async function memoryAt(pid: number, port: number): Promise<Omit<Sample, 'minute'>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) / 1024 / 1024;
  const path = `/proc/${pid}/status`;
  const status = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const kept = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
  return {
    heap: metric('nodejs_heap_size_used_bytes'),
    external: metric('nodejs_external_memory_bytes'),
    anonymous: kept('RssAnon'),
    mapped: kept('RssFile'),
  };
}

export function soakTable({ samples: found, load }: Soak): string {
  const rates = load.streams.map(
    ({ name, perSecond, p99 }) => `${name} ${perSecond.toFixed(0)}/s, p99 ${p99.toFixed(1)} ms`,
  );
  return [...found.map(lineOf), ...rates].join('\n');
}

function lineOf({ minute, ...memory }: Sample): string {
  const parts = Object.entries(memory).map(([name, mebibytes]) => `${name} ${mebibytes.toFixed(0).padStart(4)}`);
  return `${minute.toFixed(1).padStart(5)} min   ${parts.join('   ')} MiB`;
}
