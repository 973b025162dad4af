import { unlessLeapt } from '#commands/clock-guard.ts';
import { startScheduler } from '#commands/scheduler.ts';
import { entries } from '#projections/entries/definition.ts';
import { media } from '#projections/media/definition.ts';
import { startIdleWork } from './idle-work.ts';
import type { NodeParts } from './parts/parts.ts';
import { watchAccounts } from './password-uses.ts';

/** Starts what a node does besides answering: scheduled entries, idle work, erasures, checks. It ends with `scope`. */
export function startBackground(parts: NodeParts, scope: DisposableStack): void {
  const { projections, writes, clock, erasing, writeCheck, uses, cacheVersions, notifier, files } = parts;
  const { reporter } = parts.options;
  const time = () => clock.guard.time();
  const due = () => projections.core.reader.of(entries);
  scope.defer(startScheduler({ entries: due, writer: writes, clock: time, onError: unlessLeapt(reporter.fault) }));
  const work = () => !projections.core.canWait && projections.core.work();
  scope.defer(startIdleWork({ work, isBusy: () => projections.core.writer.isActive, reporter }));
  scope.defer(erasing.start());
  scope.defer(() => writeCheck.stop());
  writeCheck.start();
  scope.defer(clock.start());
  scope.defer(watchAccounts({ uses, cacheVersions, notifier }));
  scope.defer(files.start((hash) => projections.core.reader.of(media).nextHash(hash)));
}
