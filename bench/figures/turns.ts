import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { asAdmin } from '../data/site.ts';
import { item, posts } from '../queries/paths.ts';
import type { Figure } from '../report.ts';
import { scratch } from '../scratch.ts';
import { type Product, startProduct } from '../servers/product.ts';
import { type Bench, ms } from './bench.ts';
import { contentOf, mebibytes, texts } from './texts.ts';
import { untilIdle } from './throughput.ts';

/** Milliseconds of processor time. */
const target = 50;
const preload = join(import.meta.dirname, '..', 'servers', 'turns.ts');

interface Acting {
  readonly port: number;
  readonly content: string;
  /** The post, once there is one, and the path of its page. */
  id: number;
  page: string;
}

/** What is done with a long text, in this order. */
const acts: Readonly<Record<string, (at: Acting) => Promise<unknown>>> = {
  create: async (at) => {
    const answer = await send(at, 'POST', posts, { title: 'Long', status: 'publish', content: at.content });
    const made = (await answer.json()) as { id: number; link: string };
    [at.id, at.page] = [made.id, new URL(made.link).pathname];
  },
  item: (at) => send(at, 'GET', item(at.id)),
  edit: (at) => send(at, 'GET', `${item(at.id)}?context=edit`),
  update: (at) => send(at, 'PUT', item(at.id), { content: `${at.content}!` }),
  title: (at) => send(at, 'PUT', item(at.id), { title: 'Longer' }),
  autosave: (at) => send(at, 'POST', `${item(at.id)}/autosaves`, { content: `${at.content}?` }),
  revisions: (at) => send(at, 'GET', `${item(at.id)}/revisions?context=edit&per_page=1`),
  difference: async (at) => {
    const answer = await send(at, 'GET', `${item(at.id)}/revisions?_fields=id`);
    const [newest] = (await answer.json()) as { id: number }[];
    await send(at, 'GET', `${item(at.id)}/revisions/${newest?.id}/diff`);
  },
  list: (at) => send(at, 'GET', `${posts}?per_page=5`),
  page: (at) => send(at, 'GET', at.page),
  feed: (at) => send(at, 'GET', '/feed/'),
  search: (at) => send(at, 'GET', `${posts}?search=longer&_fields=id`),
  batch: (at) => {
    const path = `${posts.slice('/cms-json'.length)}/${at.id}`;
    const requests = [{ path, method: 'PUT', body: { content: at.content } }];
    return send(at, 'POST', '/cms-json/batch/v1', { requests });
  },
  restore: async (at) => {
    const answer = await send(at, 'GET', `${item(at.id)}/revisions?_fields=id`);
    const oldest = ((await answer.json()) as { id: number }[]).at(-1);
    await send(at, 'POST', `${item(at.id)}/revisions/${oldest?.id}/restore`);
  },
  embedded: (at) => send(at, 'GET', `${posts}?per_page=5&_embed`),
  timeline: (at) => send(at, 'GET', '/cms-audit/'),
  history: (at) => send(at, 'GET', `/cms-audit/things/entry-${at.id}`),
  comparison: (at) => send(at, 'GET', `/cms-audit/things/entry-${at.id}/changes?to=2`),
  trash: (at) => send(at, 'DELETE', item(at.id)),
};

/** The longest turns of a server that is given texts of nearly the largest body, in processor time. */
export async function turns(bench: Bench): Promise<Figure[]> {
  const { directory, remove } = scratch('turns');
  cpSync(bench.data.directory, directory, { recursive: true });
  const product = await startProduct(directory, item(bench.data.ids[0] ?? 1), {}, ['--import', preload]);
  try {
    const figures: Figure[] = [];
    for (const [name, part] of Object.entries(texts)) figures.push(await turnsWith(bench, product, { name, part }));
    return figures;
  } finally {
    await product.process.stop();
    remove();
  }
}

async function turnsWith(bench: Bench, product: Product, text: { name: string; part: string }): Promise<Figure> {
  const at: Acting = { port: product.port, content: contentOf(text.part), id: 0, page: '' };
  const found: Record<string, number> = {};
  for (const [act, perform] of Object.entries(acts)) {
    await untilIdle(product.process);
    await product.process.ask('turns begin');
    try {
      await perform(at);
    } finally {
      found[act] = (await product.process.ask('turns end')) as number;
    }
    bench.note(`longest turn with ${text.name}, ${act}: ${ms(found[act])}`);
  }
  const slowest = Object.entries(found).sort(([, a], [, b]) => b - a);
  return {
    name: `longest turn with ${mebibytes} MiB of ${text.name}, processor time`,
    unit: 'ms',
    product: slowest[0]?.[1] ?? Number.NaN,
    limit: parsing(at.content),
    target: { atMost: target },
    note: `${slowest.map(([act, time]) => `${act} ${ms(time)}`).join(', ')}; limit: parsing such a body`,
    details: found,
  };
}

async function send({ port }: Acting, method: string, path: string, body?: object): Promise<Response> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...asAdmin, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const bytes = await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}`);
  return new Response(bytes);
}

/** Processor time of what nobody can divide, milliseconds. */
function parsing(content: string): number {
  const body = JSON.stringify({ content });
  const before = process.threadCpuUsage();
  JSON.parse(body);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
