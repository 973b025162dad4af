// What a site takes, for the guide to operating: `node bench/capacity.ts`. Sizes do not depend on other load; times are processor times.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { addUser } from '#commands/users.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { openNode } from '#ops/open-node.ts';
import { readConfig } from '../src/config.ts';
import { type DataSet, dataSet } from './data.ts';
import { untilIdle } from './figures/throughput.ts';
import { item } from './queries/paths.ts';
import { scratch } from './scratch.ts';
import { startProduct } from './servers/product.ts';

interface Taken {
  readonly events: number;
  readonly posts: number;
  readonly log: number;
  readonly tables: number;
  readonly views: number;
  /** Processor seconds of the first start, until its first answer. */
  readonly start: number;
  /** MiB of a server at rest: its own, and files that are mapped into it. */
  readonly own: number;
  readonly mapped: number;
}

const MIB = 1024 * 1024;
const ticksPerSecond = 100;
const note = (text: string) => process.stderr.write(`${text}\n`);
const photo = await imageSizes();
const few = await measure({ seed: 1, posts: 10_000, events: 11_000 });
const edited = await measure({ seed: 1, posts: 10_000, events: 41_000 });
const many = await measure({ seed: 1, posts: 40_000, events: 41_000 });

const perPost = (of: 'log' | 'tables') => (many[of] - few[of]) / (many.posts - few.posts);
const edits = edited.events - few.events;
const rows = [
  [
    'a post: log; tables and search; ready answers',
    [perPost('log'), perPost('tables'), many.views / many.posts].map(kilobytes).join('; '),
  ],
  [
    'a later save of a post: log; tables and search',
    [(edited.log - few.log) / edits, (edited.tables - few.tables) / edits].map(kilobytes).join('; '),
  ],
  ['an image of 12 megapixels: the file; with its sizes', [photo.original, photo.stored].map(megabytes).join('; ')],
  [
    'memory of 10,000 and 40,000 posts at rest, without mapped files',
    `${few.own.toFixed(0)} and ${many.own.toFixed(0)} MiB`,
  ],
  [
    'memory for each further 100,000 posts',
    `${(((many.own - few.own) / (many.posts - few.posts)) * 100_000).toFixed(0)} MiB`,
  ],
  [
    'first start, 11,000 and 41,000 events of 10,000 posts; 41,000 of 40,000',
    [few, edited, many].map(({ start }) => `${start.toFixed(1)} s`).join('; '),
  ],
];
console.log(rows.map(([what, value]) => `| ${what} | ${value} |`).join('\n'));
console.log(JSON.stringify({ few, edited, many, photo }));

async function measure(spec: { seed: number; posts: number; events: number }): Promise<Taken> {
  const data = await dataSet(spec, note);
  const { directory, remove } = scratch('capacity');
  try {
    mkdirSync(directory, { recursive: true });
    cpSync(join(data.directory, 'log.db'), join(directory, 'log.db'));
    note(`starting on ${spec.events} events`);
    const first = await startOn(directory, data);
    const { own, mapped } = first;
    const of = (...names: string[]) => names.reduce((sum, name) => sum + bytesOf(join(directory, name)), 0);
    const tables = of('projections.db', 'projections.db-search');
    return {
      events: spec.events,
      posts: spec.posts,
      log: of('log.db'),
      tables,
      views: of('views'),
      start: first.cpu,
      own,
      mapped,
    };
  } finally {
    remove();
  }
}

async function startOn(directory: string, { ids }: DataSet) {
  const { process: server } = await startProduct(directory, item(ids[0] ?? 1), { REBUILD_PRIORITY: 'normal' });
  const cpu = cpuOf(server.pid);
  await untilIdle(server);
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const kilobytesOf = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  await server.stop();
  return { cpu, own: kilobytesOf('RssAnon') / 1024, mapped: kilobytesOf('RssFile') / 1024 };
}

/** Processor seconds of a process and of its children that have ended. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

/** A picture as a telephone makes it, and what becomes of it. */
async function imageSizes(): Promise<{ readonly original: number; readonly stored: number }> {
  const { directory, remove } = scratch('capacity-image');
  const noise = {
    create: {
      width: 500,
      height: 375,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 50 },
    },
  } as const;
  const photo = await sharp(await sharp(noise).png().toBuffer())
    .resize(4000, 3000)
    .jpeg({ quality: 85 })
    .toBuffer();
  const node = await openNode(readConfig({ DATA_DIR: directory }));
  try {
    const context = { viewer: null, correlationId: 'capacity' };
    const { value } = await node.store.submit(context, (session) =>
      addUser(session, { login: 'admin', role: 'administrator' }),
    );
    if (isRefusal(value)) throw new Error(value.message);
    await node.close();
    const server = await startProduct(directory, '/cms-json/');
    const authorization = `Basic ${Buffer.from(`admin:${value.password}`).toString('base64')}`;
    const headers = {
      authorization,
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename="photo.jpg"',
    };
    const answer = await fetch(`http://127.0.0.1:${server.port}/cms-json/cms/v2/media`, {
      method: 'POST',
      headers,
      body: new Uint8Array(photo),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
    await server.process.stop();
    return { original: photo.length, stored: bytesOf(join(directory, 'media')) };
  } finally {
    remove();
  }
}

function bytesOf(path: string): number {
  if (!existsSync(path)) return 0;
  const found = statSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function megabytes(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
