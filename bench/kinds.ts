import type { DataSet } from './data.ts';
import { clients } from './figures/bench.ts';
import { conditional } from './figures/reads.ts';
import type { Driver } from './load/driver.ts';
import type { LoadRequest } from './load/types.ts';
import { list } from './queries/paths.ts';
import type { Traffic } from './queries/traffic.ts';
import { changes, creations, largeWrites } from './queries/writing.ts';
import { processorTimeOf } from './servers/process.ts';
import type { Product } from './servers/product.ts';

/** A kind of request whose cost is measured. */
export interface Kind {
  readonly name: string;
  readonly requests: readonly LoadRequest[];
  readonly connections?: number;
  readonly status?: number;
}

export interface Round {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time of the server per request, microseconds. */
  readonly processor: number;
}

/** The kinds of requests that are compared between trees and sizes. */
export function kinds(data: DataSet, traffic: Traffic): Kind[] {
  const of = (paths: readonly string[]) => paths.map((path) => ({ path }));
  const [create, update] = [creations(data), changes(data)];
  const large = largeWrites(data, { keyed: false });
  const keyed = largeWrites(data, { keyed: true });
  return [
    { name: 'GET item', requests: of(traffic.items) },
    { name: 'unchanged (304)', requests: of(traffic.items.slice(0, 1000)), status: 304 },
    { name: 'list, same address', requests: of([list({})]) },
    { name: 'lists, random pages and filters', requests: of(traffic.pages) },
    { name: 'lists by category', requests: of(traffic.byCategory) },
    { name: 'by slug', requests: of(traffic.slugs) },
    { name: 'search, one or two words', requests: of(traffic.searches) },
    { name: 'lists with _embed', requests: of(traffic.pages.map((path) => `${path}&_embed`)) },
    { name: 'creates, one client', requests: create, status: 201, connections: 1 },
    { name: 'creates, 50 clients', requests: create, status: 201, connections: 50 },
    { name: 'updates, one client', requests: update, connections: 1 },
    { name: 'updates, 50 clients', requests: update, connections: 50 },
    { name: 'posts of 20 kB, 12 clients', requests: large.posts, status: 201, connections: 12 },
    { name: 'posts of 20 kB with a key', requests: keyed.posts, status: 201, connections: 12 },
    { name: 'batches of 10', requests: large.batches, status: 207, connections: 12 },
  ];
}

/** Sends requests of one kind for some seconds. */
export async function roundOf(
  { name, requests, connections = clients, status = 200 }: Kind,
  { port, process: { pid } }: Product,
  { driver, seconds, seed }: { readonly driver: Driver; readonly seconds: number; readonly seed: number },
): Promise<Round> {
  const paths = requests.map(({ path }) => path);
  const asked = status === 304 ? await conditional(port, paths) : requests;
  const before = processorTimeOf(pid) ?? Number.NaN;
  const streams = [{ name, connections, requests: asked, status }];
  const result = await driver.run({ port, seconds, seed, streams });
  const [stream] = result.streams;
  if (stream === undefined) throw new Error('the driver measured nothing');
  const processor = (((processorTimeOf(pid) ?? Number.NaN) - before) * 1e6) / stream.requests;
  return { perSecond: stream.perSecond, p99: stream.p99, processor };
}
