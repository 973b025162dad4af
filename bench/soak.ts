import { existsSync, readFileSync } from 'node:fs';
import { freePort } from '../test/support/free-port.ts';
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
  readonly loads: readonly LoadResult[];
}

interface Measuring {
  readonly driver: Driver;
  readonly options: Options;
  readonly note: (text: string) => void;
}

/** Requests of each kind per second. */
const pace = 50;
const fewest = 10;

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
    const streams = [
      { name: 'creates', connections: 4, requests: creations(data), status: 201, pace: pace / 2 },
      { name: 'updates', connections: 4, requests: changes(data), pace: pace / 2 },
      { name: 'reads', connections: 4, requests, pace },
    ];
    const found: Sample[] = [await sampleAt(0, product.process.pid, metricsPort, note)];
    const loads: LoadResult[] = [];
    // The server closes a connection that is not used for a minute.
    const parts = Math.max(fewest, Math.ceil(minutes / 0.75));
    for (let i = 1; i <= parts; i++) {
      loads.push(await driver.run({ port: product.port, seconds: (minutes * 60) / parts, seed: seed + i, streams }));
      found.push(await sampleAt((i * minutes) / parts, product.process.pid, metricsPort, note));
    }
    return { samples: found, loads };
  } finally {
    await product.process.stop();
    copy.remove();
  }
}

async function sampleAt(minute: number, pid: number, port: number, note: (text: string) => void): Promise<Sample> {
  const sample = { minute, ...(await memoryAt(pid, port)) };
  note(lineOf(sample));
  return sample;
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

export function soakTable({ samples: found, loads }: Soak): string {
  const names = loads[0]?.streams.map(({ name }) => name) ?? [];
  const rates = names.map((name, i) => {
    const streams = loads.flatMap((load) => load.streams[i] ?? []);
    const requests = streams.reduce((sum, stream) => sum + stream.requests, 0);
    const worst = Math.max(...streams.map(({ p99 }) => p99));
    return `${name}: ${requests} requests, p99 at most ${worst.toFixed(1)} ms`;
  });
  return [...found.map(lineOf), ...rates].join('\n');
}

function lineOf({ minute, ...memory }: Sample): string {
  const parts = Object.entries(memory).map(([name, mebibytes]) => `${name} ${mebibytes.toFixed(0).padStart(4)}`);
  return `${minute.toFixed(1).padStart(5)} min   ${parts.join('   ')} MiB`;
}
