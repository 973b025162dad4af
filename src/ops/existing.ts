import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LogUnavailable } from '#eventstore/port.ts';
import type { Config } from '../config.ts';

/** Throws `LogUnavailable` if a data directory has no log: opening a mistyped path would create another site. */
export function requireLog({ dataDir, eventStoreUrl }: Config): void {
  const path = join(dataDir, 'log.db');
  if (eventStoreUrl === null && !existsSync(path)) throw new LogUnavailable(`there is no event log at ${path}`);
}
