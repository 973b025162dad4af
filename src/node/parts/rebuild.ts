import { join } from 'node:path';
import { media } from '#projections/media/definition.ts';
import { createErasing } from '../erasure/erasing.ts';
import { orderPending } from '../erasure/pending.ts';
import { forgetOrigins } from '../origins.ts';
import { projectionsPathOf } from '../projections.ts';
import { discardPrepared, preparedBeside } from '../rebuild/prepared.ts';
import { createRebuilding } from '../rebuild/rebuilding.ts';
import { logPathOf } from './log.ts';
import { definePart } from './parts.ts';

export const erasingPart = definePart({
  name: 'erasing',
  needs: ['config', 'options', 'log', 'projections', 'writes', 'files', 'auditWords', 'nodeFile'],
  later: ['rebuilding'],
  async open(parts, scope) {
    const { config, options, projections, writes, files, log } = parts;
    const { dataDir } = config;
    const { reporter } = options;
    await orderPending(dataDir, writes.submit, reporter);
    const opened = createErasing({
      log: log.log,
      reporter,
      markPath: join(dataDir, 'erased.json'),
      acts: () => projections.core,
      async forget(forgetting) {
        await parts.rebuilding.discard();
        discardPrepared(preparedBeside(projectionsPathOf(config)));
        // What an earlier rebuild has replaced may not be removed yet.
        await projections.removeReplaced();
        if (!(await projections.forget(forgetting))) await parts.rebuilding.renew({ onTask: forgetting.onTask });
        projections.noteAll();
      },
      forgetOrigins: (correlationIds) => {
        parts.auditWords.forget();
        forgetOrigins(dataDir, parts.nodeFile, correlationIds);
      },
      removeFile: (hash) => files.files.remove(hash, (named) => projections.core.reader.of(media).isNamed(named)),
    });
    scope.defer(() => opened.close());
    return opened;
  },
});

export const rebuilding = definePart({
  name: 'rebuilding',
  needs: ['config', 'options', 'log', 'mending', 'projections'],
  open({ config, options: { clock, reporter, answers }, log: { log }, mending, projections }, scope) {
    const opened = createRebuilding({
      log,
      logPath: logPathOf(config),
      path: projectionsPathOf(config),
      clock,
      reporter,
      names: config.names,
      priority: config.rebuildPriority,
      script: answers.rebuildScript,
      followed: () => projections.core.followed(),
      removeReplaced: () => projections.removeReplaced(),
      takeOver: (successor, differs) => projections.replace(successor, differs),
    });
    scope.defer(() => opened.close());
    // Ends before what it rebuilds with.
    scope.defer(() => mending.close());
    return opened;
  },
});
