/** Reads a shared log over the network: into a copy with the product's own code, or to discard it. */
import { createStreamClient } from '#eventstore/eventstoredb/client.ts';
import { openEventStoreDb } from '#eventstore/eventstoredb/store.ts';

export interface WireJob {
  readonly url: string;
  readonly stream: string;
  /** File of the copy; null: the events are discarded. */
  readonly path: string | null;
}

export interface Wired {
  readonly events: number;
  readonly seconds: number;
}

const page = 2000;
const deadline = 10_000;

process.on('message', async (job: WireJob) => {
  const started = performance.now();
  const events = job.path === null ? await readAll(job) : await copy(job, job.path);
  process.send?.({ events, seconds: (performance.now() - started) / 1000 });
});
process.on('disconnect', () => process.exit());

async function copy({ url, stream }: WireJob, path: string): Promise<number> {
  const store = await openEventStoreDb({ url, stream, path, appendBytes: 1_000_000, chance: Math.random });
  const { position } = store.head();
  store.close();
  return position;
}

async function readAll({ url, stream }: WireJob): Promise<number> {
  const client = createStreamClient({ url, deadline });
  let position = 0;
  for (let read = page; read === page; position += read) {
    read = (await client.read(stream, { from: position, limit: page })).length;
  }
  await client.close();
  return position;
}
