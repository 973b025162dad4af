import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AnswerAges } from '#commands/answer-ages.ts';
import { Audience } from '#commands/audience.ts';
import { ClockLeapt } from '#commands/clock-guard.ts';
import { prepareSite } from '#commands/first-start.ts';
import { bySystem } from '#commands/session.ts';
import { LogUnavailable } from '#eventstore/port.ts';
import { ChangeNotifier } from '#projections/kernel/changes.ts';
import { CacheVersions } from '#projections/projector/cache-versions.ts';
import { site } from '#projections/site/definition.ts';
import { removeDamaged } from '../integrity.ts';
import { NodeProjections, projectionsPathOf } from '../projections.ts';
import { catchUpInChildProcess } from '../rebuild/child-process.ts';
import { takePrepared } from '../rebuild/prepared.ts';
import { logPathOf } from './log.ts';
import { definePart } from './parts.ts';

export const cacheVersions = definePart({ name: 'cacheVersions', needs: [], open: () => new CacheVersions() });

export const notifier = definePart({ name: 'notifier', needs: [], open: () => new ChangeNotifier() });

export const audience = definePart({
  name: 'audience',
  needs: [],
  later: ['projections'],
  open: (parts) => new Audience(() => parts.projections.core.writer.hurry()),
});

export const projections = definePart({
  name: 'projections',
  needs: [
    ...(['config', 'options', 'log', 'integrity', 'mending', 'clock', 'faults'] as const),
    ...(['cacheVersions', 'notifier', 'audience', 'feeds'] as const),
  ],
  async open(parts, scope) {
    const {
      config,
      options,
      faults,
      log: { log, shared },
      clock,
      audience: readers,
      integrity,
      mending,
    } = parts;
    const { reporter, meter, tracing, keepEvery, answers } = options;
    const path = projectionsPathOf(config);
    // States of the past that earlier versions kept; what has been erased since may be in them.
    rmSync(join(config.dataDir, 'past'), { recursive: true, force: true });
    const viewsPath = join(config.dataDir, 'views');
    await takePrepared({ path, viewsPath, log, reporter });
    removeDamaged(path, { log, integrity });
    const head = log.head().position;
    const { rebuildScript: script } = answers;
    const { progress: onProgress } = reporter;
    await catchUpInChildProcess({ logPath: logPathOf(config), path, head, script, keepEvery, onProgress });
    const fault = (error: unknown) => {
      faults.failedWrite(error);
      reporter.fault(error);
    };
    const opened = await NodeProjections.open(
      {
        log,
        path,
        clock: options.clock,
        meter,
        tracing,
        keepEvery,
        integrity,
        cacheVersions: parts.cacheVersions,
        notifier: parts.notifier,
        commitBytes: config.commitBytes,
        names: config.names,
        network: config.plugins.cdn,
        clockTolerance: config.clockTolerance,
        feeds: parts.feeds,
        views: { path: viewsPath, viewMaker: answers.viewMaker },
        time: () => clock.guard.time(),
        answerAges: new AnswerAges(clock.monotonic),
        isWatched: () => readers.isThere,
        reporter: { ...reporter, fault },
        onDamage: faults.damaged,
      },
      mending,
    );
    scope.defer(() => opened.close());
    shared?.onOthers(() => opened.core.writer.follow());
    return opened;
  },
});

/** The site as its settings ask for it. An existing one is shown meanwhile if nothing can be written now. */
export const prepared = definePart({
  name: 'prepared',
  needs: ['config', 'options', 'projections'],
  async open({ config, options: { keepSite = false, reporter }, projections: { core } }) {
    const start = { given: config.site, ownUrl: config.ownUrl, keep: keepSite };
    try {
      const { value } = await core.writer.submit(bySystem, (session) => prepareSite(session, start));
      return value;
    } catch (error) {
      const waits = error instanceof LogUnavailable || error instanceof ClockLeapt;
      if (!waits || core.reader.of(site).get() === undefined) throw error;
      reporter.fault(error);
      return [];
    }
  },
});
