// Counts the files and functions of `src` and of the packages beside it that run between a request and its answer, in a warm process on a
// site of a few posts. What idle work runs in that time is included. Prints one line per request.
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '#ops/serve.ts';

interface Counted {
  readonly files: number;
  readonly functions: number;
}

const sources = ['../src/', '../packages/'].map((path) => new URL(path, import.meta.url).href);
const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');

const directory = mkdtempSync(join(tmpdir(), 'functions-'));
const printed: string[] = [];
const write = process.stdout.write;
process.stdout.write = (text: string | Uint8Array) => printed.push(String(text)) > 0;
const server = await serve({ DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'silent' });
process.stdout.write = write;
try {
  await measure();
} finally {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const [, password = ''] = /password +(\S.*?) {3}/.exec(printed.join('\n')) ?? [];
  const headers = {
    authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
    'content-type': 'application/json',
  };
  const call = async (method: string, path: string, body?: object, isAdmin = path.includes('context=edit')) => {
    const sent = method === 'GET' ? (isAdmin ? { headers } : {}) : { headers, body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}/cms-json/cms/v2${path}`, { method, ...sent });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
    return (await answer.json()) as { id: number };
  };
  const ids: number[] = [];
  for (let i = 0; i < 6; i++) {
    const content = `<!-- wp:paragraph --><p>Some words of post ${i}.</p><!-- /wp:paragraph -->`;
    ids.push((await call('POST', '/posts', { title: `Post ${i}`, content, status: 'publish' })).id);
  }
  // A position at which all are there; the changes follow.
  const first = 17;
  let turn = 0;
  const next = () => ids[turn++ % ids.length];
  const requests: Record<string, () => Promise<unknown>> = {
    'PATCH of a post': () => call('PATCH', `/posts/${next()}`, { title: `Title ${turn}` }),
    'GET of a ready item': () => call('GET', `/posts/${next()}`),
    'GET of an item for its author': () => call('GET', `/posts/${next()}?context=edit&turn=${turn}`),
    'GET of an item as of a position': () =>
      call('GET', `/posts/${next()}?context=edit&as_of=${first + (turn % 12)}&turn=${turn}`),
    'GET of a list as of a position': () =>
      call('GET', `/posts?context=edit&as_of=${first + (turn++ % 12)}&turn=${turn}`),
    'GET of a list with a search': () => call('GET', `/posts?search=words&per_page=${1 + (turn++ % 18)}`),
  };
  for (const [name, request] of Object.entries(requests)) {
    for (let i = 0; i < 20; i++) await request();
    await sleep(1500);
    const { files, functions } = await counted(request);
    console.log(`${name.padEnd(30)} ${files} files, ${functions} functions`);
  }
}

/** What runs during a request: the least of several, because timers run at any time. */
async function counted(request: () => Promise<unknown>): Promise<Counted> {
  const all: Counted[] = [];
  for (let i = 0; i < 5; i++) {
    await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await request();
    const { result } = await inspector.post('Profiler.takePreciseCoverage');
    await inspector.post('Profiler.stopPreciseCoverage');
    const own = result
      .filter(({ url }) => sources.some((folder) => url.startsWith(folder)))
      .map(({ functions }) => functions.filter(({ ranges: [whole] }) => (whole?.count ?? 0) > 0).length)
      .filter((count) => count > 0);
    all.push({ files: own.length, functions: own.reduce((sum, count) => sum + count, 0) });
  }
  return all.reduce((least, one) => (one.functions < least.functions ? one : least));
}
