import { join } from 'node:path';
import { start } from '../servers/process.ts';
import type { DriverMessage, Load, LoadResult } from './types.ts';

/** The driver process, as its parent process uses it. */
export interface Driver {
  run(load: Load): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startDriver(): Driver {
  const process = start(join(import.meta.dirname, '..', 'driver.ts'));
  return {
    async run(load) {
      const message = (await process.ask(load)) as DriverMessage;
      if ('fault' in message) throw new Error(message.fault);
      return message.result;
    },
    stop: process.stop,
  };
}
