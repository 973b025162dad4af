import { join } from 'node:path';
import { lockDirectory } from '#eventstore/lock.ts';
import { openEngine } from '../open-log.ts';
import { moveDamagedAside } from '../rebuildable-file.ts';
import { definePart } from './parts.ts';

/** The data directory, for this process alone. */
export const lock = definePart({
  name: 'lock',
  needs: ['config'],
  open({ config }, scope) {
    scope.defer(lockDirectory(config.dataDir));
    return undefined;
  },
});

export const log = definePart({
  name: 'log',
  needs: ['config', 'options', 'lock'],
  async open({ config, options: { openLog, reporter, timings } }, scope) {
    moveDamagedAside(config.dataDir, reporter);
    const path = logPathOf(config);
    const engine =
      openLog === undefined
        ? await openEngine(config, path, { reporter, timings })
        : { log: openLog(path), shared: null };
    scope.defer(() => engine.log.close());
    return engine;
  },
});

export function logPathOf({ dataDir }: { readonly dataDir: string }): string {
  return join(dataDir, 'log.db');
}
