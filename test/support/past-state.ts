import type { EventStore } from '#eventstore/port.ts';
import { openPastState, type PastState } from '#node/past-state.ts';
import { readConfig } from '../../src/config.ts';

const script = new URL('../../src/ops/rebuild-script.ts', import.meta.url);

/** The site of a data directory as of a position. */
export function pastStateOf({
  directory,
  log,
  position,
}: {
  readonly directory: string;
  readonly log: EventStore;
  readonly position: number;
}): Promise<PastState> {
  const config = readConfig({ DATA_DIR: directory, LOG_LEVEL: 'silent' });
  const { signal } = new AbortController();
  return openPastState({ config, log, position, script, signal, onProgress: () => undefined });
}
