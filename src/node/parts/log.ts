import { join } from 'node:path';
import { lockDirectory } from '#eventstore/lock.ts';
import { site } from '#projections/site/definition.ts';
import { prepareDataFiles } from '../data-files.ts';
import { openEngine } from '../open-log.ts';
import { openTransparency } from '../tree/transparency.ts';
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
    prepareDataFiles(config.dataDir, reporter);
    const path = logPathOf(config);
    const engine =
      openLog === undefined
        ? await openEngine(config, path, { reporter, timings })
        : { log: openLog(path), shared: null };
    scope.defer(() => engine.log.close());
    return engine;
  },
});

/** The Merkle tree over the log, and its signed checkpoints. */
export const tree = definePart({
  name: 'tree',
  needs: ['config', 'options', 'log', 'projections'],
  open({ config, options: { clock, reporter }, log: { log }, projections }, scope) {
    const { dataDir, checkpoints } = config;
    const siteUrl = () => projections.core.reader.of(site).get()?.url ?? '';
    const opened = openTransparency({
      dataDir,
      givenKey: checkpoints.key,
      sinks: checkpoints.to,
      authority: checkpoints.authority,
      log,
      siteUrl,
      clock,
      reporter,
    });
    scope.defer(() => opened.tree.close());
    return opened;
  },
});

export function logPathOf({ dataDir }: { readonly dataDir: string }): string {
  return join(dataDir, 'log.db');
}
