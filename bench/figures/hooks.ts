import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { callControl, controlPath } from '#ops/control.ts';
import { asAdmin } from '../data/site.ts';
import type { StreamResult } from '../load/types.ts';
import { item } from '../queries/paths.ts';
import { creations } from '../queries/writing.ts';
import type { Figure } from '../report.ts';
import { inTurn, median } from '../rounds.ts';
import { scratch } from '../scratch.ts';
import { type Process, processorTimeOf, start } from '../servers/process.ts';
import { type Product, startProduct } from '../servers/product.ts';
import type { Taken } from '../servers/receiver.ts';
import type { Bench } from './bench.ts';
import { untilIdle } from './throughput.ts';

const many = 50;
/** Creates a second in the rounds that are compared, so that both do the same work. */
const pace = 1000;
const perSecondTarget = 1000;
/** Most processor time of a create with a hook, as a multiple of that without. */
const costTarget = 1.05;

interface Place extends Product {
  readonly directory: string;
  readonly receiver: Process;
}

/** Creates with a hook that is told of each, and without. */
export async function hooks(bench: Bench): Promise<Figure[]> {
  const { directory, remove } = scratch('hooks');
  bench.note('copying the data');
  cpSync(bench.data.directory, directory, { recursive: true });
  const env = { WEBHOOK_NETWORKS: '127.0.0.1' };
  const product = await startProduct(directory, item(bench.data.ids[0] ?? 1), env);
  const receiver = start(join(import.meta.dirname, '..', 'servers', 'receiver.ts'));
  try {
    bench.note('waiting for the server to be idle');
    await untilIdle(product.process);
    return await measure(bench, { ...product, directory, receiver });
  } finally {
    await receiver.stop();
    await product.process.stop();
    remove();
  }
}

async function measure(bench: Bench, place: Place): Promise<Figure[]> {
  const { port } = await taken(place);
  await send(place, 'POST', '', { address: `http://127.0.0.1:${port}/`, enabled: false });
  await create(bench, place, true);
  const { product, limit } = await inTurn(bench.rounds, {
    product: () => create(bench, place, true),
    limit: () => create(bench, place, false),
  });
  const behind = await drain(bench, place);
  const cost = (rounds: readonly Round[]) => median(rounds.map(({ processor }) => processor));
  const over = (value: (round: Round) => number) => Math.round(median(product.map(value)));
  return [
    {
      name: `processor time of a create that a hook is told of, ${pace} a second`,
      unit: 'ms',
      product: cost(product),
      limit: cost(limit),
      target: { atMost: costTarget * cost(limit) },
      note: `limit: without a hook; ${over((r) => r.changes)} changes a second in ${over((r) => r.messages)} messages`,
    },
    {
      name: 'changes that a hook is told of when it is behind',
      unit: 'events/s',
      product: behind,
      limit: Number.NaN,
      target: { atLeast: perSecondTarget },
      note: 'one local receiver',
    },
  ];
}

interface Round {
  /** Processor time of the server per create, milliseconds. */
  readonly processor: number;
  readonly changes: number;
  readonly messages: number;
}

let seed = 1;

async function create(bench: Bench, place: Place, isTold: boolean): Promise<Round> {
  await callControl(controlPath(place.directory), 'hooks replay', { hook: '1', from: 'now' });
  await send(place, 'POST', '/1', { enabled: isTold });
  await taken(place);
  seed += 10;
  const used = processorTimeOf(place.process.pid) ?? Number.NaN;
  const stream = { name: 'creates', connections: many, requests: creations(bench.data), status: 201, pace };
  const { streams } = await bench.driver.run({ port: place.port, seconds: bench.seconds, seed, streams: [stream] });
  const [written] = streams as readonly [StreamResult];
  const processor = ((processorTimeOf(place.process.pid) ?? Number.NaN) - used) * 1000;
  const { changes, messages } = await taken(place);
  await send(place, 'POST', '/1', { enabled: false });
  const { requests } = written;
  return { processor: processor / requests, changes: changes / bench.seconds, messages: messages / bench.seconds };
}

/** Changes a second while the hook is sent everything that was created. */
async function drain(bench: Bench, place: Place): Promise<number> {
  bench.note('sending everything again');
  const from = String(2 * bench.data.ids.length);
  await taken(place);
  await callControl(controlPath(place.directory), 'hooks replay', { hook: '1', from });
  const began = performance.now();
  await send(place, 'POST', '/1', { enabled: true });
  let [changes, ended] = [0, began];
  for (let idle = 0; idle < 20; idle += 1) {
    await wait(50);
    const came = await taken(place);
    changes += came.changes;
    if (came.changes > 0) [idle, ended] = [0, performance.now()];
  }
  return (changes * 1000) / (ended - began);
}

async function taken({ receiver }: Place): Promise<Taken> {
  return (await receiver.ask({})) as Taken;
}

async function send({ port }: Place, method: string, path: string, body: object): Promise<void> {
  const headers = { ...asAdmin, 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${port}/cms-json/webhooks/v1/hooks${path}`;
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}
