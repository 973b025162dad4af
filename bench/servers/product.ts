import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { siteUrl } from '../data/site.ts';
import { firstAnswer } from './http.ts';
import { type Process, start } from './process.ts';

/** The product's server on a data directory. */
export interface Product {
  readonly port: number;
  readonly process: Process;
  /** Milliseconds from its start to its first answer. */
  readonly startedIn: number;
}

// As in `npm start`.
const flags = ['--max-semi-space-size=8'];
/** The program of a checkout. */
export const productOf = (checkout: string) => join(checkout, 'src', 'main.ts');

/** Starts it as an operator would and waits until it answers `path` with 200. */
export async function startProduct(
  directory: string,
  path: string,
  more: Readonly<Record<string, string>> = {},
  moreFlags: readonly string[] = [],
  main = productOf(join(import.meta.dirname, '..', '..')),
): Promise<Product> {
  const port = await freePort();
  const since = performance.now();
  const env = {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: directory,
    SITE_URL: siteUrl,
    LOG_LEVEL: 'warn',
    MALLOC_MMAP_THRESHOLD_: '1048576',
  };
  const process = start(main, { ...env, ...more }, [...flags, ...moreFlags]);
  try {
    return { port, process, startedIn: (await firstAnswer(port, path, process)) - since };
  } catch (error) {
    await process.stop();
    throw error;
  }
}
