import { below, seeded } from '../data/random.ts';
import { type Client, openClient } from './client.ts';
import { type Histogram, histogram } from './histogram.ts';
import { prepare } from './requests.ts';
import type { Load, LoadResult, Stream, StreamResult } from './types.ts';

/** Maximum duration of a load, seconds. */
const longest = 120;

/** Runs a load. Rejects at the first unexpected answer. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const seconds = Math.min(load.seconds, longest);
  // Thousands of requests take a tenth of a second to prepare, which would count as latency of a stream that has begun.
  const opened = await Promise.all(load.streams.map((stream, i) => open(stream, { ...load, seed: load.seed + i })));
  const cpu = process.cpuUsage();
  const started = performance.now();
  const until = started + seconds * 1000;
  const streams = await Promise.all(opened.map((stream) => runStream(stream, until)));
  const { user, system } = process.cpuUsage(cpu);
  return { streams, driverBusy: (user + system) / 1000 / (performance.now() - started) };
}

interface Opened {
  readonly stream: Stream;
  readonly clients: readonly Client[];
  readonly exchange: Exchanges;
  readonly latencies: Histogram;
  readonly faults: { readonly first?: Error };
}

async function open(stream: Stream, load: Load): Promise<Opened> {
  const faults: { first?: Error } = {};
  const latencies = histogram();
  const exchange = exchanges(stream, load.seed, latencies);
  const clients: Client[] = [];
  for (let i = 0; i < stream.connections; i++) {
    clients.push(await openClient(stream.port ?? load.port, (error) => (faults.first ??= error)));
  }
  return { stream, clients, exchange, latencies, faults };
}

async function runStream(opened: Opened, until: number): Promise<StreamResult> {
  const { stream, clients, latencies } = opened;
  const started = performance.now();
  const bytes = await new Promise<number>((resolve, reject) => {
    const job: Job = { ...opened, until, resolve, reject };
    if (stream.pace === undefined) runClosed(job);
    else runPaced(job, stream.pace);
  }).finally(() => {
    for (const client of clients) client.close();
  });
  return summarise(stream.name, latencies, { bytes, seconds: (performance.now() - started) / 1000 });
}

interface Exchanges {
  readonly bytes: number;
  /** True when the stream's limit is reached. */
  readonly exhausted: boolean;
  /** Sends the next request. `since`: the time at which it was due. */
  begin(client: Client, since: number, done: (error?: Error) => void): void;
}

interface Job {
  readonly clients: readonly Client[];
  readonly exchange: Exchanges;
  readonly until: number;
  readonly faults: { readonly first?: Error };
  resolve(bytes: number): void;
  reject(error: Error): void;
}

function exchanges(stream: Stream, seed: number, latencies: Histogram): Exchanges {
  const random = seeded(seed);
  const { requests, order = 'random', status: expected = 200, limit = Number.POSITIVE_INFINITY } = stream;
  const request = prepare(requests, below(random, 1e6) * 100);
  let begun = 0;
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    get exhausted() {
      return begun >= limit;
    },
    begin(client, since, done) {
      const i = order === 'random' ? below(random, requests.length) : begun % requests.length;
      begun += 1;
      client.send(request(i), (status, length) => {
        latencies.record(performance.now() - since);
        bytes += length;
        const wanted = requests[i]?.status ?? expected;
        if (status === wanted) done();
        else done(new Error(`${stream.name}: ${requests[i]?.path} answered ${status}, not ${wanted}`));
      });
    },
  };
}

function runClosed({ clients, exchange, until, faults, resolve, reject }: Job): void {
  let open = clients.length;
  const watch = watchFaults(faults, reject);
  const next = (client: Client) => {
    if (exchange.exhausted || performance.now() >= until) {
      open -= 1;
      if (open > 0) return;
      clearInterval(watch);
      resolve(exchange.bytes);
      return;
    }
    exchange.begin(client, performance.now(), (error) => (error ? reject(error) : next(client)));
  };
  clients.forEach(next);
}

// Latency counts from when a request was due, so that a stalled server does not lower the measured load.
function runPaced({ clients, exchange, until, faults, resolve, reject }: Job, pace: number): void {
  const idle = [...clients];
  const due: number[] = [];
  const started = performance.now();
  let planned = 0;
  const watch = watchFaults(faults, reject);
  const pump = () => {
    while (due.length > 0 && idle.length > 0) {
      const client = idle.pop() as Client;
      exchange.begin(client, due.shift() ?? 0, (error) => {
        if (error) reject(error);
        idle.push(client);
        pump();
      });
    }
  };
  const timer = setInterval(() => {
    const now = performance.now();
    for (; now < until && started + (planned * 1000) / pace <= now; planned++)
      due.push(started + (planned * 1000) / pace);
    pump();
    if (now < until || idle.length < clients.length) return;
    clearInterval(timer);
    clearInterval(watch);
    resolve(exchange.bytes);
  }, 1);
}

// Without this a broken connection would go unnoticed: it produces no answer.
function watchFaults(faults: { readonly first?: Error }, reject: (error: Error) => void): NodeJS.Timeout {
  const watch = setInterval(() => {
    if (faults.first === undefined) return;
    clearInterval(watch);
    reject(faults.first);
  }, 100);
  return watch;
}

function summarise(name: string, latencies: Histogram, run: { bytes: number; seconds: number }): StreamResult {
  const requests = latencies.count;
  return {
    name,
    requests,
    seconds: run.seconds,
    perSecond: requests / run.seconds,
    p50: latencies.quantile(0.5),
    p99: latencies.quantile(0.99),
    max: latencies.max,
    bytes: requests === 0 ? 0 : Math.round(run.bytes / requests),
  };
}
