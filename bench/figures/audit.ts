import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { asAdmin } from '../data/site.ts';
import type { Figure } from '../report.ts';
import { inTurn, median } from '../rounds.ts';
import { ask } from '../servers/http.ts';
import { startProduct } from '../servers/product.ts';
import type { Bench } from './bench.ts';
import { untilIdle } from './throughput.ts';

const call = promisify(execFile);
const cli = join(import.meta.dirname, '..', '..', 'src', 'cli.ts');
/** Seconds for one entry of a log with a million events. */
const target = { atMost: 1 };
const rounds = 5;

/** The audit of one entry, and a search without matches, by command and by page, beside a running server. */
export async function audit({ data, note }: Bench): Promise<Figure[]> {
  note(`auditing ${data.events} events`);
  const server = await startProduct(data.directory, '/cms-json/');
  try {
    await untilIdle(server.process);
    const env = { ...process.env, DATA_DIR: data.directory };
    const verb = (...args: readonly string[]) =>
      seconds(() => call(process.execPath, [cli, 'audit', ...args], { env }));
    const page = (query: string) =>
      seconds(() => ask(server.port, `/cms-audit/${query}`, { headers: { authorization: asAdmin.authorization } }));
    const bareProcess = () => seconds(() => call(process.execPath, ['-e', '']));
    const entry = () => String(data.ids[Math.floor(data.ids.length / 2)] ?? 1);
    const figure = async (
      name: string,
      product: () => Promise<number>,
      limit: () => Promise<number>,
    ): Promise<Figure> => {
      const measured = await inTurn(rounds, { product, limit });
      return { name, unit: 's', product: median(measured.product), limit: median(measured.limit), target };
    };
    return [
      await figure('audit of one entry, verb', () => verb('--entry', entry()), bareProcess),
      await figure('audit without a hit, verb', () => verb('--correlation', 'none', '--user', 'admin'), bareProcess),
      await figure(
        'audit of one entry, page',
        () => page(`?entry=${entry()}`),
        () => page('health'),
      ),
      await figure(
        'audit without a hit, page',
        () => page('?correlation=none&user=admin'),
        () => page('health'),
      ),
    ];
  } finally {
    await server.process.stop();
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return (performance.now() - since) / 1000;
}
