import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { firstAnswer } from './http.ts';
import { type Process, start } from './process.ts';

/** The bare server; see `bench/bare.ts`. */
export interface Bare {
  readonly port: number;
  readonly process: Process;
  /** Milliseconds from its start to its first answer. */
  readonly startedIn: number;
  /** Fetches the product's answers to these addresses, to send the same bytes. */
  capture(productPort: number, paths: readonly string[]): Promise<void>;
}

export async function startBare(): Promise<Bare> {
  const port = await freePort();
  const since = performance.now();
  const process = start(join(import.meta.dirname, '..', 'bare.ts'), { PORT: String(port) });
  const startedIn = (await firstAnswer(port, '/', process)) - since;
  return {
    port,
    process,
    startedIn,
    async capture(productPort, paths) {
      const { faults } = (await process.ask({ productPort, paths })) as { faults: number };
      if (faults > 0) throw new Error(`${faults} of ${paths.length} addresses were not answered with 200`);
    },
  };
}
